// Reads the settings of `tessera report` and makes their encoders.
#include "report_settings.h"

#include <algorithm>

#include "client.h"
#include "settings.h"

namespace tessera::cli {
namespace {

// "block=6x6,preset=fast".
Result<EncodeOptions> read_setting(const std::string& text) {
  EncodeOptions options;
  options.metrics = true;
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    const std::string value = equals == std::string::npos ? "true" : part.substr(equals + 1);
    if (const Status set = set_by_name(name, value, options); !set) {
      return set.error();
    }
    begin = end + 1;
  }
  return options;
}

bool is_plain(const EncodeOptions& options) {
  // These uses are profiles and nothing else.
  const bool is_plain_use =
      options.use.empty() || options.use == "color" || options.use == "packed";
  return is_plain_use && !options.normal_map && !options.mips && options.swizzle.empty() &&
         options.options.empty();
}

PictureEdits edits_of(const EncodeOptions& options) {
  const auto has = [&](const char* key) {
    return std::any_of(options.options.begin(), options.options.end(),
                       [&](const Option& option) { return option.key == key; });
  };
  return {has("yflip"), has("premultiply"), has("normalize")};
}

Error of_setting(const std::string& text, const Error& error) {
  return {error.code, "--setting " + text + ": " + error.message};
}

}  // namespace

Result<const PictureSetting*> ReportSetting::make(EncodeOptions options) {
  if (options.format.empty() && options.container.empty()) {
    options.format = "astc";
  }
  // Rules tell the block size of ASTC; no other format has one to choose.
  if (given_.block.empty() && !given_.format.empty() && given_.format != "astc") {
    options.block.clear();
  }
  std::unique_ptr<PictureSetting>& made = made_[text_of(options)];
  if (!made) {
    auto encoder = Encoder::create(options);
    if (!encoder) {
      return encoder.error();
    }
    made = std::make_unique<PictureSetting>(
        PictureSetting{std::move(*encoder), edits_of(options),
                       options.normal_map || options.use == "normal", is_plain(options)});
  }
  return made.get();
}

Result<ReportSetting> ReportSetting::create(const std::string& text, const RuleOptions& rules,
                                            const std::vector<std::string>& inputs) {
  const auto given = read_setting(text);
  if (!given) {
    return of_setting(text, given.error());
  }
  ReportSetting setting(text, RuledEncoders(rules, *given), *given);
  auto options = setting.rules_.options_without_rule(inputs);
  if (!options) {
    return options.error();
  }
  if (const auto usual = setting.make(std::move(*options))) {
    setting.usual_ = *usual;
  } else if (!setting.make(*given)) {
    return of_setting(text, usual.error());
  }
  return setting;
}

Result<const PictureSetting*> ReportSetting::choose(const ListedPicture& picture) {
  auto options = rules_.options_of(picture.path, picture.name);
  return options ? make(std::move(*options)) : options.error();
}

Result<std::vector<ReportSetting>> make_report_settings(const std::vector<std::string>& texts,
                                                        const RuleOptions& rules,
                                                        const std::vector<std::string>& inputs) {
  const std::vector<std::string> usual = {"format=astc,block=4x4", "format=astc,block=6x6",
                                          "format=astc,block=8x8", "format=bc1"};
  std::vector<ReportSetting> settings;
  for (const std::string& text : texts.empty() ? usual : texts) {
    auto setting = ReportSetting::create(text, rules, inputs);
    if (!setting) {
      return setting.error();
    }
    settings.push_back(std::move(*setting));
  }
  return settings;
}

}  // namespace tessera::cli
