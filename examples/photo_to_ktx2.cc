// A photo to a KTX2 file with ASTC blocks: photo_to_ktx2 photo.png photo.ktx2
#include <cstdio>
#include <tessera/tessera.hpp>

tessera::Status convert(const char* photo, const char* ktx2) {
  const auto context = tessera::Context::create();  // all cores
  if (!context) return context.error();
  const auto encoder = tessera::Encoder::create(
      {.format = "astc", .block = "6x6", .container = "ktx2", .mips = true});
  if (!encoder) return encoder.error();
  const auto picture = tessera::read(photo);
  if (!picture) return picture.error();
  const auto file = encoder->encode(picture->image(), &*context);
  if (!file) return file.error();
  return tessera::write_bytes(ktx2, file->span());
}

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: %s PHOTO KTX2\n", argv[0]), 1;
  const tessera::Status done = convert(argv[1], argv[2]);
  if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
  return done ? 0 : 1;
}
