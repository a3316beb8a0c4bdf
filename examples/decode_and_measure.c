/* How far a texture is from the photo that it was made of: decode_and_measure photo.png photo.dds
 */
#include <stdio.h>
#include <tessera/tessera.h>

/* Reads a picture or a texture; the image is a view of the picture. */
static int read_image(const char* path, tessera_picture** picture, tessera_image* image) {
  tessera_error error;
  if (tessera_read(NULL, path, NULL, NULL, picture, NULL, &error) == TESSERA_OK &&
      tessera_picture_image(*picture, image, &error) == TESSERA_OK) {
    return 1;
  }
  fprintf(stderr, "%s\n", error.message);
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s PHOTO TEXTURE\n", argv[0]);
    return 1;
  }
  tessera_picture* photo = NULL;
  tessera_picture* texture = NULL;
  tessera_image reference = TESSERA_IMAGE_INIT;
  tessera_image test = TESSERA_IMAGE_INIT;
  tessera_metrics metrics = {.struct_size = sizeof metrics};
  tessera_error error;
  int exit_code = 1;
  if (read_image(argv[1], &photo, &reference) && read_image(argv[2], &texture, &test)) {
    if (tessera_compare(&reference, &test, 4, 4, &metrics, &error) == TESSERA_OK) {
      printf("PSNR of RGB %.2f dB, SSIM %.4f, worst block at %u,%u\n", metrics.psnr_rgb,
             metrics.ssim, metrics.worst_block_x, metrics.worst_block_y);
      exit_code = 0;
    } else {
      fprintf(stderr, "%s\n", error.message);
    }
  }
  tessera_picture_destroy(texture);
  tessera_picture_destroy(photo);
  return exit_code;
}
