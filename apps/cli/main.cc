// tessera: the command. There is one file per verb; this one puts them together.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "backend_options.h"
#include "benchmark_program.h"
#include "client.h"
#include "command_list.h"
#include "commands.h"
#include "process.h"
#include "standard_streams.h"
#include "suggestion.h"
#include "version.h"

namespace tessera::cli {
namespace {

constexpr const char* kMainFooter = R"(Examples:
  tessera encode photo.png -o photo.dds --metrics
  tessera encode assets/ -o textures/ --container ktx2 --block 6x6 --mips --zstd
  tessera decode photo.dds -o photo-decoded.png
  tessera compare photo.png photo.dds --sheet side-by-side.png
  tessera bench --images photos/ --format bc1 --threads 1
  tessera help encode

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
    Verb{"convert", "Move textures into another container, as they are", add_convert_command},
    Verb{"compare", "Measure how far two pictures or textures are apart", add_compare_command},
    Verb{"advise", "Tell which block size serves a picture", add_advise_command},
    Verb{"info", "Tell what files are", add_info_command},
    Verb{"validate", "Check textures against the rules of their containers", add_validate_command},
    Verb{"inspect", "Show what a texture or a fractal image is made of", add_inspect_command},
    Verb{"report", "Show what settings make of pictures, as one page", add_report_command},
    Verb{"init", "Write a file of rules for a folder of pictures", add_init_command},
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

// "tessera help --json": all verbs with all options.
int list_commands() {
  Json verbs = Json::array();
  int ignored = 0;
  for (const Verb& verb : kVerbs) {
    CLI::App app(verb.purpose, verb.name);
    verb.add_options(app, ignored);
    verbs.push_back(verb_json(app));
  }
  print_json({{"name", "tessera"}, {"version", version()}, {"verbs", std::move(verbs)}});
  return 0;
}

// "tessera help encode" is "tessera encode --help".
std::vector<char*> without_help_verb(int argc, char** argv) {
  static char help[] = "--help";
  std::vector<char*> words(argv, argv + argc);
  if (argc > 1 && std::string_view(argv[1]) == "help") {
    words.erase(words.begin() + 1);
    words.resize(std::min<size_t>(words.size(), 2));
    words.push_back(help);
  }
  return words;
}

std::vector<std::string> verb_names() {
  std::vector<std::string> names = {"help", "bench"};
  for (const Verb& verb : kVerbs) {
    names.emplace_back(verb.name);
  }
  return names;
}

// A first word that is neither a verb nor an option.
Status check_verb(const std::vector<char*>& words) {
  const std::vector<std::string> names = verb_names();
  const std::string first = words.size() > 1 ? words[1] : "--help";
  if (first.starts_with('-') || std::find(names.begin(), names.end(), first) != names.end()) {
    return {};
  }
  return usage_error("there is no verb '" + first + "'" + suggestion_for(first, names) +
                     " (see --help)");
}

// What may have been meant by the first option that the verb does not have.
std::string suggest_option(const CLI::App& app, const std::vector<char*>& words) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands()) {  // that was given
    for (const CLI::Option* option : verb->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        names.push_back("--" + name);
      }
    }
  }
  for (const std::string_view word : words) {
    const std::string name(word.substr(0, word.find('=')));
    if (name.starts_with("--") && std::find(names.begin(), names.end(), name) == names.end()) {
      return suggestion_for(name, names);
    }
  }
  return "";
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

// What the parser says, in the words of this program.
std::string plain_sentence(const std::string& told) {
  constexpr std::string_view kOverride = " was given a disallowed flag override";
  return told.ends_with(kOverride)
             ? "--" + told.substr(0, told.size() - kOverride.size()) + " takes no value"
             : told;
}

void request_stop() {
  stop().request();
}

int run(int argc, char** argv) {
  stop();  // made before a signal can ask for it
  install_signal_handlers(request_stop);
  give_back_freed_memory();
  let_rank_0_speak(argc, argv);  // before anything can be wrong
  if (!open_missing_standard_streams()) {
    return report_error({ErrorCode::kIo, kNoStandardStreams});
  }
  if (const Status status = check_interrupted(); !status) {
    return report_error(status.error());
  }
  if (argc == 3 && std::string_view(argv[1]) == "help" && std::string_view(argv[2]) == "--json") {
    return list_commands();
  }
  std::vector<char*> words = without_help_verb(argc, argv);
  if (words.size() > 1 && std::string_view(words[1]) == "bench") {
    words.push_back(nullptr);
    return start_benchmark(words.data());
  }
  if (const Status known = check_verb(words); !known) {
    return report_error(known.error());
  }
  if (const Status chosen = choose_instruction_set(); !chosen) {
    return report_error(chosen.error());
  }
  CLI::App app("Tessera compresses images block by block, fast.", "tessera");
  // "--mips=false" would be taken for "--mips" that is not given, and rules would go on.
  app.option_defaults()->disable_flag_override();
  app.footer(kMainFooter);
  app.set_version_flag("--version", version_text, "Print the version and what this build contains");
  app.require_subcommand(1);
  int exit_code = 0;
  const int word_count = static_cast<int>(words.size());
  add_verbs(app, word_count, words.data(), exit_code);
  try {
    app.parse(word_count, words.data());
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ExtrasError& error) {
    return report_error(
        usage_error(std::string(error.what()) + suggest_option(app, words) + " (see --help)"));
  } catch (const CLI::ParseError& error) {
    return report_error(usage_error(plain_sentence(error.what()) + " (see --help)"));
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
    return tessera::cli::end_quickly(tessera::cli::run(argc, argv));
  } catch (const std::bad_alloc&) {
    return tessera::cli::report_error(kFailed, "not enough memory");
  } catch (const std::exception& exception) {
    return tessera::cli::report_error(kFailed,
                                      std::string("unexpected failure: ") + exception.what());
  }
}
