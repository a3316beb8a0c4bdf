// Which output belongs to which input, checked before any work starts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tessera {

struct FilePair {
  std::string input;
  std::string output;
};

// An input must not be overwritten by what is made of it.
Status check_output_is_not(const std::string& input, const std::string& output);

// Whether the outputs go into a folder: there are several inputs, or the name is a folder's or ends
// with a slash.
bool is_folder_output(const std::vector<std::string>& inputs, const std::string& output);

// Whether the name does not tell the file type: a folder, standard output or a device.
bool is_unnamed_output(const std::vector<std::string>& inputs, const std::string& output);

// The path of the file that is made of `input`, in a folder.
std::string output_in_folder(const std::string& input, const std::string& folder,
                             std::string_view extension);

// With several inputs, or when `output` is a folder, every input's name goes there with its
// extension replaced by `extension` (".dds"); a missing folder is made. Otherwise `output` is the
// file. Refuses inputs that cannot be read, two inputs with one output, an output that is an input,
// and outputs that cannot be written.
Result<std::vector<FilePair>> plan_outputs(const std::vector<std::string>& inputs,
                                           const std::string& output, std::string_view extension);

}  // namespace tessera
