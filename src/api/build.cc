// Which parts this build has.
#include "api/build.h"

#include "containers/texture_file.h"
#include "containers/zstd_level.h"
#include "exec/cuda/cuda_plugin.h"
#include "exec/opencl/opencl_session.h"
#ifdef TESSERA_HAVE_FILES
#include "cluster/transport_plugin.h"
#include "files/pictures/exr.h"
#endif

namespace tessera::api {

BuildParts build_parts() {
  BuildParts parts;
  parts.containers = all_container_names();
  parts.has_zstd = have_zstd();
  parts.backends = "serial";
#ifdef TESSERA_HAVE_THREADS
  parts.backends += ", cpu";
#endif
  parts.backends += have_opencl() ? ", opencl" : "";
  parts.backends += have_cuda() ? ", cuda" : "";
#ifdef TESSERA_HAVE_FILES
  parts.backends += cluster::have_mpi() ? ", mpi" : "";
  parts.pictures = "png, jpeg, ppm, pgm, tga, bmp, hdr";
  parts.pictures += have_openexr() ? ", exr" : "";
#endif
  return parts;
}

}  // namespace tessera::api
