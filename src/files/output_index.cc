// Reads and extends the list of what outputs were made of.
#include "files/output_index.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string_view>

#include "files/content_hash.h"
#include "files/file.h"

namespace tessera {
namespace {

// Before the fields, so that a later version may have others.
constexpr std::string_view kLineVersion = "1";

// Names may hold anything: what would end a field or a line is written as % and two digits.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '%' || static_cast<unsigned char>(c) < 0x20) {
      char code[4];
      std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned>(c));
      result += code;
    } else {
      result += c;
    }
  }
  return result;
}

std::string unescaped(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned code = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(&text[i + 1], &text[i] + 3, code, 16).ec == std::errc()) {
      result += static_cast<char>(code);
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string_view take_field(std::string_view& line) {
  const size_t end = std::min(line.find('\t'), line.size());
  const std::string_view field = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return field;
}

std::optional<uint64_t> take_number(std::string_view& line) {
  const std::string_view field = take_field(line);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value, 16);
  return error == std::errc() && end == field.data() + field.size() ? std::optional(value)
                                                                    : std::nullopt;
}

}  // namespace

OutputIndex::OutputIndex(const std::string& folder, uint64_t most) : folder_(folder) {
  const std::string path = (std::filesystem::path(folder) / kIndexName).string();
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    return;
  }
  const auto bytes = read_table(path, "a list of outputs", most, nullptr);
  if (bytes) {
    read(std::string(bytes->begin(), bytes->end()));
  }
  is_too_large_ = !bytes && std::filesystem::file_size(path, ignored) > most;
}

void OutputIndex::read(const std::string& text) {
  has_open_line_ = !text.empty() && !text.ends_with('\n');
  for (std::string_view rest = text; !rest.empty();) {
    const size_t end = rest.find('\n');
    if (end == std::string_view::npos) {  // a run was killed while it wrote this
      break;
    }
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    ++line_count_;
    const bool is_known = take_field(line) == kLineVersion;
    const auto source = take_number(line);
    const auto output = take_number(line);
    const auto bytes = take_number(line);
    const std::string settings = unescaped(take_field(line));
    if (is_known && source && output && bytes && !line.empty()) {
      entries_[unescaped(line)] = {settings, {*source, *output, *bytes}};
    }
  }
}

std::string OutputIndex::name_of(const FilePair& file) const {
  return std::filesystem::path(file.output).lexically_relative(folder_).generic_string();
}

std::string OutputIndex::line_of(const std::string& name, const Entry& entry) {
  char numbers[64];
  std::snprintf(numbers, sizeof numbers, "\t%" PRIx64 "\t%" PRIx64 "\t%" PRIx64 "\t",
                entry.stamp.source, entry.stamp.output, entry.stamp.output_bytes);
  return std::string(kLineVersion) + numbers + escaped(entry.settings) + "\t" + escaped(name) +
         "\n";
}

bool OutputIndex::is_current(const FilePair& file, const std::string& settings) const {
  const auto found = entries_.find(name_of(file));
  if (found == entries_.end() || found->second.settings != settings) {
    return false;
  }
  const FileStamp& stamp = found->second.stamp;
  std::error_code error;
  // The cheapest question first.
  return std::filesystem::is_regular_file(file.output, error) &&
         std::filesystem::file_size(file.output, error) == stamp.output_bytes &&
         file_hash(file.output) == stamp.output && file_hash(file.input) == stamp.source;
}

bool OutputIndex::is_beside_input(const FilePair& file) {
  std::error_code ignored;
  const std::filesystem::path output = file.output, input = file.input;
  return std::filesystem::exists(output, ignored) &&
         std::filesystem::equivalent(output.parent_path(),
                                     std::filesystem::absolute(input).parent_path(), ignored);
}

Status OutputIndex::check_may_replace(const FilePair& file) const {
  if (!is_beside_input(file) || entries_.contains(name_of(file))) {
    return {};
  }
  return usage_error(file.output + " is there, and no earlier run has made it: decoding " +
                     file.input + " would replace it (name another folder, or --force)");
}

void OutputIndex::open_for_adding() {
  const std::string path = (std::filesystem::path(folder_) / kIndexName).string();
  is_opened_ = true;
  // Lines that later ones have replaced are dropped when they are the most of it; of a list that
  // is too large to be read nothing is kept, as it would only grow.
  if (is_too_large_ || line_count_ > 2 * entries_.size() + 100) {
    std::string text;
    for (const auto& [name, entry] : entries_) {
      text += line_of(name, entry);
    }
    const auto* const data = reinterpret_cast<const uint8_t*>(text.data());
    if (write_file(path, {data, text.size()})) {
      has_open_line_ = false;
    }
  }
  file_ = Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
}

void OutputIndex::add(const FilePair& file, const std::string& settings, const FileStamp& stamp) {
  if (stamp.source == 0 || stamp.output == 0) {
    return;
  }
  const std::lock_guard lock(mutex_);
  if (!is_opened_) {
    open_for_adding();
  }
  const std::string line = (has_open_line_ ? "\n" : "") + line_of(name_of(file), {settings, stamp});
  has_open_line_ = false;
  // One call: lines of several processes do not mix.
  if (file_.is_open() &&
      ::write(file_.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    has_open_line_ = true;
  }
}

}  // namespace tessera
