// tessera: the command. There is one file per verb; this one puts them together.
#include <CLI/CLI.hpp>
#include <array>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "backend_options.h"
#include "benchmark_program.h"
#include "client.h"
#include "commands.h"
#include "process.h"
#include "standard_streams.h"
#include "version.h"

namespace tessera::cli {
namespace {

constexpr const char* kMainFooter = R"(Examples:
  tessera encode photo.png -o photo.dds --metrics
  tessera encode a.png b.png c.png -o textures/ --format bc1 --mips --json
  tessera decode photo.dds -o photo-decoded.png
  tessera compare photo.png photo.dds --sheet side-by-side.png
  tessera bench --images photos/ --format bc1 --threads 1

Exit codes: 0 done, 1 usage, 2 file cannot be read or written, 3 file is not valid,
4 failed while running, 5 not supported, 6 interrupted, 7 images differ.
TESSERA_ISA=AVX2 (or another name of --version) restricts the instruction set.)";

struct Verb {
  const char* name;
  const char* purpose;
  void (*add_options)(CLI::App& command, int& exit_code);
};

constexpr std::array kVerbs = {
    Verb{"encode", "Compress pictures into textures or fractal images", add_encode_command},
    Verb{"transcode", "Make textures of another format or block size of textures",
         add_transcode_command},
    Verb{"decode", "Turn textures and fractal images back into pictures", add_decode_command},
    Verb{"compare", "Measure how far two pictures or textures are apart", add_compare_command},
    Verb{"info", "Tell what files are", add_info_command},
    Verb{"sample", "Make a picture to try things on", add_sample_command},
};

// Options are made only for a verb that is among the arguments: most of them come from the
// library's lists, and making them all would take longer than all else that --version does.
void add_verbs(CLI::App& app, int argc, char** argv, int& exit_code) {
  for (const Verb& verb : kVerbs) {
    CLI::App* const command = app.add_subcommand(verb.name, verb.purpose);
    if (std::find(argv, argv + argc, std::string_view(verb.name)) != argv + argc) {
      verb.add_options(*command, exit_code);
    }
  }
  add_benchmark_to_help(app);
}

// Also refuses processors that no kernel can run on.
Status choose_instruction_set() {
  const char* const name = std::getenv("TESSERA_ISA");
  Status chosen = restrict_isa(name == nullptr ? "" : name);
  if (!chosen && name != nullptr) {
    return Error{chosen.error().code, "TESSERA_ISA: " + chosen.error().message};
  }
  return chosen;
}

void request_stop() {
  stop().request();
}

int run(int argc, char** argv) {
  stop();  // made before a signal can ask for it
  install_signal_handlers(request_stop);
  let_rank_0_speak(argc, argv);  // before anything can be wrong
  if (!open_missing_standard_streams()) {
    return report_error({ErrorCode::kIo, kNoStandardStreams});
  }
  if (const Status status = check_interrupted(); !status) {
    return report_error(status.error());
  }
  if (argc > 1 && std::string_view(argv[1]) == "bench") {
    return start_benchmark(argv);
  }
  if (const Status chosen = choose_instruction_set(); !chosen) {
    return report_error(chosen.error());
  }
  CLI::App app("Tessera compresses images block by block, fast.", "tessera");
  app.footer(kMainFooter);
  app.set_version_flag("--version", version_text, "Print the version and what this build contains");
  app.require_subcommand(1);
  int exit_code = 0;
  add_verbs(app, argc, argv, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return report_error(usage_error(std::string(error.what()) + " (see --help)"));
  }
  if (!flush_standard_output() && exit_code == 0) {
    return report_error({ErrorCode::kIo, "cannot write standard output"});
  }
  return exit_code;
}

}  // namespace
}  // namespace tessera::cli

int main(int argc, char** argv) {
  constexpr int kFailed = 4;
  try {
    return tessera::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    return tessera::cli::report_error(kFailed, "not enough memory");
  } catch (const std::exception& exception) {
    return tessera::cli::report_error(kFailed,
                                      std::string("unexpected failure: ") + exception.what());
  }
}
