/* A photo to a KTX2 file with ASTC blocks: photo_to_ktx2 photo.png photo.ktx2 */
#include <stdio.h>
#include <tessera/tessera.h>

int main(int argc, char** argv) {
  if (argc != 3) return fprintf(stderr, "usage: %s PHOTO KTX2\n", argv[0]), 1;
  tessera_error error;
  tessera_context* context = NULL;
  tessera_encoder* encoder = NULL;
  tessera_picture* photo = NULL;
  tessera_buffer* file = NULL;
  tessera_image image = TESSERA_IMAGE_INIT;
  tessera_encode_options options = TESSERA_ENCODE_OPTIONS_INIT;
  options.format = "astc", options.block = "6x6", options.container = "ktx2", options.mips = 1;
  int ok = tessera_context_create(NULL, &context, &error) == TESSERA_OK &&
           tessera_encoder_create(&options, &encoder, &error) == TESSERA_OK &&
           tessera_read(context, argv[1], NULL, NULL, &photo, NULL, &error) == TESSERA_OK &&
           tessera_picture_image(photo, &image, &error) == TESSERA_OK &&
           tessera_encode(encoder, context, &image, NULL, &file, NULL, &error) == TESSERA_OK &&
           tessera_write_bytes(argv[2], tessera_buffer_data(file), tessera_buffer_size(file),
                               &error) == TESSERA_OK;
  if (!ok) fprintf(stderr, "%s\n", error.message);
  tessera_buffer_destroy(file), tessera_picture_destroy(photo);
  tessera_encoder_destroy(encoder), tessera_context_destroy(context);
  return ok ? 0 : 1;
}
