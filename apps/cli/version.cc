#include "version.h"

#include "containers/format_table.h"
#include "containers/zstd_level.h"
#include "cluster/transport_plugin.h"
#include "exec/opencl/opencl_session.h"
#include "imageio/exr.h"
#include "installed_rivals.h"
#include "spmd/isa.h"

namespace tessera::cli {
namespace {

template <class Names>
std::string joined(const Names& names) {
  std::string text;
  for (const auto& name : names) {
    text += (text.empty() ? "" : ", ") + std::string(name);
  }
  return text.empty() ? "none" : text;
}

}  // namespace

std::string version_number() {
  return TESSERA_VERSION;
}

std::string version_text() {
  return std::string("tessera ") + TESSERA_VERSION + "\nformats:  " + all_format_names() +
         "\nbackends: cpu (oneTBB)" + (have_opencl() ? ", opencl" : "") +
         (cluster::have_mpi() ? ", mpi" : " (this build has no MPI)") +
         "\npictures: png, jpeg, ppm, pgm, tga, bmp, hdr" + (have_openexr() ? ", exr" : "") +
         "\ntextures: dds, astc, tsf, ktx2" + (have_zstd() ? " (with zstd)" : "") +
         "\nkernels:  " + active_isa() + " (available: " + joined(available_isas()) + ")" +
         "\nrivals:   " + joined(bench::installed_rivals());
}

}  // namespace tessera::cli
