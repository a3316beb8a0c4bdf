/* A part of tessera.h, which has the rules for every call: decoding, what a texture holds, mip
 * levels and comparisons. */
#ifndef TESSERA_DECODE_H_
#define TESSERA_DECODE_H_

#include <tessera/encode.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Decoding ------------------------------------------------------------------------------- */

typedef struct tessera_decode_options {
  size_t struct_size;
  const char* profile;   /* "ldr", "srgb", "hdr"; NULL: as the file says, or "ldr" */
  tessera_sample sample; /* of a texture's pixels; pictures keep the samples of their files */
  uint32_t
      level; /* mip level; 0 is the largest; of tessera_decode_files, all: TESSERA_EVERY_LEVEL */
  const tessera_option* options;
  size_t option_count;
  /* Not 0: textures are normal maps with x in red and y in alpha, and become pictures of x, y and z
   * in red, green and blue. Not of tessera_decode_blocks. */
  int32_t normal_map;
  int32_t yflip; /* not 0: pictures of textures are turned upside down; not of raw blocks */
} tessera_decode_options;

#define TESSERA_DECODE_OPTIONS_INIT \
  { sizeof(tessera_decode_options), 0, TESSERA_SAMPLE_U8, 0, 0, 0, 0, 0 }

/* What a file is. */
typedef struct tessera_file_info {
  size_t struct_size;
  char kind[16];   /* "picture", "texture" or "fractal" */
  char type[16];   /* "png", "ktx2", ... */
  char format[16]; /* of textures and fractal images, else "" */
  uint32_t block_width;
  uint32_t block_height;
  uint32_t block_depth;
  int32_t srgb;
  int32_t hdr;
  uint32_t width;
  uint32_t height;
  uint32_t depth;
  uint32_t layers;
  uint32_t levels;
  uint32_t channels; /* of pictures and fractal images */
  tessera_sample sample;
  uint32_t faces; /* 6: each six of the layers are the faces of a cube map; else 1 */
  uint64_t file_bytes;
  int32_t upside_down; /* the file says that the texture's first row is the lowest */
} tessera_file_info;

/* A texture, fractal image or picture file in memory as pixels. `options`, `context`, `control` and
 * `info` may be NULL. `name` is used in messages; NULL: "the data". */
TESSERA_API tessera_status tessera_decode(tessera_context* context, const void* data, size_t size,
                                          const char* name, const tessera_decode_options* options,
                                          const tessera_control* control, tessera_picture** picture,
                                          tessera_file_info* info, tessera_error* error);

/* Raw blocks of `format` ("astc", "bc1") into the caller's pixels of `image->channels` channels and
 * `image->sample` samples; `pixels` has the image's extents and strides (image->pixels is ignored).
 */
TESSERA_API tessera_status tessera_decode_blocks(tessera_context* context, const char* format,
                                                 const char* block, const void* blocks, size_t size,
                                                 const tessera_decode_options* options,
                                                 const tessera_control* control,
                                                 const tessera_image* image, void* pixels,
                                                 tessera_error* error);

/* What a file in memory is, as its header says. */
TESSERA_API tessera_status tessera_inspect(const void* data, size_t size, const char* name,
                                           tessera_file_info* info, tessera_error* error);
/* The same; limits and a stop may come with `control`, which may be NULL. */
TESSERA_API tessera_status tessera_inspect_limited(const void* data, size_t size, const char* name,
                                                   const tessera_control* control,
                                                   tessera_file_info* info, tessera_error* error);

/* All that is known about a file in memory as a JSON text. `statistics`: not 0 adds what its blocks
 * are made of. `block` explains one block, such as "12,7" (in blocks); NULL: none. */
TESSERA_API tessera_status tessera_describe(const void* data, size_t size, const char* name,
                                            int statistics, const char* block,
                                            tessera_buffer** json, tessera_error* error);
TESSERA_API tessera_status tessera_describe_limited(const void* data, size_t size, const char* name,
                                                    int statistics, const char* block,
                                                    const tessera_control* control,
                                                    tessera_buffer** json, tessera_error* error);

/* Which kind each block of a texture's largest level is, for maps: `kinds` has a byte for each
 * block, row by row, and `legend` is a JSON text with `across` and `down` (blocks; of an array or a
 * volume, slice below slice), `block_width`, `block_height`, and `kinds`, an array of objects with
 * `name`, `color` ("#rrggbb") and `count`. TESSERA_ERROR_UNSUPPORTED for fractal images. */
TESSERA_API tessera_status tessera_map_blocks(const void* data, size_t size, const char* name,
                                              tessera_buffer** kinds, tessera_buffer** legend,
                                              tessera_error* error);
TESSERA_API tessera_status tessera_map_blocks_limited(
    const void* data, size_t size, const char* name, const tessera_control* control,
    tessera_buffer** kinds, tessera_buffer** legend, tessera_error* error);

/* The leaves of a fractal image in memory as a JSON text: an array of objects with `plane` (0:
 * luma), `x`, `y`, `side` (pixels), `kind` ("flat", "fractal" or "dct") and, of fractal ones,
 * `domain_x`, `domain_y`, `domain_side`, `isometry` and `scale`. */
TESSERA_API tessera_status tessera_list_leaves(const void* data, size_t size, const char* name,
                                               tessera_buffer** json, tessera_error* error);
TESSERA_API tessera_status tessera_list_leaves_limited(const void* data, size_t size,
                                                       const char* name,
                                                       const tessera_control* control,
                                                       tessera_buffer** json, tessera_error* error);

/* ---- Pictures: mip levels, comparison, samples ---------------------------------------------- */

/* The next smaller mip level: sides halved, rounded down, at least 1. */
TESSERA_API tessera_status tessera_next_mip_level(const tessera_image* image,
                                                  tessera_picture** level, tessera_error* error);

/* What the options yflip, premultiply and normalize of encoders do to a picture first, in this
 * order, each where it is not 0: rows are turned upside down, colours multiplied by alpha (as light
 * where they are sRGB), and normals in red, green and blue given the length 1. */
TESSERA_API tessera_status tessera_edit_picture(const tessera_image* image, int yflip,
                                                int premultiply, int normalize,
                                                tessera_picture** edited, tessera_error* error);

/* How far `test` is from `reference`; block extents are for the worst block, 0 means 4. */
TESSERA_API tessera_status tessera_compare(const tessera_image* reference,
                                           const tessera_image* test, uint32_t block_width,
                                           uint32_t block_height, tessera_metrics* metrics,
                                           tessera_error* error);

/* The PSNR of red, green, blue and alpha, in dB; 999 where nothing differs. */
TESSERA_API tessera_status tessera_compare_channels(const tessera_image* reference,
                                                    const tessera_image* test, double psnr[4],
                                                    tessera_error* error);

/* Angles in degrees between normals whose x, y and z are red, green and blue. */
TESSERA_API tessera_status tessera_compare_normals(const tessera_image* reference,
                                                   const tessera_image* test, double* mean,
                                                   double* largest, tessera_error* error);

/* What tessera_compare does, with two pictures in memory of the context's device, whose backend is
 * "cuda"; the figures are the same. It works on `stream`, a cudaStream_t of that device or NULL,
 * behind what is there, and waits for it. One comparison at a time works with a context: a second
 * call waits until the first one has returned. TESSERA_ERROR_UNSUPPORTED for backends that cannot.
 */
TESSERA_API tessera_status tessera_compare_device_memory(
    tessera_context* context, const tessera_device_image* reference,
    const tessera_device_image* test, uint32_t block_width, uint32_t block_height, void* stream,
    tessera_metrics* metrics, tessera_error* error);

/* Original, result and error times `gain`, side by side, as an 8-bit RGB picture. */
TESSERA_API tessera_status tessera_comparison_sheet(const tessera_image* reference,
                                                    const tessera_image* test, double gain,
                                                    tessera_picture** sheet, tessera_error* error);

typedef struct tessera_sheet_options {
  size_t struct_size;
  const char* reference_name; /* for the labels, in letters of ASCII; NULL: "original" */
  const char* test_name;      /* NULL: "result" */
  double gain;                /* of the error; 0: 8 */
  uint32_t block_width;       /* 0: 4 */
  uint32_t block_height;
} tessera_sheet_options;

#define TESSERA_SHEET_OPTIONS_INIT \
  { sizeof(tessera_sheet_options), 0, 0, 8, 0, 0 }

/* The same with labels that tell names and the PSNR of RGB, and below it the blocks around the
 * worst one, enlarged, with the grid of the blocks. Of volumes, the first slice. `options` may be
 * NULL. */
TESSERA_API tessera_status tessera_annotated_sheet(const tessera_image* reference,
                                                   const tessera_image* test,
                                                   const tessera_sheet_options* options,
                                                   tessera_picture** sheet, tessera_error* error);

/* A picture made by code: "photo", "interface", "sprite", "normal-map", "noise" or "constant". */
TESSERA_API tessera_status tessera_make_sample(const char* kind, uint32_t width, uint32_t height,
                                               uint32_t seed, tessera_picture** picture,
                                               tessera_error* error);

#ifdef __cplusplus
}
#endif

#endif /* TESSERA_DECODE_H_ */
