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
 *   accepts NULL. There is no global state but for tessera_restrict_isa(): any number of handles
 *   live side by side. A context, an encoder and a tile encoder may be used by any number of
 *   threads at once.
 * - Strings are UTF-8 and end with a zero byte. Strings in option structs are read during the call
 *   only. Sizes and strides are in bytes, extents in pixels.
 * - No exception leaves the library.
 *
 * The command is a client of this interface. What it offers and no single call does, it makes of
 * these calls:
 * - Files of rules: the command reads them, checks names with tessera_option_at, compares patterns
 *   with tessera_matches, makes an encoder of each set of settings with tessera_encoder_create, and
 *   returns it from `choose` of tessera_encode_files.
 * - --watch: the command waits for changes with inotify, and calls tessera_encode_files with
 *   `update` again.
 * - The page of report: tessera_encode_files with `dry_run` lists the pictures; then come
 *   tessera_read, tessera_encode with metrics, tessera_decode, tessera_map_blocks, tessera_compare
 *   for what rivals made, tessera_write_to_memory for the pictures of the page, and
 *   tessera_write_bytes for the page itself.
 * - advise --chart: the command draws what tessera_advise tells, and writes the drawing with
 *   tessera_write_bytes.
 * - The drawings of inspect: tessera_read_bytes_limited and tessera_decode for the pixels,
 *   tessera_map_blocks for the kinds of blocks, tessera_list_leaves for the leaves of a fractal
 *   image, tessera_describe for the facts, tessera_read and tessera_compare for the original;
 *   tessera_write and tessera_write_bytes write what the command draws of it.
 */
#ifndef TESSERA_TESSERA_H_
#define TESSERA_TESSERA_H_

#include <tessera/basics.h> /* errors, images, options by name, and where work runs */
#include <tessera/decode.h> /* decoding, what a texture holds, mip levels and comparisons */
#include <tessera/encode.h> /* encoding, tiles */
#include <tessera/files.h>  /* files, lists of files, and the build */

#endif /* TESSERA_TESSERA_H_ */
