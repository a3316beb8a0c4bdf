// Options that only some formats know, as the library lists them: the command names none of them.
#pragma once

#include <CLI/CLI.hpp>
#include <tessera/tessera.hpp>
#include <vector>

namespace tessera::cli {

// Adds what `infos` lists to the command, grouped by formats. What is given on the command line is
// put into `options`, which must outlive the command.
void add_format_options(CLI::App& command, const std::vector<OptionInfo>& infos,
                        std::vector<Option>& options);

// --key NAME=VALUE, any number of times.
void add_key_option(CLI::App& command, std::vector<Option>& keys);

// For values of which "" is none; CLI11 takes an empty value for no value.
CLI::Validator not_empty();

}  // namespace tessera::cli
