/* tessera.h: the C interface of Tessera, which compresses images block by block (ASTC, BC1,
 * fractal).
 *
 * Rules that hold for every call:
 * - Calls that can fail return a tessera_status and take a `tessera_error*` as their last argument,
 *   which receives one sentence about what is wrong. It may be NULL.
 * - Option structs begin with `struct_size`, which the caller sets to the struct's size (the _INIT
 *   macros do it). Fields that a caller's older header does not know keep their default. In every
 *   option struct a field that is zero or NULL means "the default".
 * - Handles are made by *_create and other calls that say so, and given back with *_destroy, which
 *   accepts NULL. There is no global state: any number of handles live side by side. A context, an
 *   encoder and a tile encoder may be used by any number of threads at once.
 * - Strings are UTF-8 and end with a zero byte. Strings in option structs are read during the call
 *   only. Sizes and strides are in bytes, extents in pixels.
 * - No exception leaves the library.
 */
#ifndef TESSERA_TESSERA_H_
#define TESSERA_TESSERA_H_

#include <stddef.h>
#include <stdint.h>

#define TESSERA_VERSION_MAJOR 0
#define TESSERA_VERSION_MINOR 2
#define TESSERA_VERSION_PATCH 0

#if defined(_WIN32) || defined(TESSERA_STATIC)
#define TESSERA_API
#else
#define TESSERA_API __attribute__((visibility("default")))
#endif

/* C lets callers pass any number as an enum. As C++ knows that it is an int, it can be refused. */
#ifdef __cplusplus
#define TESSERA_AN_INT : int
#else
#define TESSERA_AN_INT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status and errors ---------------------------------------------------------------------- */

/* The values are the exit codes of the command. */
typedef enum tessera_status TESSERA_AN_INT {
  TESSERA_OK = 0,
  TESSERA_ERROR_USAGE = 1,       /* the request itself makes no sense */
  TESSERA_ERROR_IO = 2,          /* a file cannot be read or written */
  TESSERA_ERROR_INVALID = 3,     /* a file's content breaks the rules of its type */
  TESSERA_ERROR_FAILED = 4,      /* something went wrong while running, such as too little memory */
  TESSERA_ERROR_UNSUPPORTED = 5, /* a valid request that this build cannot serve */
  TESSERA_ERROR_INTERRUPTED = 6, /* the caller asked to stop */
  TESSERA_ERROR_DIFFER = 7       /* two images cannot be compared, or differ by more than allowed */
} tessera_status;

typedef struct tessera_error {
  tessera_status status;
  char message[1024]; /* one sentence; longer ones are cut */
} tessera_error;

/* "0.2.0": the version of the library that is running, which may be newer than this header. */
TESSERA_API const char* tessera_version(void);

/* ---- Images --------------------------------------------------------------------------------- */

typedef enum tessera_sample TESSERA_AN_INT {
  TESSERA_SAMPLE_U8 = 0,
  TESSERA_SAMPLE_U16 = 1,
  TESSERA_SAMPLE_F16 = 2, /* IEEE half floats */
  TESSERA_SAMPLE_F32 = 3
} tessera_sample;

typedef enum tessera_color_space TESSERA_AN_INT {
  TESSERA_COLOR_SRGB = 0,  /* red, green and blue are sRGB; mip levels average them as light */
  TESSERA_COLOR_LINEAR = 1 /* linear light, or no light at all (normals, masks) */
} tessera_color_space;

/* Pixels of the caller's or of a tessera_picture. Channels lie side by side in a pixel: grey;
 * grey and alpha; red, green, blue; red, green, blue, alpha. The library never writes to them. */
typedef struct tessera_image {
  size_t struct_size;
  const void* pixels;
  uint32_t width;
  uint32_t height;
  uint32_t depth;    /* slices of a volume; 0 means 1 */
  uint32_t layers;   /* pictures of an array, the faces of cube maps among them; 0 means 1 */
  uint32_t channels; /* 1 to 4; 0 means 4 */
  tessera_sample sample;
  tessera_color_space color_space;
  size_t row_stride;   /* bytes from a row to the next; 0: rows follow each other without a gap */
  size_t slice_stride; /* bytes from a slice to the next; 0: height times row_stride */
} tessera_image;

#define TESSERA_IMAGE_INIT \
  { sizeof(tessera_image), 0, 0, 0, 0, 0, 0, TESSERA_SAMPLE_U8, TESSERA_COLOR_SRGB, 0, 0 }

/* Pixels that the library owns: what decoding and reading give. */
typedef struct tessera_picture tessera_picture;

/* The pixels stay valid until the picture is destroyed. `image->struct_size` must be set. */
TESSERA_API tessera_status tessera_picture_image(const tessera_picture* picture,
                                                 tessera_image* image, tessera_error* error);
TESSERA_API void tessera_picture_destroy(tessera_picture* picture);

/* Bytes that the library owns: files in memory, JSON texts. They stay valid until the buffer is
 * destroyed. A text is followed by a zero byte that the size does not count. */
typedef struct tessera_buffer tessera_buffer;
TESSERA_API const uint8_t* tessera_buffer_data(const tessera_buffer* buffer);
TESSERA_API size_t tessera_buffer_size(const tessera_buffer* buffer);
TESSERA_API void tessera_buffer_destroy(tessera_buffer* buffer);

/* ---- Options by name ------------------------------------------------------------------------ */

/* What only some formats know is given by name, such as {"quality", "60"} or {"zstd", "1"}. The
 * names are the command's long options without the dashes. Flags take "1" or "0". */
typedef struct tessera_option {
  const char* key;
  const char* value;
} tessera_option;

typedef enum tessera_option_kind TESSERA_AN_INT {
  TESSERA_OPTION_FLAG = 0,
  TESSERA_OPTION_INTEGER = 1,
  TESSERA_OPTION_NUMBER = 2,
  TESSERA_OPTION_TEXT = 3,
  TESSERA_OPTION_CHOICE = 4 /* one of some names */
} tessera_option_kind;

typedef struct tessera_option_info {
  size_t struct_size;
  const char* key;
  const char* formats; /* the formats that know it, separated by commas */
  const char* help;    /* one sentence */
  tessera_option_kind kind;
  double least; /* of integers and numbers */
  double most;
  int32_t above_least;    /* not 0: the least value itself is not possible */
  const char* choices;    /* the names of a choice, separated by commas; else "" */
  const char* value_name; /* for help texts, such as "N"; may be "" */
} tessera_option_info;

/* Options of encoding, or of decoding where `decoding` is not 0; `index` counts from 0.
 * TESSERA_ERROR_USAGE past the last one. The strings are constants. */
TESSERA_API tessera_status tessera_option_at(int decoding, size_t index, tessera_option_info* info,
                                             tessera_error* error);

/* ---- Where work runs ------------------------------------------------------------------------ */

/* Threads, a device, or the ranks of an MPI job; and where large buffers come from. */
typedef struct tessera_context tessera_context;

/* The caller's threads: calls `call(state, i)` once for each i in 0..count-1, in any order and from
 * any threads, and returns when all calls have ended. */
typedef void (*tessera_parallel_run)(void* user, size_t count, void (*call)(void* state, size_t i),
                                     void* state);

/* Memory for images, payloads and files of at least 64 KiB that the library makes. `allocate`
 * returns memory aligned to 64 bytes, or NULL when there is none. Both may be called from any
 * thread. */
typedef struct tessera_allocator {
  void* (*allocate)(void* user, size_t bytes);
  void (*release)(void* user, void* memory, size_t bytes);
  void* user;
} tessera_allocator;

typedef struct tessera_context_options {
  size_t struct_size;
  /* NULL or "cpu": threads of the library (oneTBB) where this build has them; "serial": the calling
   * thread; "cuda"; "opencl"; "auto": a CUDA device or an OpenCL GPU where there is one that has
   * kernels for the format, else the CPU; "mpi": all ranks of the job, each of which makes the same
   * calls; it encodes lists of files and nothing else. */
  const char* backend;
  uint32_t threads; /* 0: all cores */
  uint32_t device;  /* 1 is the backend's device number 0; 0: chosen by the library */
  tessera_parallel_run parallel_run; /* the caller's threads, instead of a backend */
  void* parallel_user;
  const tessera_allocator* allocator; /* copied; must outlive all that the context has made */
  /* Called with a sentence when a device cannot be used and the CPU takes over; may be NULL. */
  void (*note)(void* user, const char* sentence);
  void* note_user;
  /* Of "mpi": rank-backend ("cpu", "opencl" or "cuda"), unit-rows (block rows of a strip),
   * split-over (bytes; larger files are shared by all ranks), gather (flag: rank 0 writes all
   * files), agreement (a text that must be the same on all ranks, such as a command line). */
  const tessera_option* options;
  size_t option_count;
} tessera_context_options;

#define TESSERA_CONTEXT_OPTIONS_INIT \
  { sizeof(tessera_context_options), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/* `options` may be NULL. */
TESSERA_API tessera_status tessera_context_create(const tessera_context_options* options,
                                                  tessera_context** context, tessera_error* error);
TESSERA_API void tessera_context_destroy(tessera_context* context);
/* "cpu", "serial", "runner", "cuda", "opencl" or "mpi": what it computes with. */
TESSERA_API const char* tessera_context_backend(const tessera_context* context);
TESSERA_API uint32_t tessera_context_threads(const tessera_context* context);
/* 0 but on the other ranks of an MPI job, which write and report nothing. */
TESSERA_API uint32_t tessera_context_rank(const tessera_context* context);
/* Ranks of the MPI job; 1 otherwise. */
TESSERA_API uint32_t tessera_context_rank_count(const tessera_context* context);

typedef struct tessera_device_info {
  size_t struct_size;
  char name[256];
  char platform[256];
  char version[128];
  int32_t is_gpu;
  uint32_t compute_units;
  uint64_t memory_bytes;
  char backend[16]; /* "cuda" or "opencl" */
  uint32_t number;  /* among the devices of its backend, from 0 */
} tessera_device_info;

/* The devices of all backends, from 0 on. TESSERA_ERROR_USAGE past the last one,
 * TESSERA_ERROR_UNSUPPORTED where there can be none. */
TESSERA_API tessera_status tessera_device_at(uint32_t index, tessera_device_info* info,
                                             tessera_error* error);

/* Asks running work to stop. */
typedef struct tessera_stop tessera_stop;
TESSERA_API tessera_stop* tessera_stop_create(void); /* NULL: not enough memory */
TESSERA_API void tessera_stop_destroy(tessera_stop* stop);
/* From any thread, and from a signal handler. */
TESSERA_API void tessera_stop_request(tessera_stop* stop);

/* What a file may ask for before it is refused, with TESSERA_ERROR_FAILED and a sentence that names
 * the limit. They hold for every call that reads a file or decodes one in memory. */
typedef struct tessera_limits {
  size_t struct_size;
  uint64_t max_pixels;  /* of an image, in all slices; 0: 2^30 */
  uint64_t max_memory;  /* bytes that the whole job will need, checked before any of it is taken; 0:
                           three quarters of what the machine has */
  uint64_t max_file;    /* bytes of a file; 0: 2^35 */
  uint32_t max_seconds; /* of reading and decoding a file; 0: no limit */
  /* Not 0: files may come from anybody. Then 0 means 2^26 pixels, 2^28 bytes of a file, 10 seconds,
   * and as memory 2^30 bytes, but no more than 64 for each byte of the file and 2^26 on top. */
  int32_t untrusted;
} tessera_limits;

#define TESSERA_LIMITS_INIT \
  { sizeof(tessera_limits), 0, 0, 0, 0, 0 }

typedef struct tessera_control {
  size_t struct_size;
  /* Called with the fraction done, 0 to 1, never falling; from any thread, not from two at once. */
  void (*progress)(void* user, double fraction);
  void* user;
  tessera_stop* stop;           /* may be NULL */
  const tessera_limits* limits; /* NULL: the defaults */
} tessera_control;

#define TESSERA_CONTROL_INIT \
  { sizeof(tessera_control), 0, 0, 0, 0 }

/* ---- Encoding ------------------------------------------------------------------------------- */

typedef struct tessera_encode_options {
  size_t struct_size;
  const char* format; /* "astc", "bc1", "fractal"; NULL: what the container usually holds */
  const char* block;  /* such as "6x6", or "4x4x4" for volumes; NULL: the format's default */
  const char* preset; /* "realtime", "fast", "medium" (NULL), "thorough", "exhaustive" */
  /* "ldr", "srgb", "hdr", "hdra": how the texture is read. NULL: as `use` says; else .ktx2 files
     are sRGB where the image is, and all other textures ldr. "ldr" means that samples are linear,
     "srgb" that an image of linear light is converted, "hdra" that alpha is of high dynamic range,
     too. */
  const char* profile;
  const char* swizzle;   /* four of r g b a 0 1; NULL: "rgba" */
  const char* container; /* "ktx2", "dds", "astc", "tsf"; NULL: the format's usual one */
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
  /* Texts that .ktx2 files keep for programs and people, by names of one's own. Of the names that
     begin with KTX, KTXorientation, KTXswizzle and KTXastcDecodeMode can be given. Textures that
     are made into others keep theirs. */
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
  const char* method; /* "" unless one was named */
  const char* profile;
  const char* container; /* "ktx2" */
  uint32_t block_width;
  uint32_t block_height;
  uint32_t block_depth;
  uint32_t block_bytes; /* 0 where a payload is not made of blocks (fractal images) */
  int32_t has_opencl_kernels;
  int32_t has_cuda_kernels;
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

/* The same from memory of a device into memory of that device, at `blocks`, which has room for
 * `blocks_size` bytes, as many as tessera_payload_size tells of such an image. The context's
 * backend is "cuda"; `stream` is a cudaStream_t of its device, or NULL. The work is put on the
 * stream behind what is there. The call comes back when nearly all of it is done: wait for the
 * stream before reading the blocks from elsewhere. One call at a time works with a context.
 * TESSERA_ERROR_UNSUPPORTED for formats and backends that cannot. */
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
  /* Of high dynamic range: samples that no texture holds, which were clamped to 0 or 65504. */
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
  const char* profile; /* "ldr", "srgb", "hdr" or "hdra": how the texture is read; a constant */
  uint32_t layers;     /* pictures of an array, the faces of cube maps among them; else 1 */
  uint32_t faces;      /* 6: each six of the layers are a cube map; else 1 */
} tessera_encode_report;

#define TESSERA_ENCODE_REPORT_INIT                                                                 \
  {                                                                                                \
    sizeof(tessera_encode_report), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, TESSERA_METRICS_INIT, 0, 0, \
        0, 0, 0, {0}, {0}, {0}, 0, 0, 0                                                            \
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
 * text with `width`, `height`, `format`, `preset`, `sizes` (an array of objects with `block`,
 * `bpp`, `bytes`, `psnr`, `ssim`, `max_error`), `recommended` and `reason`. */
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

/* ---- Decoding ------------------------------------------------------------------------------- */

typedef struct tessera_decode_options {
  size_t struct_size;
  const char* profile;   /* "ldr", "srgb", "hdr"; NULL: as the file says, or "ldr" */
  tessera_sample sample; /* of a texture's pixels; pictures keep the samples of their files */
  uint32_t level;        /* mip level; 0 is the largest */
  const tessera_option* options;
  size_t option_count;
  /* Not 0: textures are normal maps with x in red and y in alpha, and become pictures of x, y and z
   * in red, green and blue. Not of tessera_decode_blocks. */
  int32_t normal_map;
} tessera_decode_options;

#define TESSERA_DECODE_OPTIONS_INIT \
  { sizeof(tessera_decode_options), 0, TESSERA_SAMPLE_U8, 0, 0, 0, 0 }

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

/* All that is known about a file in memory as a JSON text. `statistics`: not 0 adds what its blocks
 * are made of. `block` explains one block, such as "12,7" (in blocks); NULL: none. */
TESSERA_API tessera_status tessera_describe(const void* data, size_t size, const char* name,
                                            int statistics, const char* block,
                                            tessera_buffer** json, tessera_error* error);

/* Which kind each block of a texture's largest level is, for maps: `kinds` has a byte for each
 * block, row by row, and `legend` is a JSON text with `across` and `down` (blocks; of an array or a
 * volume, slice below slice), `block_width`, `block_height`, and `kinds`, an array of objects with
 * `name`, `color` ("#rrggbb") and `count`. TESSERA_ERROR_UNSUPPORTED for fractal images. */
TESSERA_API tessera_status tessera_map_blocks(const void* data, size_t size, const char* name,
                                              tessera_buffer** kinds, tessera_buffer** legend,
                                              tessera_error* error);

/* The leaves of a fractal image in memory as a JSON text: an array of objects with `plane` (0:
 * luma), `x`, `y`, `side` (pixels), `kind` ("flat", "fractal" or "dct") and, of fractal ones,
 * `domain_x`, `domain_y`, `domain_side`, `isometry` and `scale`. */
TESSERA_API tessera_status tessera_list_leaves(const void* data, size_t size, const char* name,
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

/* The same of two pictures in memory of the context's device, whose backend is "cuda", with the
 * same figures. It works on `stream`, a cudaStream_t of that device or NULL, behind what is there,
 * and waits for it. One call at a time works with a context. TESSERA_ERROR_UNSUPPORTED for backends
 * that cannot. */
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

/* ---- Files ---------------------------------------------------------------------------------- */
/* Builds without file support answer TESSERA_ERROR_UNSUPPORTED. "-" is standard input or output. An
 * output appears under its name only when it is complete. */

/* Any picture, texture or fractal image as pixels. `options`, `context`, `control`, `info` may be
 * NULL. */
TESSERA_API tessera_status tessera_read(tessera_context* context, const char* path,
                                        const tessera_decode_options* options,
                                        const tessera_control* control, tessera_picture** picture,
                                        tessera_file_info* info, tessera_error* error);

typedef struct tessera_describe_options {
  size_t struct_size;
  int32_t verify;     /* not 0: all of the file is read and unpacked, not the header alone */
  int32_t statistics; /* not 0: what its blocks are made of; reads all of the file */
  const char* block;  /* explains one block, such as "12,7"; reads all of the file; NULL: none */
} tessera_describe_options;

#define TESSERA_DESCRIBE_OPTIONS_INIT \
  { sizeof(tessera_describe_options), 0, 0, 0 }

/* What is known about a file as a JSON text, as tessera_describe has it. `options` and `control`
 * may be NULL: then the header alone is read. */
TESSERA_API tessera_status tessera_describe_file(const char* path,
                                                 const tessera_describe_options* options,
                                                 const tessera_control* control,
                                                 tessera_buffer** json, tessera_error* error);

/* Goes through the rules that a .ktx2 or .dds file has to keep. The JSON text has `file`, `type`,
 * `valid` (false where a rule is broken) and `rules`, an array of objects with `rule`, `outcome`
 * ("kept", "broken" or "not checked") and, but for kept ones, `found`. A file that breaks rules is
 * no error of the call. `control` may be NULL. */
TESSERA_API tessera_status tessera_validate_file(const char* path, const tessera_control* control,
                                                 tessera_buffer** json, tessera_error* error);

/* The bytes of a file; the second call stops when it is asked to, and holds the control's limits.
 * `control` may be NULL. */
TESSERA_API tessera_status tessera_read_bytes(const char* path, tessera_buffer** bytes,
                                              tessera_error* error);
TESSERA_API tessera_status tessera_read_bytes_limited(const char* path,
                                                      const tessera_control* control,
                                                      tessera_buffer** bytes, tessera_error* error);

/* A picture file; its type is told by the extension, or by `type` ("png") where that is not NULL.
 */
TESSERA_API tessera_status tessera_write(const char* path, const char* type,
                                         const tessera_image* image, uint64_t* file_bytes,
                                         tessera_error* error);
/* The same in memory: the bytes of a file of that type. */
TESSERA_API tessera_status tessera_write_to_memory(const char* type, const tessera_image* image,
                                                   tessera_buffer** file, tessera_error* error);
/* Whether a picture could be written to `path`, for programs that work long before they write: its
 * type can be written (told by `type`, or by the extension where that is NULL), the place takes
 * files, and it is none of the `inputs`. */
TESSERA_API tessera_status tessera_check_output(const char* path, const char* type,
                                                const char* const* inputs, size_t input_count,
                                                tessera_error* error);
TESSERA_API tessera_status tessera_write_bytes(const char* path, const void* data, size_t size,
                                               tessera_error* error);

/* What one rank of an MPI job has done for a file that all ranks shared. */
typedef struct tessera_rank_work {
  uint64_t units; /* parts of the file */
  uint64_t pixels;
  double busy_seconds;
} tessera_rank_work;

/* One file of a list. */
typedef struct tessera_file_report {
  size_t struct_size;
  const char* input; /* strings are valid during the callback */
  const char* output;
  tessera_status status;
  const char* message;                 /* the error's sentence, or "" */
  const tessera_encode_report* encode; /* of tessera_encode_files, where status is TESSERA_OK */
  /* Of tessera_decode_files, and of files whose payload was kept, where status is TESSERA_OK. */
  const tessera_file_info* source;
  uint32_t width; /* of the decoded picture */
  uint32_t height;
  uint32_t channels;
  uint64_t file_bytes;
  double decode_seconds;
  const char* backend;            /* that made it, as tessera_context_backend has it */
  uint32_t threads;               /* of that backend; with MPI, of all ranks that took part */
  const char* isa;                /* the instruction set of the kernels */
  uint32_t rank;                  /* of an MPI job: who made it; 0 where all did */
  const tessera_rank_work* ranks; /* of a file that the ranks shared; else NULL */
  size_t rank_count;
  uint64_t messages;      /* between rank 0 and the others */
  double control_seconds; /* that rank 0 spent on serving the others */
  /* Not 0: the output was there already, made of the same input with the same settings, and was
   * kept; `encode` and `source` are NULL. */
  int32_t unchanged;
  int32_t planned; /* not 0: it would be made, but for dry_run; `encode` and `source` are NULL */
  const tessera_encoder* encoder; /* of tessera_encode_files: the one for this file */
} tessera_file_report;

typedef struct tessera_files_options {
  size_t struct_size;
  /* Before a file is begun: returns the control for it, or NULL. May be NULL itself. Called on any
   * thread, not on two at once; several files may be under way. The control is copied. */
  const tessera_control* (*begin)(void* user, const char* input);
  /* After each file, in the order of the inputs; on rank 0 only. On any thread, not on two at once.
   */
  void (*done)(void* user, const tessera_file_report* report);
  void* user;
  tessera_stop* stop; /* ends the list */
  /* With MPI: an error that is not that of one file, at once and on any thread; may be NULL. The
   * call returns it, too, unless it can only be met by ending all ranks: then this is the last call
   * before the process ends. */
  void (*failed)(void* user, tessera_status status, const char* message);
  const tessera_limits* limits; /* of inputs whose control has none; NULL: the defaults */
  int32_t sync; /* not 0: a file is on the disk before it is told to be done, whatever happens */
  /* Patterns of names, such as "*_n.png": see tessera_matches. Of
   * the inputs, files are taken that one of `include` means (none given: all; in folders, those
   * with the extension of a known type) and none of `exclude`. */
  const char* const* include;
  size_t include_count;
  const char* const* exclude;
  size_t exclude_count;
  /* Chooses the encoder of a file, before any is begun: sets *encoder, which is NULL, or leaves the
   * one of the call. `name` is the path within the folder that was searched, or the last part of an
   * input that was named. Other values than TESSERA_OK refuse the list, with the sentence that was
   * written to error->message. With MPI it is called on every rank and must choose the same. The
   * encoders must outlive the call. May be NULL. */
  tessera_status (*choose)(void* user, const char* input, const char* name,
                           const tessera_encoder** encoder, tessera_error* error);
  /* How many files there are, before any is begun; on rank 0 only. May be NULL. */
  void (*listed)(void* user, size_t count);
  /* Not 0: outputs in a folder that are complete, and were made of the same content with the same
   * settings by the same version, are kept (but with metrics, which need the work). What outputs
   * were made of is noted in the folder, in the file .tessera-index, as each is completed. */
  int32_t update;
  int32_t force;   /* not 0: with update, all outputs are made again */
  int32_t dry_run; /* not 0: nothing is made; reports tell what would be */
} tessera_files_options;

/* Whether a pattern means a path, 1 or 0. * stands for any characters but slashes, ? for one, [a-z]
 * for one of a range, and a part that is ** for any number of folders. A pattern without a slash is
 * compared with the last part of the path alone. */
TESSERA_API int tessera_matches(const char* pattern, const char* path);

/* Encodes each input to `output`: a file, "-", or a folder (with several inputs always), in which
 * the inputs' names get the container's extension. An input may be a folder, which is searched with
 * all folders in it, but for hidden ones, and whose structure the outputs keep; or "@NAME", a file
 * with an input on each line. All that can be known to fail is checked before work starts; after a
 * file that fails the others follow. Returns the first failure. */
TESSERA_API tessera_status tessera_encode_files(const tessera_encoder* encoder,
                                                tessera_context* context, const char* const* inputs,
                                                size_t input_count, const char* output,
                                                const tessera_files_options* options,
                                                tessera_error* error);

/* Decodes each input likewise; `type` is the picture type in folders and for "-" ("png" if NULL).
 * `slice`: which slice of an array or a volume, counted from 0; -1 where there is one only;
 * TESSERA_EVERY_SLICE: all of them, each in a file of its own, NAME_000.png, NAME_001.png, ... */
#define TESSERA_EVERY_SLICE (-2)
TESSERA_API tessera_status tessera_decode_files(tessera_context* context, const char* const* inputs,
                                                size_t input_count, const char* output,
                                                const char* type,
                                                const tessera_decode_options* decode_options,
                                                int64_t slice, const tessera_files_options* options,
                                                tessera_error* error);

/* ---- The build and the processor ------------------------------------------------------------ */

/* Formats, containers, pictures, backends, instruction sets: a JSON text. */
TESSERA_API tessera_status tessera_describe_build(tessera_buffer** json, tessera_error* error);

/* Kernels run with this instruction set from now on in the whole process ("AVX2", ...; NULL or "":
 * the best one). Not while anything is being encoded or decoded. For tests and measurements. */
TESSERA_API tessera_status tessera_restrict_isa(const char* name, tessera_error* error);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TESSERA_TESSERA_H_ */
