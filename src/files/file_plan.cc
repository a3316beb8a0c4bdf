// Which output belongs to which input, checked before any work starts.
#include "files/file_plan.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "files/file.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

Status check_readable(const std::string& input) {
  std::error_code ignored;
  if (input == kStandardStream) {
    return {};
  }
  if (fs::is_directory(input, ignored)) {
    return io_error("cannot read " + input + ": it is a folder");
  }
  if (::access(input.c_str(), R_OK) != 0) {
    return io_error("cannot read " + input + ": " + std::strerror(errno));
  }
  return {};
}

Status check_pair(const FilePair& pair) {
  TESSERA_RETURN_IF_ERROR(check_readable(pair.input));
  TESSERA_RETURN_IF_ERROR(check_output_is_not(pair.input, pair.output));
  return check_writable(pair.output);
}

Status make_folder(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error) && !fs::create_directory(folder, error)) {
    return io_error("cannot make the folder " + folder + ": " + error.message());
  }
  return {};
}

Result<std::vector<FilePair>> plan_folder(const std::vector<std::string>& inputs,
                                          const std::string& folder, std::string_view extension) {
  std::vector<FilePair> pairs;
  std::set<std::string> outputs;
  for (const std::string& input : inputs) {
    if (input == kStandardStream) {
      return usage_error("standard input has no name to give to a file in a folder");
    }
    TESSERA_RETURN_IF_ERROR(check_readable(input));
    const std::string output = output_in_folder(input, folder, extension);
    if (!outputs.insert(output).second) {
      return usage_error("two inputs would both become " + output);
    }
    pairs.push_back({input, output});
  }
  TESSERA_RETURN_IF_ERROR(make_folder(folder));
  return pairs;
}

}  // namespace

Status check_output_is_not(const std::string& input, const std::string& output) {
  std::error_code ignored;
  if (input != kStandardStream && output != kStandardStream &&
      fs::is_regular_file(output, ignored) && fs::equivalent(input, output, ignored)) {
    return usage_error(output + " is the input and cannot be the output too");
  }
  return {};
}

std::string output_in_folder(const std::string& input, const std::string& folder,
                             std::string_view extension) {
  fs::path name = fs::path(input).filename();
  name.replace_extension(extension);
  return (fs::path(folder) / name).string();
}

bool is_folder_output(const std::vector<std::string>& inputs, const std::string& output) {
  std::error_code ignored;
  return inputs.size() > 1 || output.ends_with('/') ||
         (output != kStandardStream && fs::is_directory(output, ignored));
}

bool is_unnamed_output(const std::vector<std::string>& inputs, const std::string& output) {
  return is_folder_output(inputs, output) || output == kStandardStream ||
         output.starts_with("/dev/");
}

Result<std::vector<FilePair>> plan_outputs(const std::vector<std::string>& inputs,
                                           const std::string& output, std::string_view extension) {
  std::error_code ignored;
  const bool folder = is_folder_output(inputs, output);
  if (folder && (output == kStandardStream || fs::is_regular_file(output, ignored))) {
    return usage_error("several inputs need a folder as output, which " +
                       (output == kStandardStream ? "standard output" : output) + " is not");
  }
  std::vector<FilePair> pairs = {{inputs.front(), output}};
  if (folder) {
    TESSERA_ASSIGN_OR_RETURN(pairs, plan_folder(inputs, output, extension));
  }
  for (const FilePair& pair : pairs) {
    TESSERA_RETURN_IF_ERROR(check_pair(pair));
  }
  return pairs;
}

}  // namespace tessera
