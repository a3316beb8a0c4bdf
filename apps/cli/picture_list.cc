// Lists pictures by a run that makes nothing.
#include "picture_list.h"

#include <algorithm>

namespace tessera::cli {

Result<std::vector<std::string>> list_pictures(const std::vector<std::string>& inputs,
                                               const PictureChoice& choice) {
  std::vector<std::string> paths;
  FileCalls calls;
  calls.dry_run = true;
  calls.include = choice.include;
  calls.exclude = choice.exclude;
  calls.done = [&](const FileReport& report) { paths.emplace_back(report.input); };
  // Files that were chosen are noted before two of them are found to become one texture, which is
  // the business of a run that makes them.
  calls.choose = [&](const char* input, const char*) -> Result<const tessera_encoder*> {
    paths.emplace_back(input);
    return nullptr;
  };
  EncodeOptions options;
  options.container = "ktx2";
  const auto encoder = Encoder::create(options);
  if (!encoder) {
    return encoder.error();
  }
  const Status listed = encoder->encode_files(inputs, inputs.front() + "/", nullptr, calls);
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  if (!listed && paths.empty()) {
    return listed.error();
  }
  return paths;
}

}  // namespace tessera::cli
