/* A part of tessera.h, which has the rules for every call: errors, images, options by name, and
 * where work runs. */
#ifndef TESSERA_BASICS_H_
#define TESSERA_BASICS_H_

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

/* Memory for images, payloads and files of at least 64 KiB that calls with the context make.
 * `allocate` returns memory aligned to 64 bytes, or NULL when there is none. Both may be called
 * from any thread. The heap serves for all else: smaller pieces, the bytes of files that are read,
 * texts, what the backend "mpi" makes, tile encoders, and calls that take no context, which are
 * tessera_next_mip_level, tessera_edit_picture, tessera_compare, tessera_compare_channels,
 * tessera_compare_normals, tessera_comparison_sheet, tessera_annotated_sheet, tessera_make_sample,
 * tessera_inspect, tessera_describe, tessera_map_blocks, tessera_list_leaves,
 * tessera_describe_file, tessera_validate_file, tessera_read_bytes, tessera_read_bytes_limited,
 * tessera_write, tessera_write_to_memory and tessera_write_bytes. */
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
 * the limit. A control has the limits for tessera_decode, tessera_transcode, tessera_read,
 * tessera_describe_file, tessera_validate_file, each file of a list, and the calls whose names end
 * with _limited. For the calls of those names without the ending, which take no control, the
 * defaults hold, but for tessera_inspect, which looks at the header alone and has no limits. Images
 * and blocks that the caller gives to other calls are not limited. */
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
  /* What the caller has taken already for the same job or will take itself. It counts together with
   * what a call takes, so that the whole job is refused before its memory is taken. */
  uint32_t caller_copies;          /* pictures as large as the one that is read */
  uint64_t caller_bytes_per_pixel; /* for each pixel that is read */
  uint64_t caller_bytes;
  uint64_t caller_files; /* bytes of other files, for which `untrusted` allows memory, too */
} tessera_limits;

#define TESSERA_LIMITS_INIT \
  { sizeof(tessera_limits), 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/* Whether a job about the files of `limits->caller_files` may take so many bytes of memory, besides
 * what `limits` say of the caller's. `name` is that of the file in the sentence. */
TESSERA_API tessera_status tessera_check_memory(const tessera_limits* limits, const char* name,
                                                uint64_t bytes, tessera_error* error);

/* What goes with a call that may take long. Calls that take no control report no progress and
 * cannot be stopped: those about pictures (mip levels, edits, comparisons, sheets, samples), those
 * whose names also exist with the ending _limited, those that write (tessera_write,
 * tessera_write_to_memory, tessera_write_bytes), tessera_encode_device_memory and
 * tessera_encode_tile. */
typedef struct tessera_control {
  size_t struct_size;
  /* Called with the fraction done, 0 to 1, never falling; from any thread, not from two at once.
   * Not by tessera_describe_file, tessera_validate_file and tessera_read_bytes_limited. */
  void (*progress)(void* user, double fraction);
  void* user;
  tessera_stop* stop;           /* may be NULL */
  const tessera_limits* limits; /* NULL: the defaults */
} tessera_control;

#define TESSERA_CONTROL_INIT \
  { sizeof(tessera_control), 0, 0, 0, 0 }

#ifdef __cplusplus
}
#endif

#endif /* TESSERA_BASICS_H_ */
