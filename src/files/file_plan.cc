// Which output belongs to which input, checked before any work starts.
#include "files/file_plan.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "files/file.h"
#include "files/volume_slices.h"

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

Error cannot_make(const std::string& folder, const std::error_code& error) {
  return io_error("cannot make the folder " + folder + ": " + error.message());
}

// The folder itself; those above it must be there, as a mistyped path would make many.
Status make_folder(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error) && !fs::create_directory(folder, error)) {
    return cannot_make(folder, error);
  }
  return {};
}

// The folders within it that the outputs go into.
Status make_inner_folders(const std::vector<FilePair>& files) {
  std::set<std::string> folders;
  for (const FilePair& file : files) {
    folders.insert(fs::path(file.output).parent_path().string());
  }
  for (const std::string& folder : folders) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
      return cannot_make(folder, error);
    }
  }
  return {};
}

// Whether the folder that an output goes into is yet to be made.
bool is_in_missing_folder(const FilePair& file) {
  std::error_code ignored;
  return !fs::exists(fs::path(file.output).parent_path(), ignored);
}

// The path of the file that is made of a source, in a folder.
std::string output_in_folder(const std::string& name, const std::string& folder,
                             std::string_view extension) {
  fs::path path = fs::path(folder) / name;
  path.replace_extension(extension);
  return path.string();
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

bool is_folder_output(const SourceList& sources, const std::string& output) {
  std::error_code ignored;
  return sources.may_be_several || output.ends_with('/') ||
         (output != kStandardStream && fs::is_directory(output, ignored));
}

bool is_unnamed_output(const SourceList& sources, const std::string& output) {
  return is_folder_output(sources, output) || output == kStandardStream ||
         output.starts_with("/dev/");
}

Status check_folder_name(const SourceList& sources, const std::string& output,
                         const std::function<bool(const std::string& name)>& names_a_file) {
  std::error_code ignored;
  if (!is_folder_output(sources, output) || fs::is_directory(output, ignored)) {
    return {};
  }
  if (output == kStandardStream || fs::is_regular_file(output, ignored)) {
    return usage_error("several inputs need a folder as output, which " +
                       (output == kStandardStream ? "standard output" : output) + " is not");
  }
  if (!output.ends_with('/') && names_a_file(output)) {
    return usage_error(output + " is the name of one file, which cannot hold several inputs (" +
                       output + "/ would be a folder)");
  }
  return {};
}

Result<std::vector<FilePair>> pair_outputs(
    const SourceList& sources, const std::string& output,
    const std::function<std::string_view(size_t index)>& extension_of) {
  if (!is_folder_output(sources, output)) {
    return std::vector<FilePair>{{sources.files.front().path, output}};
  }
  std::vector<FilePair> pairs;
  std::map<std::string, std::string> inputs;  // by output
  for (size_t i = 0; i < sources.files.size(); ++i) {
    const SourceFile& source = sources.files[i];
    if (source.path == kStandardStream) {
      return usage_error("standard input has no name to give to a file in a folder");
    }
    const std::string made = output_in_folder(source.name, output, extension_of(i));
    const auto [place, is_new] = inputs.emplace(made, source.path);
    if (!is_new) {
      return usage_error("two inputs would both become " + made + ": " + place->second + " and " +
                         source.path);
    }
    pairs.push_back({source.path, made});
  }
  return pairs;
}

Result<FilePair> pair_slices(const SourceList& sources, const std::string& output,
                             PictureGroup group) {
  std::error_code ignored;
  if (output.ends_with('/') || fs::is_directory(output, ignored)) {
    return usage_error(group_name(group) + " becomes one file, and " + output + " is a folder");
  }
  FilePair pair;
  for (const SourceFile& source : sources.files) {
    if (source.path == kStandardStream) {
      return usage_error("standard input cannot be a slice of " + group_name(group));
    }
    pair.slices.push_back(source.path);
  }
  if (group == PictureGroup::kVolume) {
    std::stable_sort(pair.slices.begin(), pair.slices.end(), comes_before_by_number);
  }
  pair.input = pair.slices.front();
  pair.output = output;
  return pair;
}

Status prepare_outputs(const std::vector<FilePair>& files, const std::string& folder,
                       MissingFolders missing) {
  for (const FilePair& file : files) {
    TESSERA_RETURN_IF_ERROR(check_readable(file.input));
    TESSERA_RETURN_IF_ERROR(check_output_is_not(file.input, file.output));
    for (const std::string& slice : file.slices) {
      TESSERA_RETURN_IF_ERROR(check_readable(slice));
      TESSERA_RETURN_IF_ERROR(check_output_is_not(slice, file.output));
    }
  }
  if (!folder.empty() && missing == MissingFolders::kMake) {
    TESSERA_RETURN_IF_ERROR(make_folder(folder));
    TESSERA_RETURN_IF_ERROR(make_inner_folders(files));
  }
  for (const FilePair& file : files) {
    if (missing == MissingFolders::kMake || folder.empty() || !is_in_missing_folder(file)) {
      TESSERA_RETURN_IF_ERROR(check_writable(file.output));
    }
  }
  return {};
}

}  // namespace tessera
