// Options that limit what an input may ask for.
#include "limit_options.h"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::cli {
namespace {

// "64M": a number above 0, with K, M, G or T for 2^10, 2^20, 2^30 or 2^40.
std::optional<uint64_t> parse_amount(std::string_view text) {
  constexpr std::string_view kUnits = "KMGT";
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  if (error != std::errc() || value == 0 || unit.size() > 1) {
    return std::nullopt;
  }
  if (unit.empty()) {
    return value;
  }
  const size_t place = kUnits.find(unit[0]);
  const size_t shift = 10 * (place + 1);
  if (place == std::string_view::npos || value > UINT64_MAX >> shift) {
    return std::nullopt;
  }
  return value << shift;
}

void add_amount(CLI::App& command, const std::string& name, uint64_t& amount,
                const std::string& help) {
  command
      .add_option_function<std::string>(
          name, [&amount](const std::string& text) { amount = parse_amount(text).value_or(0); },
          help)
      ->type_name("N")
      ->check([](const std::string& text) {
        return parse_amount(text) ? std::string()
                                  : "'" + text + "' is not a number above 0, such as 500 or 64M";
      });
}

}  // namespace

void add_limit_options(CLI::App& command, Limits& limits) {
  add_amount(command, "--max-pixels", limits.max_pixels,
             "Refuse inputs with more pixels (default: 1G; K, M, G and T count in steps of 1024)");
  add_amount(command, "--max-memory", limits.max_memory,
             "Refuse inputs that would take more bytes of memory until the job is done (default: "
             "three quarters of what the machine has)");
  add_amount(command, "--max-file", limits.max_file,
             "Refuse inputs with more bytes (default: 32G)");
  command
      .add_option("--max-seconds", limits.max_seconds,
                  "Give up on an input that takes longer to read (default: no limit)")
      ->check(CLI::Range(1u, 1000000u));
  command.add_flag(
      "--untrusted", limits.untrusted,
      "Inputs may come from anybody: at most 64M pixels, 256M bytes, 10 seconds and 1G "
      "of memory, and of that no more than 64 bytes for each byte of the input and 64M "
      "on top; other options change each of these");
}

}  // namespace tessera::cli
