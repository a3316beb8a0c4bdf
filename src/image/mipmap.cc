// Makes the next mip level by averaging boxes in linear light.
#include "image/mipmap.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "image/mip_coverage.h"
#include "image/mip_normals.h"
#include "image/mip_premultiplied.h"
#include "image/mip_samples.h"
#include "image/mip_window.h"

namespace tessera {
namespace {

// The source texels under one texel of the next level, along one side: `count` of them from `first`
// on, with weights that add up to 1. An even side gives two halves. An odd side of 2n + 1 texels
// gives boxes of 2 + 1/n texels; box j starts j/n into texel 2j and ends (j + 1)/n into texel
// 2j + 2, so it always meets three texels.
struct Box {
  uint32_t first = 0;
  uint32_t count = 1;
  std::array<double, 3> weights = {1.0, 0.0, 0.0};
};

uint32_t box_count(uint32_t extent) {
  return extent == 1 ? 1 : 2 + (extent & 1u);
}

Box box_at(uint32_t extent, uint32_t index) {
  if (extent == 1) {
    return {};
  }
  if (extent % 2 == 0) {
    return {2 * index, 2, {0.5, 0.5, 0.0}};
  }
  const uint32_t boxes = extent / 2;
  const double n = boxes;
  const double total = extent;
  return {2 * index, 3, {(n - index) / total, n / total, (index + 1.0) / total}};
}

// Makes the next level row by row: adds the weighted source rows into `sums_`, one set of sums a
// source column, then adds columns and writes the row.
template <typename Samples, uint32_t kChannels>
class LevelFilter : MipSums<Samples, kChannels> {
 public:
  using Storage = typename Samples::Sample::Storage;
  using Real = typename Samples::Real;

  LevelFilter(const Samples& samples, const ImageView& source, const MutableImageView& target)
      : samples_(samples), source_(source), target_(target), sums_(source.info.width * kSums) {
    for (uint32_t x = 0; x < target.info.width; ++x) {
      const Box box = box_at(source.info.width, x);
      column_weights_.push_back({static_cast<Real>(box.weights[0]),
                                 static_cast<Real>(box.weights[1]),
                                 static_cast<Real>(box.weights[2])});
    }
  }

  void run() {
    const ImageInfo& info = target_.info;
    for (uint32_t layer = 0; layer < info.layers; ++layer) {
      for (uint32_t z = 0; z < info.depth; ++z) {
        for (uint32_t y = 0; y < info.height; ++y) {
          gather_rows(layer, z, y);
          add_rows();
          write_row(target_.row<Storage>(y, layer * info.depth + z));
        }
      }
    }
  }

 private:
  using Sums = MipSums<Samples, kChannels>;
  using Sums::kAlphaSum;
  using Sums::kColors;
  using Sums::kHasAlpha;
  using Sums::kSums;
  using Sums::kSumsAlpha;
  using Sums::kWeightSum;

  struct WeightedRow {
    const Storage* texels;
    Real weight;
  };

  void gather_rows(uint32_t layer, uint32_t z, uint32_t y) {
    const ImageInfo& info = source_.info;
    const Box slices = box_at(info.depth, z);
    const Box rows = box_at(info.height, y);
    row_count_ = 0;
    for (uint32_t i = 0; i < slices.count; ++i) {
      const uint32_t slice = layer * info.depth + slices.first + i;
      for (uint32_t j = 0; j < rows.count; ++j) {
        rows_[row_count_++] = {source_.row<Storage>(rows.first + j, slice),
                               static_cast<Real>(slices.weights[i] * rows.weights[j])};
      }
    }
  }

  void add_rows() {
    add_row<true>(rows_[0]);
    for (size_t i = 1; i < row_count_; ++i) {
      add_row<false>(rows_[i]);
    }
  }

  template <bool kFirst>
  static void add(Real& sum, Real value) {
    sum = kFirst ? value : sum + value;
  }

  template <bool kFirst>
  void add_row(const WeightedRow& row) {
    const Storage* texel = row.texels;
    Real* sums = sums_.data();
    for (size_t x = 0; x < source_.info.width; ++x, texel += kChannels, sums += kSums) {
      Real weight = row.weight;
      if constexpr (kHasAlpha) {
        const Real alpha = samples_.read_alpha(texel[kColors]);
        weight *= samples_.weight(alpha);
        if constexpr (kSumsAlpha) {
          add<kFirst>(sums[kAlphaSum], row.weight * alpha);
        }
        add<kFirst>(sums[kWeightSum], weight);
      }
      for (uint32_t c = 0; c < kColors; ++c) {
        add<kFirst>(sums[c], weighted(weight, samples_.read_color(texel[c])));
      }
    }
  }

  // A float texel that does not count must not spoil the sum with 0·infinity.
  static Real weighted(Real weight, Real color) {
    if constexpr (kSumsAlpha) {
      return weight > 0 ? weight * color : 0;
    } else {
      return weight * color;
    }
  }

  void write_row(Storage* target) const {
    switch (box_count(source_.info.width)) {
      case 1:
        return write_columns<1>(target);
      case 2:
        return write_columns<2>(target);
      default:
        return write_columns<3>(target);
    }
  }

  template <uint32_t kCount>
  void write_columns(Storage* target) const {
    for (uint32_t x = 0; x < target_.info.width; ++x, target += kChannels) {
      const Real* column = sums_.data() + size_t{2} * x * kSums;
      const std::array<Real, 3>& weights = column_weights_[x];
      std::array<Real, kSums> sums;
      for (uint32_t i = 0; i < kSums; ++i) {
        Real sum = weights[0] * column[i];
        for (uint32_t j = 1; j < kCount; ++j) {
          sum += weights[j] * column[j * kSums + i];
        }
        sums[i] = sum;
      }
      write_texel(sums, x, target);
    }
  }

  void write_texel(const std::array<Real, kSums>& sums, uint32_t x, Storage* target) const {
    if constexpr (kHasAlpha) {
      target[kColors] = samples_.write_alpha(sums[kAlphaSum]);
      if (!(sums[kWeightSum] > 0)) {
        return write_plain_colors(x, target);
      }
    }
    for (uint32_t c = 0; c < kColors; ++c) {
      const Real color = kHasAlpha ? sums[c] / sums[kWeightSum] : sums[c];
      target[c] = samples_.write_color(color);
    }
  }

  // All of the box is transparent.
  void write_plain_colors(uint32_t x, Storage* target) const {
    const uint32_t count = box_count(source_.info.width);
    for (uint32_t c = 0; c < kColors; ++c) {
      Real sum = 0;
      for (size_t i = 0; i < row_count_; ++i) {
        const Storage* texel = rows_[i].texels + size_t{2} * x * kChannels + c;
        for (uint32_t j = 0; j < count; ++j) {
          sum +=
              rows_[i].weight * column_weights_[x][j] * samples_.read_color(texel[j * kChannels]);
        }
      }
      target[c] = samples_.write_color(sum);
    }
  }

  const Samples& samples_;
  ImageView source_;
  MutableImageView target_;
  std::vector<Real> sums_;
  std::vector<std::array<Real, 3>> column_weights_;
  std::array<WeightedRow, 9> rows_ = {};
  size_t row_count_ = 0;
};

// An image of half the size, which `fill` fills.
template <class Fill>
Result<Image> next_level(const ImageView& source, const Fill& fill) {
  ImageInfo info = source.info;
  info.width = info.width == 0 ? 0 : mip_extent(info.width, 1);
  info.height = info.height == 0 ? 0 : mip_extent(info.height, 1);
  info.depth = info.depth == 0 ? 0 : mip_extent(info.depth, 1);
  TESSERA_ASSIGN_OR_RETURN(Image level, Image::create(info));
  try {
    fill(level.mutable_view());
  } catch (const std::bad_alloc&) {
    return failed_error("not enough memory to make a mip level");
  }
  return level;
}

Status check_filter(const ImageInfo& info, MipFilter filter) {
  return filter == MipFilter::kBox || info.depth == 1
             ? Status()
             : unsupported_error("mip levels of volumes are made by the box filter alone");
}

// Of linear floats.
template <uint32_t kChannels>
Result<Image> next_float_level(const Image& source, const MipSettings& settings) {
  return next_level(source.view(), [&](const MutableImageView& level) {
    if (settings.filter != MipFilter::kBox) {
      return filter_float_level<kChannels>(source.view(), level, settings.filter, settings.edge);
    }
    const LinearFloatMipSamples<F32Sample> samples;
    LevelFilter<LinearFloatMipSamples<F32Sample>, kChannels>(samples, source.view(), level).run();
  });
}

// Normals are filtered as floats from level to level, so that they are rounded once.
Result<std::vector<Image>> make_normal_levels(const ImageView& base, uint32_t count,
                                              const MipSettings& settings) {
  TESSERA_RETURN_IF_ERROR(check_filter(base.info, settings.filter));
  TESSERA_ASSIGN_OR_RETURN(NormalImage normals, read_normals(base, settings.normals));
  std::vector<Image> levels;
  for (uint32_t level = 1; level < count; ++level) {
    TESSERA_ASSIGN_OR_RETURN(normals.vectors, next_float_level<3>(normals.vectors, settings));
    normalize(normals.vectors);
    if (!normals.alpha.empty()) {
      TESSERA_ASSIGN_OR_RETURN(normals.alpha, next_float_level<1>(normals.alpha, settings));
    }
    TESSERA_ASSIGN_OR_RETURN(Image stored, write_normals(normals, base.info, settings.normals));
    levels.push_back(std::move(stored));
  }
  return levels;
}

template <class NextLevel>
Result<std::vector<Image>> make_levels(const ImageView& base, uint32_t max_levels,
                                       const MipSettings& settings, const NextLevel& next_of) {
  const uint32_t count =
      std::min(max_levels, mip_level_count(base.info.width, base.info.height, base.info.depth));
  if (settings.normals != NormalChannels::kNone) {
    return make_normal_levels(base, count, settings);
  }
  std::vector<Image> levels;
  for (uint32_t level = 1; level < count; ++level) {
    TESSERA_ASSIGN_OR_RETURN(Image next, next_of(levels.empty() ? base : levels.back().view(),
                                                 settings.filter, settings.edge));
    levels.push_back(std::move(next));
  }
  if (settings.coverage && base.info.has_alpha()) {  // after the last one: none is made of these
    const double covered = covered_part(base, *settings.coverage);
    for (Image& level : levels) {
      keep_coverage(level, *settings.coverage, covered);
    }
  }
  return levels;
}

}  // namespace

Result<Image> next_mip_level(const ImageView& source, MipFilter filter, MipEdge edge) {
  TESSERA_RETURN_IF_ERROR(check_filter(source.info, filter));
  return next_level(source, [&](const MutableImageView& level) {
    if (filter != MipFilter::kBox) {
      return filter_level(source, level, filter, edge);
    }
    with_mip_samples(source.info, [&](const auto& samples) {
      with_channel_count(source.info.channels, [&](auto channels) {
        using Samples = std::decay_t<decltype(samples)>;
        LevelFilter<Samples, channels.kValue>(samples, source, level).run();
      });
    });
  });
}

Result<Image> next_rgba8_mip_level(const ImageView& source, MipFilter filter, MipEdge edge) {
  TESSERA_RETURN_IF_ERROR(check_filter(source.info, filter));
  return next_level(source, [&](const MutableImageView& level) {
    if (filter != MipFilter::kBox) {
      filter_rgba8_level(source, level, filter, edge);
    } else if (source.info.color_space == ColorSpace::kSrgb) {
      LevelFilter<SrgbU8MipSamples, 4>({}, source, level).run();
    } else {
      LevelFilter<LinearU8MipSamples, 4>({}, source, level).run();
    }
  });
}

Result<std::vector<Image>> make_mip_levels(const ImageView& base, uint32_t max_levels,
                                           const MipSettings& settings) {
  if (settings.premultiplied && base.info.has_alpha()) {
    return make_premultiplied_levels(base, max_levels, settings);
  }
  return make_levels(base, max_levels, settings, next_mip_level);
}

Result<std::vector<Image>> make_rgba8_mip_levels(const ImageView& base, uint32_t max_levels,
                                                 const MipSettings& settings) {
  return make_levels(base, max_levels, settings, next_rgba8_mip_level);
}

}  // namespace tessera
