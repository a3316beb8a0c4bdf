// Reads the pictures of a benchmark from a folder, or makes them by code.
#include "bench_images.h"

#include <algorithm>
#include <filesystem>

#include "files/file.h"
#include "files/pictures/image_file.h"
#include "image/convert.h"
#include "image/synthetic.h"

namespace tessera::bench {
namespace {

namespace fs = std::filesystem;

Result<BenchImage> to_bench_image(std::string name, const ImageView& source) {
  TESSERA_ASSIGN_OR_RETURN(const Image bytes, convert_samples(source, SampleType::kU8));
  TESSERA_ASSIGN_OR_RETURN(Image rgba, convert_channels(bytes.view(), 4));
  return BenchImage{std::move(name), std::move(rgba)};
}

}  // namespace

Result<std::vector<BenchImage>> load_bench_images(const std::string& folder) {
  std::error_code error;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_regular_file(error)) {
      paths.push_back(entry.path());
    }
  }
  if (error) {
    return io_error("cannot read the folder " + folder + ": " + error.message());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<BenchImage> images;
  for (const fs::path& path : paths) {
    TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(path.string()));
    if (!detect_image_file_type(bytes)) {
      continue;
    }
    TESSERA_ASSIGN_OR_RETURN(const Image image, decode_image(bytes, path.string()));
    TESSERA_ASSIGN_OR_RETURN(BenchImage bench_image,
                             to_bench_image(path.filename().string(), image.view()));
    images.push_back(std::move(bench_image));
  }
  if (images.empty()) {
    return invalid_error("there is no picture in the folder " + folder);
  }
  return images;
}

Result<std::vector<BenchImage>> make_bench_images() {
  struct Recipe {
    SyntheticKind kind;
    uint32_t seed;
  };
  constexpr Recipe kRecipes[] = {{SyntheticKind::kPhoto, 1},     {SyntheticKind::kPhoto, 2},
                                 {SyntheticKind::kPhoto, 3},     {SyntheticKind::kInterface, 1},
                                 {SyntheticKind::kNormalMap, 1}, {SyntheticKind::kSprite, 1}};
  std::vector<BenchImage> images;
  for (const Recipe& recipe : kRecipes) {
    TESSERA_ASSIGN_OR_RETURN(const Image image,
                             make_synthetic_image(recipe.kind, 768, 512, recipe.seed));
    TESSERA_ASSIGN_OR_RETURN(BenchImage bench_image,
                             to_bench_image(std::string(synthetic_kind_name(recipe.kind)) + "-" +
                                                std::to_string(recipe.seed),
                                            image.view()));
    images.push_back(std::move(bench_image));
  }
  return images;
}

}  // namespace tessera::bench
