// Lines through texels and bounds of their errors, for the plain search.
#include "oracle_lines.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "astc/format/infill.h"
#include "astc/format/partition.h"

namespace tessera::astc::oracle {
namespace {

using Matrix = std::array<std::array<double, 4>, 4>;

struct Eigen {
  std::array<double, 4> values;
  Matrix vectors;  // in columns
};

// Rotates channels i and k so that the matrix has nothing left between them.
void rotate(Matrix& m, Matrix& vectors, unsigned i, unsigned k) {
  if (std::abs(m[i][k]) < 1e-12) {
    return;
  }
  const double theta = (m[k][k] - m[i][i]) / (2 * m[i][k]);
  const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1);
  const double s = t * c;
  for (unsigned j = 0; j < 4; ++j) {
    const double a = m[j][i], b = m[j][k];
    m[j][i] = c * a - s * b;
    m[j][k] = s * a + c * b;
  }
  for (unsigned j = 0; j < 4; ++j) {
    const double a = m[i][j], b = m[k][j];
    m[i][j] = c * a - s * b;
    m[k][j] = s * a + c * b;
    const double u = vectors[j][i], v = vectors[j][k];
    vectors[j][i] = c * u - s * v;
    vectors[j][k] = s * u + c * v;
  }
}

// Jacobi's method.
Eigen eigen_of(Matrix m) {
  Eigen result{};
  for (unsigned i = 0; i < 4; ++i) {
    result.vectors[i][i] = 1;
  }
  for (unsigned sweep = 0; sweep < 12; ++sweep) {
    double off = 0;
    for (unsigned i = 0; i < 4; ++i) {
      for (unsigned k = i + 1; k < 4; ++k) {
        off += m[i][k] * m[i][k];
        rotate(m, result.vectors, i, k);
      }
    }
    if (off < 1e-12) {
      break;
    }
  }
  for (unsigned i = 0; i < 4; ++i) {
    result.values[i] = m[i][i];
  }
  return result;
}

// Sums of products of the texels' deviations from `origin`, in the channels of one plane.
Matrix moments(std::span<const Color> texels, const Color& origin) {
  Matrix m{};
  for (const Color& texel : texels) {
    for (unsigned i = 0; i < 4; ++i) {
      for (unsigned k = 0; k < 4; ++k) {
        m[i][k] += (texel[i] - origin[i]) * (texel[k] - origin[k]);
      }
    }
  }
  return m;
}

Color mean(std::span<const Color> texels) {
  Color sum{};
  for (const Color& texel : texels) {
    for (unsigned i = 0; i < 4; ++i) {
      sum[i] += texel[i];
    }
  }
  for (double& channel : sum) {
    channel /= static_cast<double>(texels.size());
  }
  return sum;
}

// Texels of a partition; channels of other planes are 0.
std::vector<Color> collect(std::span<const Rgba> texels, const Division& division,
                           unsigned partition, unsigned plane) {
  std::vector<Color> result;
  for (size_t t = 0; t < texels.size(); ++t) {
    if (division.partition_of[t] != partition) {
      continue;
    }
    Color& color = result.emplace_back();
    for (unsigned i = 0; i < 4; ++i) {
      color[i] = division.plane_of(i) == plane ? texels[t][i] : 0;
    }
  }
  return result;
}

double residual_of(std::span<const Color> texels) {
  const Eigen eigen = eigen_of(moments(texels, mean(texels)));
  double sum = 0, most = 0;
  for (const double value : eigen.values) {
    sum += value;
    most = std::max(most, value);
  }
  return std::max(sum - most, 0.0);
}

// The rows of the infill matrix that belong to a partition, made orthonormal column by column.
std::vector<std::vector<double>> grid_basis(const Division& division, BlockSize size, GridSize grid,
                                            unsigned partition) {
  const auto taps = infill_table(size).taps(grid);
  std::vector<std::vector<double>> columns(grid.count());
  for (size_t t = 0; t < taps.size(); ++t) {
    if (division.partition_of[t] != partition) {
      continue;
    }
    for (auto& column : columns) {
      column.push_back(0);
    }
    for (unsigned i = 0; i < 4; ++i) {
      columns[taps[t].grid[i]].back() += taps[t].factor[i] / 16.0;
    }
  }
  std::vector<std::vector<double>> basis;
  for (auto& column : columns) {
    for (const auto& other : basis) {
      double product = 0;
      for (size_t j = 0; j < column.size(); ++j) {
        product += other[j] * column[j];
      }
      for (size_t j = 0; j < column.size(); ++j) {
        column[j] -= product * other[j];
      }
    }
    double square = 0;
    for (const double v : column) {
      square += v * v;
    }
    if (square < 1e-9) {
      continue;
    }
    for (double& v : column) {
      v /= std::sqrt(square);
    }
    basis.push_back(column);
  }
  return basis;
}

// What of the texels the basis cannot say; they become what it can.
double project(const std::vector<std::vector<double>>& basis, std::vector<Color>& texels) {
  double lost = 0;
  for (unsigned i = 0; i < 4; ++i) {
    std::vector<double> kept(texels.size());
    for (const auto& vector : basis) {
      double product = 0;
      for (size_t j = 0; j < texels.size(); ++j) {
        product += vector[j] * texels[j][i];
      }
      for (size_t j = 0; j < texels.size(); ++j) {
        kept[j] += product * vector[j];
      }
    }
    for (size_t j = 0; j < texels.size(); ++j) {
      const double difference = texels[j][i] - kept[j];
      lost += difference * difference;
      texels[j][i] = kept[j];
    }
  }
  return lost;
}

Segment segment_of(const Color& center, const Color& axis, double from, double to) {
  Segment segment;
  for (unsigned i = 0; i < 4; ++i) {
    segment.low[i] = center[i] + from * axis[i];
    segment.high[i] = center[i] + to * axis[i];
  }
  return segment;
}

}  // namespace

Division divide(BlockSize size, unsigned partitions, unsigned seed, unsigned plane2) {
  Division division{partitions, static_cast<uint16_t>(seed), plane2, {}};
  division.partition_of.assign(size.texel_count(), 0);
  if (partitions > 1) {
    const auto pattern = partition_table(size, partitions).pattern(seed);
    division.partition_of.assign(pattern.begin(), pattern.end());
  }
  return division;
}

Line fit_line(std::span<const Rgba> texels, const Division& division, unsigned partition,
              unsigned plane, bool through_black) {
  std::vector<Color> own = collect(texels, division, partition, plane);
  if (through_black) {
    std::for_each(own.begin(), own.end(), [](Color& color) { color[3] = 0; });
  }
  const Color center = through_black ? Color{} : mean(own);
  const Eigen eigen = eigen_of(moments(own, center));
  const auto best = static_cast<unsigned>(
      std::max_element(eigen.values.begin(), eigen.values.end()) - eigen.values.begin());
  Color axis{};
  for (unsigned i = 0; i < 4; ++i) {
    axis[i] = division.plane_of(i) == plane ? eigen.vectors[i][best] : 0;
  }
  const double rise = axis[0] + axis[1] + axis[2];
  if (rise < 0 || (rise == 0 && axis[3] < 0)) {
    std::for_each(axis.begin(), axis.end(), [](double& v) { v = -v; });
  }
  double least = std::numeric_limits<double>::max(), most = std::numeric_limits<double>::lowest();
  double sum = 0, square = 0;
  for (const Color& texel : own) {
    double place = 0;
    for (unsigned i = 0; i < 4; ++i) {
      place += (texel[i] - center[i]) * axis[i];
    }
    least = std::min(least, place);
    most = std::max(most, place);
    sum += place;
    square += place * place;
  }
  const double middle = sum / static_cast<double>(own.size());
  const double deviation =
      std::sqrt(std::max(square / static_cast<double>(own.size()) - middle * middle, 0.0));
  return {segment_of(center, axis, least, most),
          segment_of(center, axis, middle - deviation, middle + deviation)};
}

double division_residual(std::span<const Rgba> texels, const Division& division) {
  double sum = 0;  // a plane of one channel is its own line
  for (unsigned partition = 0; partition < division.partitions; ++partition) {
    sum += residual_of(collect(texels, division, partition, 0));
  }
  return sum;
}

double grid_residual(std::span<const Rgba> texels, const Division& division, BlockSize size,
                     GridSize grid) {
  double sum = 0;
  for (unsigned partition = 0; partition < division.partitions; ++partition) {
    const auto basis = grid_basis(division, size, grid, partition);
    for (unsigned plane = 0; plane < division.planes(); ++plane) {
      std::vector<Color> own = collect(texels, division, partition, plane);
      sum += project(basis, own);
      sum += residual_of(own);
    }
  }
  return sum;
}

double error_bound(double residual, size_t samples) {
  const double root = std::sqrt(residual) - kRoundingGain * std::sqrt(static_cast<double>(samples));
  return root > 0 ? root * root : 0;
}

}  // namespace tessera::astc::oracle
