// What astcenc prints, in its words and columns, so that scripts that read it go on.
#pragma once

#include <string>

#include "arguments.h"
#include "pixels.h"

namespace tessera::astcenc {

struct Times {
  double total = 0;     // seconds
  double coding = 0;    // of one encoding; 0: none
  double decoding = 0;  // 0: none
  size_t texels = 0;
};

void print_help();
void print_version();
void print_source(const Arguments& arguments, const Pixels& pixels, uint32_t channels);
void print_settings(const Arguments& arguments, uint32_t threads);
void print_quality(const Arguments& arguments, const ErrorSums& sums, bool is_float);
void print_times(const Times& times);

}  // namespace tessera::astcenc
