// The ranks of an MPI job as a context.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/encode.h"
#include "base/result.h"
#include "tessera/tessera.h"

namespace tessera::api {

class Ranks {
 public:
  // Starts MPI. kUnsupported where this build or machine has none.
  static Result<std::unique_ptr<Ranks>> start(const tessera_context_options& options);
  virtual ~Ranks() = default;

  virtual uint32_t rank() const = 0;
  virtual uint32_t count() const = 0;
  virtual uint32_t threads() const = 0;  // of this rank

  // Called by all ranks with the same arguments.
  virtual Status encode_files(const tessera_encoder& encoder,
                              const std::vector<std::string>& inputs, const std::string& output,
                              const tessera_files_options& options) = 0;
};

}  // namespace tessera::api
