// astc_lost_choices PICTURE BLOCK PRESET [COUNT]: tells where a preset loses the best blocks.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "files/file.h"
#include "files/pictures/image_file.h"
#include "image/convert.h"
#include "lost_choices.h"

namespace {

using namespace tessera;
using namespace tessera::astc;

int fail(const std::string& sentence) {
  std::fprintf(stderr, "astc_lost_choices: %s\n", sentence.c_str());
  return 1;
}

void print(const LostChoices& found) {
  const double all = std::max<double>(1, static_cast<double>(found.written_error));
  std::printf("%-14s %8s %24s\n", "lost at", "blocks", "error above the oracle's");
  for (size_t i = 0; i < kLostAtNames.size(); ++i) {
    std::printf("%-14s %8u %22.1f %%\n", std::string(kLostAtNames[i]).c_str(), found.blocks[i],
                100 * static_cast<double>(found.lost[i]) / all);
  }
  const double oracle = std::max<double>(1, static_cast<double>(found.oracle_error));
  std::printf("%.2f dB below the oracle\n", 10 * std::log10(all / oracle));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    return fail("PICTURE BLOCK PRESET [COUNT]");
  }
  const auto bytes = read_file(argv[1]);
  if (!bytes) {
    return fail(bytes.error().message);
  }
  const auto decoded = decode_image(*bytes, argv[1]);
  const auto size = parse_block_size(argv[2]);
  const auto preset = parse_preset(argv[3]);
  if (!decoded || !size || !block_size_index(*size) || size->is_3d() || !preset) {
    return fail("this needs a picture, a 2D block size and a preset");
  }
  const auto samples = convert_samples(decoded->view(), SampleType::kU8);
  const auto picture = convert_channels(samples->view(), 4);
  oracle::Options options;
  options.max_partitions = size->texel_count() <= 20 ? 4 : 3;
  const int count = argc > 4 ? std::atoi(argv[4]) : 100;
  print(find_lost_choices(picture->view(), *size, preset_settings(*preset, *size), options,
                          static_cast<unsigned>(std::max(1, count))));
  return 0;
}
