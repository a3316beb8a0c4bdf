// What the outputs in a folder were made of, so that a later run makes only those that would come
// out otherwise: a text file in that folder, with a line for each output. A line is added as soon
// as an output is complete, so that a run that was ended at any moment is gone on with.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "base/limits.h"
#include "files/descriptor.h"
#include "files/file_plan.h"
#include "files/file_report.h"

namespace tessera {

inline constexpr const char* kIndexName = ".tessera-index";

class OutputIndex {
 public:
  // Reads the index of the folder. Where there is none, or one that cannot be understood or has
  // more than `most` bytes, nothing is known.
  explicit OutputIndex(const std::string& folder, uint64_t most = Limits().max_table);

  // Whether the output is complete, and as it was made of this very source with these settings.
  // From any thread.
  bool is_current(const FilePair& file, const std::string& settings) const;

  // Refuses an output that is_beside_input(), and that no earlier run has made: pictures and the
  // textures made of them often have the same names.
  Status check_may_replace(const FilePair& file) const;
  // Whether the output is there already, in the folder of its input.
  static bool is_beside_input(const FilePair& file);

  // The output has been made. From any thread. What cannot be written down is forgotten: the output
  // is made again by the next run.
  void add(const FilePair& file, const std::string& settings, const FileStamp& stamp);

 private:
  struct Entry {
    std::string settings;
    FileStamp stamp;
  };
  void read(const std::string& text);
  std::string name_of(const FilePair& file) const;
  static std::string line_of(const std::string& name, const Entry& entry);
  void open_for_adding();

  std::string folder_;
  std::map<std::string, Entry> entries_;  // by the output's path within the folder
  size_t line_count_ = 0;
  bool has_open_line_ = false;  // the last line was not completed
  bool is_too_large_ = false;   // there is one, of which nothing is known
  mutable std::mutex mutex_;
  Descriptor file_{-1};  // to add lines to
  bool is_opened_ = false;
};

}  // namespace tessera
