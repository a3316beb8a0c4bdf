// Finds what encoding has left out of a picture.
#include "encode_notes.h"

#include <filesystem>
#include <utility>

#include "client.h"

namespace tessera::cli {
namespace {

// Samples that no texture holds; empty where there are none.
std::string clamped_note(const FileReport& file) {
  const EncodeReport& report = *file.encode;
  const std::pair<uint64_t, const char*> counts[] = {{report.clamped_nan, "not a number"},
                                                     {report.clamped_infinite, "infinite"},
                                                     {report.clamped_negative, "negative"},
                                                     {report.clamped_too_large, "above 65504"},
                                                     {report.clamped_alpha, "of alpha above 1"}};
  std::string kinds;
  for (const auto& [count, kind] : counts) {
    if (count > 0) {
      kinds += (kinds.empty() ? "" : ", ") + std::to_string(count) + " " + kind;
    }
  }
  return kinds.empty()
             ? ""
             : "note: " + input_display_name(file.input) +
                   " has samples that no such texture holds, and that were clamped: " + kinds;
}

// Of a .ktx2 file of pixels; empty where there is nothing to say, as below.
std::string levels_note(const FileReport& file) {
  const std::string input = file.input;
  std::error_code ignored;
  if (!input.ends_with(".ktx2") || !std::filesystem::is_regular_file(input, ignored)) {
    return "";  // what came through a pipe is gone
  }
  const auto text = describe_file(input, {}, {{}, &stop(), {}});
  const Json description = text ? Json::parse(text->text()) : Json();
  const bool is_picture = text && description["kind"] == "picture";
  return is_picture && description.value("levels", 1U) > 1
             ? "note: " + input +
                   " has smaller mip levels, which are not read: the texture has "
                   "those that --mips or --mip-file make"
             : "";
}

std::string alpha_note(const FileReport& file, const std::string& format) {
  return file.encode->alpha_dropped != 0
             ? "note: " + input_display_name(file.input) + " has transparent pixels, and " +
                   format + " dropped its alpha"
             : "";
}

}  // namespace

std::vector<std::string> notes_of_encoding(const FileReport& file, const std::string& format) {
  std::vector<std::string> notes = {levels_note(file), clamped_note(file),
                                    alpha_note(file, format)};
  std::erase(notes, "");
  return notes;
}

}  // namespace tessera::cli
