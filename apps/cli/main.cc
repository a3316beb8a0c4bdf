// tessera: the command. There is one file per verb; this one puts them together.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>
#include <string_view>

#include "benchmark_program.h"
#include "commands.h"
#include "mpi_options.h"
#include "session.h"
#include "spmd/isa.h"
#include "standard_streams.h"
#include "version.h"

namespace tessera::cli {
namespace {

constexpr const char* kFooter = R"(Examples:
  tessera encode photo.png -o photo.dds --metrics
  tessera encode a.png b.png c.png -o textures/ --format bc1 --mips --json
  tessera decode photo.dds -o photo-decoded.png
  tessera compare photo.png photo.dds --sheet side-by-side.png
  tessera bench --images photos/ --format bc1 --threads 1

Exit codes: 0 done, 1 usage, 2 file cannot be read or written, 3 file is not valid,
4 failed while running, 5 not supported, 6 interrupted, 7 images differ.
TESSERA_ISA=AVX2 (or another name of --version) restricts the instruction set.)";

int run(int argc, char** argv) {
  if (!open_missing_standard_streams()) {
    return report_error(io_error(kNoStandardStreams));
  }
  if (argc > 1 && std::string_view(argv[1]) == "bench") {
    return start_benchmark(argv);
  }
  install_signal_handlers();
  if (const Status status = check_processor(); !status) {
    return report_error(status.error());
  }
  remember_command_line(argc, argv);
  if (const Status status = restrict_isa_from_environment(); !status) {
    return report_error({ErrorCode::kUsage, "TESSERA_ISA: " + status.error().message});
  }
  CLI::App app("Tessera compresses images block by block, fast.", "tessera");
  app.footer(kFooter);
  app.set_version_flag("--version", version_text, "Print the version and what this build contains");
  app.require_subcommand(1);
  int exit_code = 0;
  add_encode_command(app, exit_code);
  add_decode_command(app, exit_code);
  add_compare_command(app, exit_code);
  add_info_command(app, exit_code);
  add_benchmark_to_help(app);
  add_sample_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return report_error({ErrorCode::kUsage, std::string(error.what()) + " (see --help)"});
  }
  if (!flush_standard_output() && exit_code == 0) {
    return report_error(io_error("cannot write standard output"));
  }
  return exit_code;
}

}  // namespace
}  // namespace tessera::cli

int main(int argc, char** argv) {
  try {
    return tessera::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    return tessera::cli::report_error(tessera::failed_error("not enough memory"));
  } catch (const std::exception& exception) {
    return tessera::cli::report_error(
        tessera::failed_error(std::string("unexpected failure: ") + exception.what()));
  }
}
