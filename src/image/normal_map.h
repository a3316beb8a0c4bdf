// Normal maps stored in two channels: x in red, y in alpha (0…1 standing for −1…1), z positive and
// of what is left of a length of 1.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "image/image.h"

namespace tessera {

struct AngularError {
  double mean_degrees = 0;
  double max_degrees = 0;
};

// Adds up angles between vectors, by their cosines.
class AngleSum {
 public:
  void add(double cosine);
  AngularError error() const;

 private:
  double sum_ = 0;
  double max_ = 0;
  uint64_t count_ = 0;
};

// The z of a normal of length 1; 0 where x and y have left the unit circle.
double normal_z(double x, double y);

// Angles between the normals of two maps of four 8-bit channels and the same size.
Result<AngularError> angular_error(const ImageView& reference, const ImageView& test);

// A map of four channels, x in red and y in alpha, as x, y and z in red, green and blue, with the
// same samples.
Result<Image> rebuild_normals(const ImageView& map);

}  // namespace tessera
