// tessera.hpp: Tessera for C++20. A header over the C interface (tessera.h), so the library's
// binary interface is C's alone. Values own what they hold; calls that can fail return a Result.
//
//   tessera::Result<tessera::Picture> photo = tessera::read("photo.png");
//   tessera::EncodeOptions options;
//   options.format = "astc";
//   options.block = "6x6";
//   options.container = "ktx2";
//   auto encoder = tessera::Encoder::create(options);
//   auto file = encoder->encode(photo->image());          // tessera::Bytes
//
// An Encoder, a TileEncoder and a Context may be used by any number of threads at once.
#ifndef TESSERA_TESSERA_HPP_
#define TESSERA_TESSERA_HPP_

#include <tessera/basics.hpp>  // errors, images, options by name, and where work runs
#include <tessera/decode.hpp>  // decoding, what a texture holds, mip levels and comparisons
#include <tessera/encode.hpp>  // encoding, tiles
#include <tessera/files.hpp>   // files, lists of files, and the build

#endif  // TESSERA_TESSERA_HPP_
