// A table of qualities that are known to be reached, kept in a file of comma-separated values, and
// its comparison with what is measured now.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tessera::astc::golden {

struct Row {
  std::string image;
  std::string block;
  std::string preset;
  double psnr_rgb = 0;   // dB
  double psnr_rgba = 0;  // dB

  bool is_about_the_same(const Row& other) const {
    return image == other.image && block == other.block && preset == other.preset;
  }
};

inline constexpr double kMaxFall = 0.02;  // dB
inline constexpr double kMaxRise = 0.3;   // dB; more means that the file is out of date

std::string to_text(const std::vector<Row>& rows);
Result<std::vector<Row>> parse(std::string_view text);

// A sentence for every row that has become worse, or much better, or is in one of the tables only.
std::vector<std::string> differences(const std::vector<Row>& golden,
                                     const std::vector<Row>& measured);

// A preset that is worse by more than kMaxFall than the one before it, on the same image and block
// size.
struct Disorder {
  Row before;
  Row row;

  double fall() const { return before.psnr_rgba - row.psnr_rgba; }  // dB
  std::string sentence() const;
};

// Of rows in the order of presets.
std::vector<Disorder> disorders(const std::vector<Row>& rows);

}  // namespace tessera::astc::golden
