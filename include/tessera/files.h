/* A part of tessera.h, which has the rules for every call: files, lists of files, and the build. */
#ifndef TESSERA_FILES_H_
#define TESSERA_FILES_H_

#include <tessera/decode.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* Goes through the rules that a .ktx2, .ktx or .dds file has to keep. The JSON text has `file`,
 * `type`, `valid` (false where a rule is broken) and `rules`, an array of objects with `rule`,
 * `outcome`
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
  uint64_t file_bytes; /* of the output; 0 where it failed or is only planned */
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
  /* Of tessera_decode_files with TESSERA_EVERY_SLICE or TESSERA_EVERY_LEVEL: the files that were
   * written; else NULL. */
  const char* const* slices;
  size_t slice_count;
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
  /* Patterns of names, such as "*_n.png": see tessera_matches. Of the inputs, files are taken that
   * one of `include` means (none given: all; in folders, those with the extension of a known type)
   * and none of `exclude`. */
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
 * TESSERA_EVERY_SLICE: all of them, each in a file of its own, NAME_000.png, NAME_001.png, ...
 * Where the `level` of the options is TESSERA_EVERY_LEVEL, each mip level has files of its own:
 * NAME_L0.png, NAME_L1.png, ..., or NAME_L0_000.png, ... with all slices. */
#define TESSERA_EVERY_SLICE (-2)
#define TESSERA_EVERY_LEVEL UINT32_MAX
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
}
#endif

#endif /* TESSERA_FILES_H_ */
