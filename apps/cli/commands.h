// The verbs of the command. Each adds its options to the sub-command `command`; when the user chose
// it, it runs and stores its exit code.
#pragma once

#include <CLI/CLI.hpp>

namespace tessera::cli {

void add_encode_command(CLI::App& command, int& exit_code);
void add_transcode_command(CLI::App& command, int& exit_code);
void add_decode_command(CLI::App& command, int& exit_code);
void add_convert_command(CLI::App& command, int& exit_code);
void add_compare_command(CLI::App& command, int& exit_code);
void add_advise_command(CLI::App& command, int& exit_code);
void add_info_command(CLI::App& command, int& exit_code);
void add_validate_command(CLI::App& command, int& exit_code);
void add_init_command(CLI::App& command, int& exit_code);
void add_sample_command(CLI::App& command, int& exit_code);
void add_report_command(CLI::App& command, int& exit_code);
void add_inspect_command(CLI::App& command, int& exit_code);

}  // namespace tessera::cli
