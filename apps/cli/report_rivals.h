// The encoders of others beside ours on the page of `tessera report`.
#pragma once

#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "report_entry.h"

namespace tessera::cli {

struct RivalSetting {
  std::string name;  // "astcenc 4.2.0, 6x6 -medium"
  std::string program;
  std::string version;
  std::string command;  // as somebody would type it
  std::string block;
  std::string preset;
  bool is_srgb = false;
  size_t beside = 0;  // the first setting that it stands beside
};

// A setting of ours that others may know, too, and its place in the list of settings.
struct KnownSetting {
  EncoderInfo info;
  size_t index;
};

// A rival for each of these settings that it knows, each once; none where none is installed.
std::vector<RivalSetting> rivals_beside(const std::vector<KnownSetting>& settings);

// Fails when it takes longer than `seconds`; kInterrupted when a signal asks to stop. The picture
// has integer samples. With as many threads as the context.
Result<ReportEntry> encode_by_rival(const Image& image, const RivalSetting& rival,
                                    const Context& context, double seconds);

}  // namespace tessera::cli
