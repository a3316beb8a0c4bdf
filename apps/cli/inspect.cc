// tessera inspect: what a texture or a fractal image is made of, as pictures and facts.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "backend_options.h"
#include "client.h"
#include "commands.h"
#include "decode_options.h"
#include "format_options.h"
#include "leaf_drawing.h"
#include "limit_options.h"
#include "shown_pixels.h"

namespace tessera::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInspectFooter = R"(Writes, into the folder:
  decoded.png    the pixels
  kinds.png      textures: blocks in the colours of their kinds
  quadtree.svg   fractal images: leaves, and arrows to their domains
  error.png      with --original: where the result differs
  facts.json     all that is known, with statistics and the worst blocks
Examples:
  tessera inspect photo.astc -o photo-inspected/ --original photo.png
  tessera inspect photo.tsf -o photo-inspected/ --arrows 500)";

struct InspectCommand {
  std::string input;
  std::string output;
  std::string original;
  double gain = 8;
  size_t arrows = 200;
  size_t worst = 16;
  DecodeOptions decode;
  BackendOptions backend;
  Limits limits;
  bool quiet = false;
};

// What the folder gets.
class InspectedFolder {
 public:
  explicit InspectedFolder(std::string folder) : folder_(std::move(folder)) {}

  Status make() const {
    std::error_code error;
    fs::create_directories(folder_, error);
    return error ? Status(Error{ErrorCode::kIo,
                                "the folder " + folder_ + " cannot be made: " + error.message()})
                 : Status();
  }
  Status add_picture(const char* name, const ShownPixels& pixels) {
    const auto written = write(path_of(name), pixels.image());
    return written ? Status() : Status(written.error());
  }
  Status add_text(const char* name, const std::string& text) {
    return write_bytes(path_of(name), {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }
  const std::string& names() const { return names_; }

 private:
  std::string path_of(const char* name) {
    names_ += (names_.empty() ? "" : ", ") + std::string(name);
    return (fs::path(folder_) / name).string();
  }

  std::string folder_;
  std::string names_;
};

Window whole(const Image& image) {
  return {0, 0, image.width, image.height};
}

// The mean error of the blocks of each kind, in dB.
void add_errors_of_kinds(const std::vector<BlockError>& blocks, std::span<const uint8_t> kinds,
                         Json& legend) {
  const auto across = legend["across"].get<size_t>();
  std::vector<double> sums(legend["kinds"].size());
  for (const BlockError& block : blocks) {
    sums[kinds[block.y * across + block.x]] += block.mean_square;
  }
  for (size_t i = 0; i < sums.size(); ++i) {
    Json& kind = legend["kinds"][i];
    const auto count = kind["count"].get<double>();
    if (count > 0 && sums[i] > 0) {
      kind["psnr_rgba"] = 10 * std::log10(255.0 * 255.0 * count / sums[i]);
    }
  }
}

Json worst_json(std::span<const uint8_t> file, const std::vector<BlockError>& blocks,
                const Control& control) {
  Json list = Json::array();
  for (const BlockError& block : blocks) {
    Json object = {{"x", block.x}, {"y", block.y}, {"mean_square_error", block.mean_square}};
    const std::string position = std::to_string(block.x) + "," + std::to_string(block.y);
    if (const auto described = describe(file, false, position, {}, control)) {
      object.update(Json::parse(described->text())["block_at"]);
    }
    list.push_back(std::move(object));
  }
  return list;
}

struct Inspected {
  const InspectCommand& command;
  const Bytes& file;
  const FileInfo& info;
  const ShownPixels& decoded;
  const ShownPixels* original;  // null: none was named
  const Control& control;
};

Status inspect_texture(const Inspected& inspected, InspectedFolder& folder, Json& facts) {
  const auto map = map_blocks(inspected.file.span(), inspected.command.input, inspected.control);
  if (!map) {
    return map.error();
  }
  Json legend = Json::parse(map->legend.text());
  const Window window = {0, 0, inspected.decoded.width, inspected.decoded.height};
  if (inspected.command.decode.level == 0) {
    const ShownPixels kinds = kind_map(legend, map->kinds.span(), window);
    if (Status added = folder.add_picture("kinds.png", kinds); !added) {
      return added;
    }
  }
  if (inspected.original != nullptr && inspected.command.decode.level == 0) {
    std::vector<BlockError> blocks =
        worst_blocks(*inspected.original, inspected.decoded, inspected.info.block_width,
                     inspected.info.block_height, SIZE_MAX);
    add_errors_of_kinds(blocks, map->kinds.span(), legend);
    blocks.resize(std::min(blocks.size(), inspected.command.worst));
    facts["worst_blocks"] = worst_json(inspected.file.span(), blocks, inspected.control);
  }
  facts["kinds"] = std::move(legend);
  return {};
}

Status inspect_fractal(const Inspected& inspected, InspectedFolder& folder) {
  const auto leaves =
      list_leaves(inspected.file.span(), inspected.command.input, inspected.control);
  if (!leaves) {
    return leaves.error();
  }
  return folder.add_text("quadtree.svg",
                         draw_leaves(Json::parse(leaves->text()), inspected.info.width,
                                     inspected.info.height, inspected.command.arrows));
}

// Statistics where the format has them.
Result<Json> facts_of(const InspectCommand& command, const Bytes& file, const Control& control) {
  auto described = describe(file.span(), true, {}, command.input, control);
  if (!described && (described.error().code == ErrorCode::kUsage ||
                     described.error().code == ErrorCode::kUnsupported)) {
    described = describe(file.span(), false, {}, command.input, control);
  }
  return described ? Result<Json>(Json::parse(described->text())) : described.error();
}

// What this verb takes for each pixel besides the pixels that are decoded: pictures to show, one of
// them as a file; the blocks by their errors; the leaves of fractal images as objects and texts.
Limits limits_for(const InspectCommand& command, const FileInfo& info) {
  Limits limits = command.limits;
  limits.caller_bytes_per_pixel = info.block_width > 0 ? 16 : 170;
  if (!command.original.empty()) {
    limits.caller_copies = 1;
    limits.caller_bytes_per_pixel += 12;
  }
  return limits;
}

// What counts when there are pixels.
Limits limits_beside(const Limits& limits, const Picture& decoded, const FileInfo& info) {
  constexpr uint64_t kShown = 4;  // bytes of a pixel
  Limits both = limits;
  both.caller_files = info.file_bytes;
  both.caller_bytes = info.file_bytes + memory_of(decoded.image()) +
                      kShown * decoded.image().width * decoded.image().height;
  return both;
}

Status compare_with_original(const InspectCommand& command, const Picture& original,
                             const Picture& decoded, const FileInfo& info,
                             const ShownPixels& reference, const ShownPixels& pixels,
                             InspectedFolder& folder, Json& facts) {
  const Image a = original.image();
  const Image b = decoded.image();
  if (a.width != b.width || a.height != b.height) {
    return Error{ErrorCode::kDiffer, command.original + " is " + block_name(a.width, a.height, 1) +
                                         " and " + command.input + " is " +
                                         block_name(b.width, b.height, 1)};
  }
  const auto metrics = compare(a, b, info.block_width, info.block_height);
  if (!metrics) {
    return metrics.error();
  }
  facts["original"] = command.original;
  add_metrics(facts, *metrics);
  return folder.add_picture("error.png", error_map(reference, pixels, command.gain));
}

Status inspect_file(const InspectCommand& command, const Context& context,
                    InspectedFolder& folder) {
  Control control = {{}, &stop(), command.limits};
  const auto file = read_bytes(command.input, control);
  if (!file) {
    return file.error();
  }
  const auto header = tessera::inspect(file->span(), command.input, control);
  if (!header) {
    return header.error();
  }
  if (std::string(header->kind) == "picture") {
    return Error{ErrorCode::kInvalid, command.input + " is a picture, not a compressed texture"};
  }
  FileInfo info = *header;
  control.limits = limits_for(command, info);
  const auto decoded =
      decode(file->span(), command.decode, &context, control, &info, command.input);
  if (!decoded) {
    return decoded.error();
  }
  control.limits = limits_beside(control.limits, *decoded, info);
  auto facts_or = facts_of(command, *file, control);
  if (!facts_or) {
    return facts_or.error();
  }
  Json facts = std::move(*facts_or);
  const ShownPixels pixels = shown_pixels(decoded->image(), whole(decoded->image()));
  ShownPixels reference;
  if (Status made = folder.make(); !made) {
    return made;
  }
  if (!command.original.empty()) {
    const auto original = read(command.original, {}, &context, control);
    if (!original) {
      return original.error();
    }
    reference = shown_pixels(original->image(), whole(original->image()));
    Status compared =
        compare_with_original(command, *original, *decoded, info, reference, pixels, folder, facts);
    if (!compared) {
      return compared;
    }
  }
  if (Status added = folder.add_picture("decoded.png", pixels); !added) {
    return added;
  }
  const Inspected inspected = {
      command, *file, info, pixels, command.original.empty() ? nullptr : &reference, control};
  const Status added = info.block_width > 0 ? inspect_texture(inspected, folder, facts)
                                            : inspect_fractal(inspected, folder);
  return added ? folder.add_text("facts.json", facts.dump(2) + "\n") : added;
}

int run_inspect(const InspectCommand& command) {
  const auto context = make_context(command.backend);
  if (!context) {
    return report_error(context.error());
  }
  InspectedFolder folder(command.output);
  if (const Status done = inspect_file(command, *context, folder); !done) {
    return report_error(done.error());
  }
  if (!command.quiet) {
    std::printf("%s: %s\n", command.output.c_str(), folder.names().c_str());
  }
  return 0;
}

}  // namespace

void add_inspect_command(CLI::App& command, int& exit_code) {
  auto options = std::make_shared<InspectCommand>();
  command.footer(kInspectFooter);
  command.add_option("FILE", options->input, "A texture or a fractal image")->required();
  command.add_option("-o,--output", options->output, "The folder to write to")
      ->required()
      ->check(not_empty());
  command.add_option("--original", options->original, "The picture that it was made of")
      ->type_name("PICTURE")
      ->check(not_empty());
  command.add_option("--gain", options->gain, "How much the error is amplified")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      .add_option("--worst", options->worst, "Explain so many of the blocks with the largest error")
      ->check(CLI::Range(0U, 10000U))
      ->capture_default_str();
  command
      .add_option("--arrows", options->arrows,
                  "Of fractal images: draw the arrows of so many of the largest leaves")
      ->check(CLI::Range(0U, 1000000U))
      ->capture_default_str();
  add_decode_options(command, options->decode);
  add_thread_option(command, options->backend);
  add_limit_options(command, options->limits);
  command.add_flag("-q,--quiet", options->quiet, "Print nothing but errors");
  command.callback([options, &exit_code] { exit_code = run_inspect(*options); });
}

}  // namespace tessera::cli
