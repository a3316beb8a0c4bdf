// Lists pictures by a run that makes nothing.
#include "picture_list.h"

#include <map>

namespace tessera::cli {

Result<std::vector<ListedPicture>> list_named_pictures(const std::vector<std::string>& inputs,
                                                       const PictureChoice& choice,
                                                       const Limits& limits) {
  std::map<std::string, std::string> names;  // by path
  FileCalls calls;
  calls.dry_run = true;
  calls.limits = limits;
  calls.include = choice.include;
  calls.exclude = choice.exclude;
  calls.done = [&](const FileReport& report) { names.emplace(report.input, report.input); };
  // Files that were chosen are noted before two of them are found to become one texture, which is
  // the business of a run that makes them.
  calls.choose = [&](const char* input, const char* name) -> Result<const tessera_encoder*> {
    names[input] = name;
    return nullptr;
  };
  EncodeOptions options;
  options.container = "ktx2";
  const auto encoder = Encoder::create(options);
  if (!encoder) {
    return encoder.error();
  }
  const Status listed = encoder->encode_files(inputs, inputs.front() + "/", nullptr, calls);
  if (!listed && names.empty()) {
    return listed.error();
  }
  std::vector<ListedPicture> pictures;
  pictures.reserve(names.size());
  for (const auto& [path, name] : names) {
    pictures.push_back({path, name});
  }
  return pictures;
}

Result<std::vector<std::string>> list_pictures(const std::vector<std::string>& inputs,
                                               const PictureChoice& choice, const Limits& limits) {
  const auto pictures = list_named_pictures(inputs, choice, limits);
  if (!pictures) {
    return pictures.error();
  }
  std::vector<std::string> paths;
  paths.reserve(pictures->size());
  for (const ListedPicture& picture : *pictures) {
    paths.push_back(picture.path);
  }
  return paths;
}

}  // namespace tessera::cli
