// Filters rows first, then columns: sums of weighted rows of light, which are made of the source's
// rows once and kept while they are needed.
#include "image/mip_window.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tessera {
namespace {

template <typename Samples, uint32_t kChannels>
class WindowFilter : MipSums<Samples, kChannels> {
 public:
  using Sample = typename Samples::Sample;
  using Storage = typename Sample::Storage;
  using Real = typename Samples::Real;

  WindowFilter(const Samples& samples, const ImageView& source, const MutableImageView& target,
               MipFilter filter, MipEdge edge)
      : samples_(samples),
        source_(source),
        target_(target),
        columns_(make_side_taps(source.info.width, target.info.width, filter, edge)),
        rows_(make_side_taps(source.info.height, target.info.height, filter, edge)),
        column_weights_(columns_.weights.begin(), columns_.weights.end()),
        sums_(size_t{source.info.width} * kSums),
        light_(rows_.count) {}

  void run() {
    find_least_color();
    for (uint32_t slice = 0; slice < target_.info.slices(); ++slice) {
      for (LightRow& row : light_) {
        row.is_made = false;
      }
      for (uint32_t y = 0; y < target_.info.height; ++y) {
        sum_rows(y, slice);
        write_row(y, slice);
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
  // Texels that show less than half a step of eight bits are transparent: what colour they would
  // have is a quotient of rounding errors.
  static constexpr Real kLeastWeight =
      (Sample::kIsInteger ? static_cast<Real>(Sample::kOne) : Real{1}) / Real{512};

  // A row of the source as numbers that may be averaged.
  struct LightRow {
    bool is_made = false;
    uint32_t y = 0;
    uint32_t last_use = 0;  // of a row of the target
    std::vector<Real> values;
  };

  // Filters of floats go below zero next to bright texels; colours that have no negative values get
  // none.
  void find_least_color() {
    if constexpr (!Sample::kIsInteger) {
      for (uint32_t slice = 0; slice < source_.info.slices(); ++slice) {
        for (uint32_t y = 0; y < source_.info.height; ++y) {
          const Storage* texel = source_.row<Storage>(y, slice);
          for (uint32_t x = 0; x < source_.info.width; ++x, texel += kChannels) {
            for (uint32_t c = 0; c < kColors; ++c) {
              is_positive_ = is_positive_ && !(Sample::to_double(texel[c]) < 0.0);
            }
          }
        }
      }
    }
  }

  const Real* light_of(uint32_t y, uint32_t slice, uint32_t user) {
    LightRow* oldest = &light_.front();
    for (LightRow& row : light_) {
      if (row.is_made && row.y == y) {
        row.last_use = user;
        return row.values.data();
      }
      const bool is_older = !row.is_made || row.last_use < oldest->last_use;
      oldest = oldest->is_made && is_older ? &row : oldest;
    }
    oldest->is_made = true;
    oldest->y = y;
    oldest->last_use = user;
    make_light(source_.row<Storage>(y, slice), oldest->values);
    return oldest->values.data();
  }

  void make_light(const Storage* texel, std::vector<Real>& values) const {
    values.resize(size_t{source_.info.width} * kSums);
    Real* value = values.data();
    for (uint32_t x = 0; x < source_.info.width; ++x, texel += kChannels, value += kSums) {
      Real weight = 1;
      if constexpr (kHasAlpha) {
        const Real alpha = samples_.read_alpha(texel[kColors]);
        weight = samples_.weight(alpha);
        value[kWeightSum] = weight;
        if constexpr (kSumsAlpha) {
          value[kAlphaSum] = alpha;
        }
      }
      for (uint32_t c = 0; c < kColors; ++c) {
        // A float texel that does not count must not spoil the sum with 0·infinity.
        value[c] = kSumsAlpha && !(weight > 0) ? 0 : weight * samples_.read_color(texel[c]);
      }
    }
  }

  void sum_rows(uint32_t y, uint32_t slice) {
    std::array<const Real*, kMostTaps> lights = {};
    for (uint32_t tap = 0; tap < rows_.count; ++tap) {
      lights[tap] = light_of(rows_.texels[size_t{y} * rows_.count + tap], slice, y + 1);
    }
    constexpr size_t kChunk = 512;  // numbers whose sums stay in the nearest cache
    for (size_t begin = 0; begin < sums_.size(); begin += kChunk) {
      const size_t end = std::min(begin + kChunk, sums_.size());
      std::fill(sums_.begin() + static_cast<ptrdiff_t>(begin),
                sums_.begin() + static_cast<ptrdiff_t>(end), Real{0});
      for (uint32_t tap = 0; tap < rows_.count; ++tap) {
        const auto weight = static_cast<Real>(rows_.weights[size_t{y} * rows_.count + tap]);
        const Real* light = lights[tap];
        Real* sums = sums_.data();
        for (size_t i = begin; i < end; ++i) {
          sums[i] += weight * light[i];
        }
      }
    }
  }

  void write_row(uint32_t y, uint32_t slice) {
    Storage* texel = target_.row<Storage>(y, slice);
    for (uint32_t x = 0; x < target_.info.width; ++x, texel += kChannels) {
      const size_t first = size_t{x} * columns_.count;
      std::array<Real, kSums> sums = {};
      for (uint32_t tap = 0; tap < columns_.count; ++tap) {
        const Real weight = column_weights_[first + tap];
        const Real* column = sums_.data() + size_t{columns_.texels[first + tap]} * kSums;
        for (uint32_t i = 0; i < kSums; ++i) {
          sums[i] += weight * column[i];
        }
      }
      write_texel(sums, x, y, slice, texel);
    }
  }

  void write_texel(const std::array<Real, kSums>& sums, uint32_t x, uint32_t y, uint32_t slice,
                   Storage* texel) const {
    if constexpr (kHasAlpha) {
      texel[kColors] = samples_.write_alpha(in_range(sums[kAlphaSum]));
      if (!(sums[kWeightSum] >= kLeastWeight)) {
        return write_plain_colors(x, y, slice, texel);
      }
    }
    for (uint32_t c = 0; c < kColors; ++c) {
      texel[c] = write_color(kHasAlpha ? sums[c] / sums[kWeightSum] : sums[c]);
    }
  }

  // Integers cannot hold more than their range, whatever a filter makes.
  static Real in_range(Real value) {
    if constexpr (Sample::kIsInteger) {
      return std::clamp(value, Real{0}, static_cast<Real>(Sample::kOne));
    } else {
      return value;
    }
  }

  Storage write_color(Real value) const {
    if constexpr (!Sample::kIsInteger) {
      value = is_positive_ && value < 0 ? 0 : value;
    }
    return samples_.write_color(in_range(value));
  }

  // Where all is transparent: the mean of the texels below, as they are.
  void write_plain_colors(uint32_t x, uint32_t y, uint32_t slice, Storage* texel) const {
    const ImageInfo& info = source_.info;
    const uint32_t right = std::min(2 * x + 1, info.width - 1);
    const uint32_t below = std::min(2 * y + 1, info.height - 1);
    for (uint32_t c = 0; c < kColors; ++c) {
      Real sum = 0;
      for (const uint32_t row : {std::min(2 * y, below), below}) {
        for (const uint32_t column : {std::min(2 * x, right), right}) {
          sum +=
              samples_.read_color(source_.row<Storage>(row, slice)[size_t{column} * kChannels + c]);
        }
      }
      texel[c] = write_color(sum / 4);
    }
  }

  static constexpr size_t kMostTaps = 18;  // of a side of 3 texels, which becomes one of 1

  const Samples& samples_;
  ImageView source_;
  MutableImageView target_;
  SideTaps columns_;
  SideTaps rows_;
  std::vector<Real> column_weights_;
  std::vector<Real> sums_;  // of the rows, for each column of the source
  std::vector<LightRow> light_;
  bool is_positive_ = true;
};

}  // namespace

void filter_level(const ImageView& source, const MutableImageView& target, MipFilter filter,
                  MipEdge edge) {
  with_mip_samples(source.info, [&](const auto& samples) {
    with_channel_count(source.info.channels, [&](auto channels) {
      using Samples = std::decay_t<decltype(samples)>;
      WindowFilter<Samples, channels.kValue>(samples, source, target, filter, edge).run();
    });
  });
}

template <uint32_t kChannels>
void filter_float_level(const ImageView& source, const MutableImageView& target, MipFilter filter,
                        MipEdge edge) {
  using Samples = LinearFloatMipSamples<F32Sample>;
  WindowFilter<Samples, kChannels>(Samples{}, source, target, filter, edge).run();
}
template void filter_float_level<1>(const ImageView&, const MutableImageView&, MipFilter, MipEdge);
template void filter_float_level<3>(const ImageView&, const MutableImageView&, MipFilter, MipEdge);

void filter_rgba8_level(const ImageView& source, const MutableImageView& target, MipFilter filter,
                        MipEdge edge) {
  if (source.info.color_space == ColorSpace::kSrgb) {
    WindowFilter<SrgbU8MipSamples, 4>({}, source, target, filter, edge).run();
  } else {
    WindowFilter<LinearU8MipSamples, 4>({}, source, target, filter, edge).run();
  }
}

}  // namespace tessera
