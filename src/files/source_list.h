// Which files the inputs of a run mean: files, folders with all that is in them, and lists.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "base/result.h"

namespace tessera {

struct SourceFile {
  std::string path;  // to read; "-" is standard input
  // What the output is called in a folder, but for the extension: the path within the folder that
  // was searched, or the last part of a path that was named.
  std::string name;
};

// What is taken of the inputs.
struct SourceRequest {
  std::vector<std::string> include;  // patterns of names (path_pattern.h); empty: all known types
  std::vector<std::string> exclude;
  std::vector<std::string_view>
      extensions;           // of files in folders, such as ".png", in small letters
  std::string kind;         // what such files are called in messages: "pictures"
  std::string skip_folder;  // is not searched: the output, which may lie within an input
  uint64_t most_list_bytes = Limits().max_table;  // of all lists together
  const std::atomic<bool>* cancelled = nullptr;   // whether to stop reading lists
};

struct SourceList {
  std::vector<SourceFile> files;
  // There are several inputs, or one that is a folder or a list, whatever was found.
  bool may_be_several = false;
};

// Folders are searched with all folders in them, but for those whose name begins with a dot and
// those that are symbolic links; files whose name begins with a dot are passed over. What a folder
// holds comes in the order of the paths. "@NAME" is a file with an input on each line; lines that
// are empty or begin with # mean nothing. Fails where nothing is found.
Result<SourceList> find_sources(const std::vector<std::string>& inputs,
                                const SourceRequest& request);

}  // namespace tessera
