/* A part of tessera.h, which has the rules for every call: encoding, tiles. */
#ifndef TESSERA_ENCODE_H_
#define TESSERA_ENCODE_H_

#include <tessera/basics.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Encoding ------------------------------------------------------------------------------- */

typedef struct tessera_encode_options {
  size_t struct_size;
  const char* format; /* "astc", "bc1", "fractal"; NULL: what the container usually holds */
  const char* block;  /* such as "6x6", or "4x4x4" for volumes; NULL: the format's default */
  const char* preset; /* "realtime", "fast", "medium" (NULL), "thorough", "exhaustive" */
  /* "ldr", "srgb", "hdr", "hdra": how the texture is read. NULL: as `use` says; else .ktx2 and .ktx
     files are sRGB where the image is, and all other textures ldr. "ldr" means that samples are
     linear, "srgb" that an image of linear light is converted, "hdra" that alpha is of high dynamic
     range, too. */
  const char* profile;
  const char* swizzle;   /* four of r g b a 0 1; NULL: "rgba" */
  const char* container; /* "ktx2", "dds", "astc", "ktx", "tsf"; NULL: the format's usual one */
  int32_t mips;          /* not 0: all mip levels */
  int32_t linear;        /* not 0: samples are linear whatever the image says */
  int32_t normal_map; /* not 0: x is stored as luminance, y as alpha; needs a format with alpha */
  int32_t metrics;    /* not 0: decode the result and measure it for the report */
  const tessera_option* options;
  size_t option_count;
  /* What the picture is for: "color", "alpha" (cut-outs), "normal", "mask", "packed", "hdr", "ui";
     NULL: not said. It decides the profile, the swizzle, what errors count and how mip levels are
     averaged, as far as the other fields leave them open. */
  const char* use;
  /* Not 0: the files are compressed textures or fractal images, to be made into other ones. All
     their mip levels are kept, and sRGB stays sRGB unless a profile is named. */
  int32_t transcode;
  /* How those files are read: "ldr", "srgb", "hdr"; NULL: as they say. */
  const char* source_profile;
  /* Not 0, with transcode: the compressed blocks are moved into another container as they are. The
     container has to be named; formats and their settings are none of it, but source_profile says
     what a file is that does not say it. */
  int32_t keep_payload;
  /* Of tessera_encode_files, with one input: pictures of mip level 1, 2 and so on, whose sides are
     halved from one to the next, rounded down. With `mips`, levels below the last one are made of
     it; without, there are none. */
  const char* const* mip_files;
  size_t mip_file_count;
  /* Texts that .ktx2 and .ktx files keep for programs and people, by names of one's own. Of names
     that begin with KTX, KTXorientation, KTXswizzle and KTXastcDecodeMode can be given. Textures
     that are made into others keep theirs. */
  const tessera_option* keys;
  size_t key_count;
} tessera_encode_options;

#define TESSERA_ENCODE_OPTIONS_INIT \
  { sizeof(tessera_encode_options), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/* Settings that have been checked. */
typedef struct tessera_encoder tessera_encoder;
TESSERA_API tessera_status tessera_encoder_create(const tessera_encode_options* options,
                                                  tessera_encoder** encoder, tessera_error* error);
TESSERA_API void tessera_encoder_destroy(tessera_encoder* encoder);

typedef struct tessera_encoder_info {
  size_t struct_size;
  const char* format; /* all strings live as long as the encoder */
  const char* preset;
  const char* method;    /* "" unless one was named */
  const char* profile;   /* "ldr" where the image decides; tessera_encode_report has the file's */
  const char* container; /* "ktx2" */
  uint32_t block_width;
  uint32_t block_height;
  uint32_t block_depth;
  uint32_t block_bytes; /* 0 where a payload is not made of blocks (fractal images) */
  int32_t has_opencl_kernels;
  int32_t has_cuda_kernels;
  const char*
      swizzle; /* such as "rrr1"; "rgba" where channels stay as they are, and of normal maps */
  int32_t normal_map; /* not 0: x is stored as luminance, y as alpha */
} tessera_encoder_info;
TESSERA_API tessera_status tessera_encoder_describe(const tessera_encoder* encoder,
                                                    tessera_encoder_info* info,
                                                    tessera_error* error);

/* Bytes that tessera_encode_blocks writes for an image of this size.
 * TESSERA_ERROR_UNSUPPORTED for formats whose payload has no fixed size. */
TESSERA_API tessera_status tessera_payload_size(const tessera_encoder* encoder,
                                                const tessera_image* image, size_t* bytes,
                                                tessera_error* error);

/* The blocks of one image without mip levels and container, slice by slice and row by row, into
 * `out` of exactly tessera_payload_size bytes. `context` and `control` may be NULL: the calling
 * thread does it. */
TESSERA_API tessera_status tessera_encode_blocks(const tessera_encoder* encoder,
                                                 tessera_context* context,
                                                 const tessera_image* image,
                                                 const tessera_control* control, void* out,
                                                 size_t out_size, tessera_error* error);

/* RGBA8 pixels in memory of a device. */
typedef struct tessera_device_image {
  size_t struct_size;
  const void* pixels; /* the device's address */
  size_t row_bytes;   /* from a row to the next, a multiple of 4; multiples of 16 are quickest */
  uint32_t width;
  uint32_t height;
} tessera_device_image;

/* What tessera_encode_blocks does, from memory of a device into memory of that device, at `blocks`,
 * which has room for `blocks_size` bytes, as many as tessera_payload_size tells of such an image.
 * The context's backend is "cuda"; `stream` is a cudaStream_t of its device, or NULL. The work is
 * put on the stream behind what is there. The call comes back when nearly all of it is done: wait
 * for the stream before reading the blocks from elsewhere. Several threads may call it with one
 * context: of "astc", four calls work at once, and a further one waits until one of them has
 * returned. TESSERA_ERROR_UNSUPPORTED for formats and backends that cannot. */
TESSERA_API tessera_status tessera_encode_device_memory(const tessera_encoder* encoder,
                                                        tessera_context* context,
                                                        const tessera_device_image* image,
                                                        void* blocks, size_t blocks_size,
                                                        void* stream, tessera_error* error);

typedef struct tessera_metrics {
  size_t struct_size;
  double psnr_rgb;            /* dB; 999 where nothing differs */
  double psnr_rgba;           /* dB */
  double psnr_alpha_weighted; /* dB; errors of colours count by the reference's alpha */
  double ssim;                /* of luma, -1 to 1 */
  double max_error;           /* of any sample; 1 is the full range */
  uint32_t worst_block_x;     /* in blocks */
  uint32_t worst_block_y;
  uint32_t worst_block_slice;
  double worst_block_psnr_rgb; /* dB */
  int32_t has_hdr;             /* one of the images has float samples: */
  double mpsnr;                /* dB; of RGB, in the mean of exposures from -10 to +10 f-stops */
  double log_rmse;             /* of RGB, in octaves */
  double psnr_peak;            /* dB; of RGB, with the reference's largest sample as peak */
  double peak;                 /* that sample */
} tessera_metrics;

#define TESSERA_METRICS_INIT \
  { sizeof(tessera_metrics), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

typedef struct tessera_encode_report {
  size_t struct_size;
  uint32_t width;
  uint32_t height;
  uint32_t channels; /* that were encoded */
  uint32_t levels;
  uint64_t encoded_pixels; /* of all levels */
  uint64_t file_bytes;
  double encode_seconds; /* the encoder alone: after reading and converting, before writing */
  int32_t alpha_dropped; /* the image had transparent pixels that the format cannot keep */
  int32_t has_metrics;
  int32_t has_angular_error; /* of normal maps, with the metrics */
  double angular_error_mean; /* degrees */
  double angular_error_max;  /* degrees */
  tessera_metrics metrics;
  /* Of float pictures: samples that no texture holds, which were clamped to 0 or 65504. */
  uint64_t clamped_nan;
  uint64_t clamped_infinite;
  uint64_t clamped_negative;
  uint64_t clamped_too_large;
  uint32_t depth; /* slices of a volume; 1 for pictures */
  /* Of targets and limits (target-psnr, max-bytes, ...): what was chosen for this picture, such as
     "6x6" and "fast", and a sentence that says why; else "". */
  char chosen_block[16];
  char chosen_preset[16];
  char chosen_reason[256];
  const char* profile;    /* "ldr", "srgb", "hdr" or "hdra": how the texture is read; a constant */
  uint32_t layers;        /* pictures of an array, the faces of cube maps among them; else 1 */
  uint32_t faces;         /* 6: each six of the layers are a cube map; else 1 */
  uint64_t clamped_alpha; /* samples of alpha above 1, which became 1, with the profile "hdr" */
  /* Of rdo-size: the number of rdo that it has chosen, about how many percent of the bytes are left
     with it, and 1 where that is more than was asked for, since a higher number would ruin the
     picture. Else 0. */
  double rdo_number;
  double rdo_percent;
  int32_t rdo_missed;
} tessera_encode_report;

#define TESSERA_ENCODE_REPORT_INIT                                                                 \
  {                                                                                                \
    sizeof(tessera_encode_report), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, TESSERA_METRICS_INIT, 0, 0, \
        0, 0, 0, {0}, {0}, {0}, 0, 0, 0, 0, 0, 0, 0                                                \
  }

/* A whole file in memory, with mip levels where asked for. With the option "cube" the image's
 * layers are the faces of cube maps, +X -X +Y -Y +Z -Z, or it is one picture that is a cross or a
 * panorama. `report` may be NULL. */
TESSERA_API tessera_status tessera_encode(const tessera_encoder* encoder, tessera_context* context,
                                          const tessera_image* image,
                                          const tessera_control* control, tessera_buffer** file,
                                          tessera_encode_report* report, tessera_error* error);

/* How good and how large a picture would become with each block size of the encoder's format, with
 * the encoder's other settings, and which one is recommended: the one that the encoder's targets
 * and limits choose, or, where it has none, the largest blocks with a PSNR of 40 dB. Qualities are
 * estimates from realtime on the whole picture and the encoder's preset on a sample of it. A JSON
 * text with `width`, `height`, `depth`, `format`, `preset`, `measure` ("psnr", or "mpsnr" for high
 * dynamic range), `sizes` (an array of objects with `block`, `bpp`, `bytes` of the file in the
 * encoder's container, and `psnr`, `ssim`, `max_error`, or `mpsnr`), `recommended` and `reason`. */
TESSERA_API tessera_status tessera_advise(const tessera_encoder* encoder, tessera_context* context,
                                          const tessera_image* image,
                                          const tessera_control* control, tessera_buffer** json,
                                          tessera_error* error);

/* A compressed texture or fractal image in memory as another one. The encoder has been made with
 * `transcode`; `name` is used in messages, NULL: "the data". `report` may be NULL; its metrics
 * compare with what the source decodes to. */
TESSERA_API tessera_status tessera_transcode(const tessera_encoder* encoder,
                                             tessera_context* context, const void* data,
                                             size_t size, const char* name,
                                             const tessera_control* control, tessera_buffer** file,
                                             tessera_encode_report* report, tessera_error* error);

/* ---- Tiles: rectangles as they come, without allocation ------------------------------------- */
/* A tile is encoded as a picture of its own: presets above realtime spend effort where a picture
   needs it, so a block of a tile may come out otherwise than in a larger picture. */

typedef struct tessera_tile_encoder tessera_tile_encoder;

/* All memory and tables are made here, for up to `concurrency` calls at once. */
TESSERA_API tessera_status tessera_tile_encoder_create(const tessera_encode_options* options,
                                                       uint32_t concurrency,
                                                       tessera_tile_encoder** encoder,
                                                       tessera_error* error);
TESSERA_API void tessera_tile_encoder_destroy(tessera_tile_encoder* encoder);
/* Bytes of a tile's blocks; 0 where the size is not possible. */
TESSERA_API size_t tessera_tile_size(const tessera_tile_encoder* encoder, uint32_t width,
                                     uint32_t height);
/* `rgba` points to the upper left of width x height pixels of four 8-bit channels in a picture with
 * `row_stride` bytes per row. Does not allocate. Threads above the concurrency wait their turn. */
TESSERA_API tessera_status tessera_encode_tile(tessera_tile_encoder* encoder, const uint8_t* rgba,
                                               size_t row_stride, uint32_t width, uint32_t height,
                                               void* out, size_t out_size, tessera_error* error);

#ifdef __cplusplus
}
#endif

#endif /* TESSERA_ENCODE_H_ */
