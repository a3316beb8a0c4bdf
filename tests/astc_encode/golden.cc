// Reads the table of known qualities and compares it with what is measured.
#include "golden.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>

namespace tessera::astc::golden {
namespace {

constexpr std::string_view kHeading = "image,block,preset,psnr_rgb,psnr_rgba";
constexpr std::string_view kHowToRenew =
    " If that is as it should be, renew the file: TESSERA_WRITE_GOLDEN=1 tests/test_astc_golden, "
    "run in the build folder.";

std::string decibels(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

std::string subject(const Row& row) {
  return row.image + ", " + row.block + ", " + row.preset;
}

std::optional<double> parse_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value >= 0)) {
    return std::nullopt;
  }
  return value;
}

const Row* find(const std::vector<Row>& rows, const Row& like) {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const Row& row) { return row.is_about_the_same(like); });
  return found == rows.end() ? nullptr : &*found;
}

void compare(const Row& row, const char* what, double golden, double measured,
             std::vector<std::string>& sentences) {
  const std::string numbers = std::string(what) + " PSNR of " + subject(row) + " has gone from " +
                              decibels(golden) + " to " + decibels(measured) + " dB";
  if (measured < golden - kMaxFall) {
    sentences.push_back("The " + numbers + ", a fall of more than " + decibels(kMaxFall) + "." +
                        std::string(kHowToRenew));
  } else if (measured > golden + kMaxRise) {
    sentences.push_back("The " + numbers + ", so the golden file no longer guards it." +
                        std::string(kHowToRenew));
  }
}

}  // namespace

std::string to_text(const std::vector<Row>& rows) {
  std::string text = std::string(kHeading) + "\n";
  for (const Row& row : rows) {
    text += row.image + "," + row.block + "," + row.preset + "," + decibels(row.psnr_rgb) + "," +
            decibels(row.psnr_rgba) + "\n";
  }
  return text;
}

Result<std::vector<Row>> parse(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string line;
  if (!std::getline(lines, line) || line != kHeading) {
    return invalid_error("the golden file must begin with \"" + std::string(kHeading) + "\"");
  }
  std::vector<Row> rows;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    Row row;
    std::string rgb, rgba;
    const bool has_fields = std::getline(fields, row.image, ',') &&
                            std::getline(fields, row.block, ',') &&
                            std::getline(fields, row.preset, ',') &&
                            std::getline(fields, rgb, ',') && std::getline(fields, rgba);
    const auto psnr_rgb = parse_number(rgb), psnr_rgba = parse_number(rgba);
    if (!has_fields || !psnr_rgb || !psnr_rgba) {
      return invalid_error("the golden file's line \"" + line +
                           "\" must have three names and two numbers");
    }
    row.psnr_rgb = *psnr_rgb;
    row.psnr_rgba = *psnr_rgba;
    if (find(rows, row) != nullptr) {
      return invalid_error("the golden file has two lines for " + subject(row));
    }
    rows.push_back(row);
  }
  return rows;
}

std::vector<std::string> differences(const std::vector<Row>& golden,
                                     const std::vector<Row>& measured) {
  std::vector<std::string> sentences;
  for (const Row& row : measured) {
    const Row* known = find(golden, row);
    if (known == nullptr) {
      sentences.push_back("The golden file lacks " + subject(row) + "." + std::string(kHowToRenew));
      continue;
    }
    compare(row, "RGB", known->psnr_rgb, row.psnr_rgb, sentences);
    compare(row, "RGBA", known->psnr_rgba, row.psnr_rgba, sentences);
  }
  for (const Row& row : golden) {
    if (find(measured, row) == nullptr) {
      sentences.push_back("The golden file has " + subject(row) + ", which is not measured." +
                          std::string(kHowToRenew));
    }
  }
  return sentences;
}

std::string Disorder::sentence() const {
  return subject(row) + " reaches " + decibels(row.psnr_rgba) + " dB, but " + before.preset + " " +
         decibels(before.psnr_rgba) + " dB";
}

std::vector<Disorder> disorders(const std::vector<Row>& rows) {
  std::vector<Disorder> result;
  for (size_t i = 1; i < rows.size(); ++i) {
    const Disorder pair = {rows[i - 1], rows[i]};
    if (pair.row.image == pair.before.image && pair.row.block == pair.before.block &&
        pair.fall() > kMaxFall) {
      result.push_back(pair);
    }
  }
  return result;
}

}  // namespace tessera::astc::golden
