// The settings of `tessera report`, for each picture over the rules that lie beside it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "picture_list.h"
#include "rules.h"

namespace tessera::cli {

// What one setting comes to for a picture.
struct PictureSetting {
  Encoder encoder;
  PictureEdits edits;
  bool is_of_normals;
  bool is_plain;  // a format, a block size, a preset and a profile: what rivals know, too
};

class ReportSetting {
 public:
  // Of "block=6x6,preset=fast". Fails where no encoder has it, whatever the rules say.
  static Result<ReportSetting> create(const std::string& text, const RuleOptions& rules,
                                      const std::vector<std::string>& inputs);

  const std::string& name() const { return name_; }
  // Of pictures that no rule means; null where the defaults of the rules forbid it.
  const PictureSetting* usual() const { return usual_; }
  // Lives as long as this.
  Result<const PictureSetting*> choose(const ListedPicture& picture);

  std::vector<std::string> read_files() const { return rules_.read_files(); }

 private:
  ReportSetting(std::string name, RuledEncoders rules, EncodeOptions given)
      : name_(std::move(name)), rules_(std::move(rules)), given_(std::move(given)) {}
  Result<const PictureSetting*> make(EncodeOptions options);

  std::string name_;
  RuledEncoders rules_;
  EncodeOptions given_;
  std::map<std::string, std::unique_ptr<PictureSetting>> made_;  // by the text of their options
  const PictureSetting* usual_ = nullptr;
};

// Of all texts, or of the usual ones where there are none.
Result<std::vector<ReportSetting>> make_report_settings(const std::vector<std::string>& texts,
                                                        const RuleOptions& rules,
                                                        const std::vector<std::string>& inputs);

}  // namespace tessera::cli
