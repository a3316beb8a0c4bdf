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

#include <tessera/basics.h> /* errors, images, options by name, and where work runs */
#include <tessera/decode.h> /* decoding, what a texture holds, mip levels and comparisons */
#include <tessera/encode.h> /* encoding, tiles */
#include <tessera/files.h>  /* files, lists of files, and the build */

#endif /* TESSERA_TESSERA_H_ */
