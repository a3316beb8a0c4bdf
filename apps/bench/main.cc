// tessera-bench: the program behind `tessera bench`. It looks inside the library, which the command
// does not, and links the rivals.
#include <CLI/CLI.hpp>
#include <exception>
#include <new>

#include "base/result.h"
#include "bench_command.h"
#include "child_process.h"
#include "process.h"
#include "spmd/isa.h"
#include "standard_streams.h"
#include "temporary_folder.h"

namespace tessera::cli {
namespace {

int report(const Error& error) {
  return report_error(static_cast<int>(error.code), error.message);
}

int run(int argc, char** argv) {
  install_signal_handlers();
  if (!open_missing_standard_streams()) {
    return report(io_error(kNoStandardStreams));
  }
  if (const Status status = check_processor(); !status) {
    return report(status.error());
  }
  if (const Status status = restrict_isa_from_environment(); !status) {
    return report({ErrorCode::kUsage, "TESSERA_ISA: " + status.error().message});
  }
  bench::end_programs_when(is_interrupted());
  bench::remove_abandoned_folders();
  CLI::App app("Measure rate and quality, beside rivals", "tessera bench");
  Status outcome;
  add_bench_options(app, outcome);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return report({ErrorCode::kUsage, std::string(error.what()) + " (see --help)"});
  }
  if (!outcome) {
    return report(outcome.error());
  }
  return flush_standard_output() ? 0 : report(io_error("cannot write standard output"));
}

}  // namespace
}  // namespace tessera::cli

int main(int argc, char** argv) {
  try {
    return tessera::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    return tessera::cli::report(tessera::failed_error("not enough memory"));
  } catch (const std::exception& exception) {
    return tessera::cli::report(
        tessera::failed_error(std::string("unexpected failure: ") + exception.what()));
  }
}
