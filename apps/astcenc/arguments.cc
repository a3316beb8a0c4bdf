// Reads the command line of astcenc.
#include "arguments.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <string_view>

namespace tessera::astcenc {
namespace {

constexpr size_t kLeastWords = 3;  // an operation, an input, an output

struct QualityName {
  const char* name;
  float quality;
};
constexpr std::array<QualityName, 6> kQualityNames = {{
    {"-fastest", 0},
    {"-fast", 10},
    {"-medium", 60},
    {"-thorough", 98},
    {"-verythorough", 99},
    {"-exhaustive", 100},
}};

Error usage(std::string sentence) {
  return {ErrorCode::kUsage, std::move(sentence)};
}

template <class Number>
bool read_number(const std::string& text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end && !text.empty();
}

bool is_swizzle(const std::string& text, std::string_view letters, size_t least) {
  return text.size() >= least && text.size() <= 4 &&
         text.find_first_not_of(letters) == std::string::npos;
}

// The words after the quality, or, of -d*, after the output.
class OptionReader {
 public:
  OptionReader(const std::vector<std::string>& words, size_t first, Arguments& arguments)
      : words_(words), next_(first), arguments_(arguments) {}

  Status read() {
    while (next_ < words_.size()) {
      const std::string name = words_[next_++];
      if (Status status = read_option(name); !status) {
        return status;
      }
    }
    return {};
  }

 private:
  Status read_option(const std::string& name) {
    if (read_flag(name)) {
      return {};
    }
    if (name == "-esw" || name == "-dsw" || name == "-ssw") {
      return read_swizzle(name);
    }
    if (name == "-cw") {
      for (float& weight : arguments_.weights) {
        if (!take(weight) || !(weight >= 0)) {
          return usage("-cw needs four weights of at least 0, such as 1 6 1 1");
        }
      }
      const auto& weights = arguments_.weights;
      return std::any_of(weights.begin(), weights.end(), [](float weight) { return weight > 0; })
                 ? Status()
                 : usage("-cw needs a weight above 0");
    }
    if (name == "-mpsnr") {
      return take(arguments_.exposures[0]) && take(arguments_.exposures[1]) &&
                     arguments_.exposures[0] < arguments_.exposures[1]
                 ? Status()
                 : usage("-mpsnr needs two numbers of stops, the lower one first");
    }
    return read_number_option(name);
  }

  bool read_flag(const std::string& name) {
    const std::array<std::pair<const char*, bool*>, 7> flags = {{
        {"-yflip", &arguments_.flips},
        {"-silent", &arguments_.is_silent},
        {"-perceptual", &arguments_.is_perceptual},
        {"-pp-normalize", &arguments_.normalizes},
        {"-pp-premultiply", &arguments_.premultiplies},
        {"-decode_unorm8", &arguments_.unorm8},
        {"-mask", &ignored_},  // the library always weighs channels one by one
    }};
    for (const auto& [known, flag] : flags) {
      if (name == known) {
        *flag = true;
        return true;
      }
    }
    if (name == "-normal") {
      arguments_.is_normal_map = true;
      arguments_.decode_swizzle = "raz1";
      return true;
    }
    return false;
  }

  Status read_swizzle(const std::string& name) {
    const std::string value = next_ < words_.size() ? words_[next_++] : "";
    const bool is_sampled = name == "-ssw";
    const bool fits = is_sampled ? is_swizzle(value, "rgba", 1)
                                 : is_swizzle(value, name == "-dsw" ? "rgba01z" : "rgba01", 4);
    if (!fits) {
      return usage(name +
                   (is_sampled ? " needs one to four of r g b a" : " needs four of r g b a 0 1") +
                   (name == "-dsw" ? " z" : "") + ", and not '" + value + "'");
    }
    (is_sampled       ? arguments_.sampled
     : name == "-dsw" ? arguments_.decode_swizzle
                      : arguments_.encode_swizzle) = value;
    return {};
  }

  Status read_number_option(const std::string& name) {
    if (name == "-j") {
      return take(arguments_.threads) && arguments_.threads <= 1024
                 ? Status()
                 : usage("-j needs a number of threads, 0 to 1024");
    }
    if (name == "-zdim") {
      if (arguments_.operation == Operation::kDecompress) {
        return usage("-zdim is for compression: a texture says how deep it is");
      }
      return take(arguments_.depth) && arguments_.depth > 0
                 ? Status()
                 : usage("-zdim needs a number of slices");
    }
    if (name == "-repeats") {
      return take(arguments_.repeats) && arguments_.repeats > 0
                 ? Status()
                 : usage("-repeats needs a number of at least 1");
    }
    if (name == "-a") {
      arguments_.weighs_by_alpha = true;
      return take(arguments_.alpha_radius) && arguments_.alpha_radius >= 0
                 ? Status()
                 : usage("-a needs a radius of at least 0");
    }
    if (name == "-rgbm") {
      float most = 0;
      if (!take(most) || !(most > 0)) {
        return usage("-rgbm needs the largest value, above 0");
      }
      arguments_.rgbm = most;
      return {};
    }
    return usage("Argument '" + name + "' not recognized");
  }

  template <class Number>
  bool take(Number& number) {
    return next_ < words_.size() && read_number(words_[next_++], number);
  }

  const std::vector<std::string>& words_;
  size_t next_;
  Arguments& arguments_;
  bool ignored_ = false;
};

Status read_operation(const std::string& word, Arguments& arguments) {
  constexpr std::string_view kOperations = "cdt";
  constexpr std::string_view kProfiles = "lshH";
  const size_t operation = word.size() == 3 ? kOperations.find(word[1]) : std::string_view::npos;
  const size_t profile = word.size() == 3 ? kProfiles.find(word[2]) : std::string_view::npos;
  if (operation == std::string_view::npos || profile == std::string_view::npos || word[0] != '-') {
    return usage("Unrecognized operation '" + word + "'");
  }
  constexpr std::array kKinds = {Operation::kCompress, Operation::kDecompress, Operation::kTest};
  constexpr std::array kNames = {"ldr", "srgb", "hdr", "hdra"};
  constexpr std::array kTitles = {"LDR linear", "LDR sRGB", "HDR RGB + LDR A", "HDR RGBA"};
  arguments.operation = kKinds[operation];
  arguments.profile = kNames[profile];
  arguments.profile_title = kTitles[profile];
  return {};
}

Status read_quality(const std::string& word, Arguments& arguments) {
  for (const QualityName& known : kQualityNames) {
    if (word == known.name) {
      arguments.quality = known.quality;
      return {};
    }
  }
  const bool is_number = read_number(word, arguments.quality);
  if (!is_number || !(arguments.quality >= 0 && arguments.quality <= 100)) {
    return usage("Search quality/preset '" + word + "' is invalid");
  }
  return {};
}

}  // namespace

float library_quality(float astcenc_quality) {
  constexpr std::array<std::pair<float, float>, 6> kPlaces = {
      {{0, 0}, {10, 25}, {60, 50}, {98, 75}, {99, 87.5F}, {100, 100}}};
  for (size_t i = 1; i < kPlaces.size(); ++i) {
    const auto [from, low] = kPlaces[i - 1];
    const auto [to, high] = kPlaces[i];
    if (astcenc_quality <= to) {
      return low + (high - low) * (astcenc_quality - from) / (to - from);
    }
  }
  return 100;
}

Result<Arguments> read_arguments(const std::vector<std::string>& words) {
  Arguments arguments;
  if (words.empty() || words[0] == "-h" || words[0] == "-help") {
    return arguments;
  }
  if (words[0] == "-v" || words[0] == "-version") {
    arguments.operation = Operation::kVersion;
    return arguments;
  }
  if (const Status status = read_operation(words[0], arguments); !status) {
    return status.error();
  }
  if (words.size() < kLeastWords) {
    return usage(words.size() < 2 ? "Input file not specified" : "Output file not specified");
  }
  arguments.input = words[1];
  arguments.output = words[2];
  size_t first = kLeastWords;
  if (arguments.operation != Operation::kDecompress) {
    if (words.size() < kLeastWords + 2) {
      return usage(words.size() == kLeastWords ? "Block size must be specified"
                                               : "Search quality level must be specified");
    }
    arguments.block = words[kLeastWords];
    if (const Status status = read_quality(words[kLeastWords + 1], arguments); !status) {
      return status.error();
    }
    first += 2;
  }
  if (const Status status = OptionReader(words, first, arguments).read(); !status) {
    return status.error();
  }
  if (arguments.depth > 1 && std::count(arguments.block.begin(), arguments.block.end(), 'x') < 2) {
    return usage("-zdim makes a volume, which needs a block size such as 4x4x4");
  }
  return arguments;
}

}  // namespace tessera::astcenc
