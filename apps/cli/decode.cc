// tessera decode: compressed textures to picture files.
#include <cstdio>
#include <memory>
#include <optional>

#include "base/file.h"
#include "batch.h"
#include "codec_options.h"
#include "commands.h"
#include "files/pipeline.h"
#include "session.h"

namespace tessera::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  tessera decode photo.dds -o photo.png
  tessera decode photo.dds -o small.png --level 3
  tessera decode texture.astc -o texture.png --profile srgb
  tessera decode sky.ktx2 -o sky.exr
  tessera decode photo.tsf -o large.png --scale 2
  tessera decode a.dds b.dds -o pictures/ --as tga
  tessera decode - -o - --as ppm < photo.dds > photo.ppm)";

struct DecodeCommand {
  BatchOptions batch;
  std::string as = "png";
  uint32_t level = 0;
  std::optional<uint32_t> slice;
  TypedDecodeOptions typed;
  std::string samples;
  std::string steps;  // a folder
};

// A named file tells its type; folders and standard output take --as.
Result<ImageFileType> output_type(const DecodeCommand& options) {
  const std::string& output = options.batch.output;
  const bool unnamed = is_unnamed_output(options.batch.inputs, output);
  if (const auto type = writable_type_of_name(unnamed ? "." + options.as : output)) {
    return *type;
  }
  return usage_error(
      unnamed ? "'" + options.as + "' cannot be written (png, ppm, pgm, tga, exr, hdr can)"
              : "the name " + output +
                    " has no extension that can be written (.png, .ppm, .pgm, .tga)");
}

Json to_json(const DecodeJob& job, const DecodeReport& report) {
  const FormatRow& format = format_row(report.texture.format);
  Json object = {{"input", job.input},
                 {"output", job.output},
                 {"width", report.image.width},
                 {"height", report.image.height},
                 {"channels", report.image.channels}};
  if (format.payload == PayloadKind::kBlocks) {
    object["level"] = job.level;
  }
  object["format"] = format.name;
  if (format.payload == PayloadKind::kBlocks) {
    object["block"] = block_size_name(report.texture.block);
  }
  object["decode_seconds"] = report.decode_seconds;
  object["bytes"] = report.file_bytes;
  return object;
}

// Integer files get 8 bits unless 16 are asked for, float files halves.
Result<SampleType> sample_type(const DecodeCommand& options, ImageFileType type) {
  const bool is_float = type == ImageFileType::kExr || type == ImageFileType::kHdr;
  if (options.samples.empty()) {
    if (type == ImageFileType::kHdr) {
      return SampleType::kF32;
    }
    return is_float ? SampleType::kF16 : SampleType::kU8;
  }
  for (const SampleType sample :
       {SampleType::kU8, SampleType::kU16, SampleType::kF16, SampleType::kF32}) {
    if (options.samples == sample_type_name(sample)) {
      return sample;
    }
  }
  return usage_error("'" + options.samples + "' is no sample type (8-bit, 16-bit, half, float)");
}

int run_decode(const DecodeCommand& options) {
  const auto type = output_type(options);
  if (!type) {
    return report_error(type.error());
  }
  auto decode = parse_decode_options(options.typed);
  if (!decode) {
    return report_error(decode.error());
  }
  const auto sample = sample_type(options, *type);
  if (!sample) {
    return report_error(sample.error());
  }
  decode->sample = *sample;
  if (!options.steps.empty() &&
      (options.batch.inputs.size() != 1 || options.batch.inputs.front() == kStandardStream)) {
    return report_error(usage_error("--steps needs one input that is a file"));
  }
  const auto job_of = [&](const FilePair& file) {
    return DecodeJob{file.input, file.output, *type, options.level, *decode, options.slice};
  };
  return run_local_batch<DecodeReport>(
      options.batch, "." + options.as,
      [&](const FilePair& file, Backend& backend,
          const RunControl& control) -> Result<DecodeReport> {
        TESSERA_ASSIGN_OR_RETURN(const DecodeReport report,
                                 decode_file(job_of(file), backend, control));
        if (!options.steps.empty()) {
          TESSERA_RETURN_IF_ERROR(
              write_decoding_steps(file.input, *decode, options.steps, backend, control));
        }
        return report;
      },
      [&](const FilePair& file, const FileOutcome<DecodeReport>& outcome) {
        const DecodeReport& report = *outcome.report;
        if (!options.batch.json && !options.batch.quiet && file.output != kStandardStream) {
          std::printf("%s: %ux%u, %zu bytes\n", file.output.c_str(), report.image.width,
                      report.image.height, report.file_bytes);
        }
        return to_json(job_of(file), report);
      });
}

}  // namespace

void add_decode_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<DecodeCommand>();
  CLI::App* command = app.add_subcommand("decode", "Turn textures back into pictures");
  command->footer(kFooter);
  command
      ->add_option("IN", options->batch.inputs,
                   "Textures (.dds, .astc, .ktx2) or fractal images (.tsf); - for standard input")
      ->required();
  command
      ->add_option("-o,--output", options->batch.output,
                   "The file to write (.png, .ppm, .pgm, .tga, .exr, .hdr), a folder, or - for "
                   "standard output")
      ->required();
  command->add_option("--as", options->as, "File type in a folder or on standard output")
      ->capture_default_str();
  command->add_option("--level", options->level, "Mip level; 0 is the largest")
      ->capture_default_str();
  command->add_option("--slice", options->slice, "Slice of an array or a volume");
  add_decode_options(*command, options->typed);
  command->add_option("--samples", options->samples,
                      "8-bit, 16-bit, half or float (default: what suits the file type)");
  command->add_option("--steps", options->steps,
                      "Fractal: a folder for the picture after each pass");
  add_batch_options(*command, options->batch);
  command->callback([options, &exit_code] { exit_code = run_decode(*options); });
}

}  // namespace tessera::cli
