// Which output belongs to which input, checked before any work starts.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codec/pipeline.h"
#include "files/source_list.h"

namespace tessera {

struct FilePair {
  std::string input;
  std::string output;
  size_t job = 0;                        // which of the run's settings it is made with
  std::vector<std::string> slices = {};  // of one texture, in order, the input being the first
};

// An input must not be overwritten by what is made of it.
Status check_output_is_not(const std::string& input, const std::string& output);

// Whether the outputs go into a folder: there are several inputs, or one that is a folder or a
// list, or the name is a folder's or ends with a slash.
bool is_folder_output(const SourceList& sources, const std::string& output);

// Whether the name does not tell the file type: a folder, standard output or a device.
bool is_unnamed_output(const SourceList& sources, const std::string& output);

// Where the outputs go into a folder, the name must be one: `names_a_file` tells whether a name is
// that of a file of the type that is made.
Status check_folder_name(const SourceList& sources, const std::string& output,
                         const std::function<bool(const std::string& name)>& names_a_file);

// In a folder every source's name gets the extension that `extension_of` tells (".dds"); otherwise
// `output` is the file. Refuses two inputs with one output. Nothing is looked at or made.
Result<std::vector<FilePair>> pair_outputs(
    const SourceList& sources, const std::string& output,
    const std::function<std::string_view(size_t index)>& extension_of);

// The one output of a group of pictures: all sources are its slices. Those of a volume are taken in
// the order of the numbers in their names, others in the order of the sources.
Result<FilePair> pair_slices(const SourceList& sources, const std::string& output,
                             PictureGroup group);

// Refuses inputs that cannot be read, an output that is an input, and outputs that cannot be
// written. Folders that are missing are made: the last part of `folder` and what is in it ("": the
// output is no folder). kLeave: they are only taken as if they could be made.
enum class MissingFolders : uint8_t { kMake, kLeave };
Status prepare_outputs(const std::vector<FilePair>& files, const std::string& folder,
                       MissingFolders missing);

}  // namespace tessera
