// Where work of Python's calls runs.
#pragma once

#include <tessera/tessera.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tessera_python {

class Place {
 public:
  Place(const std::string& backend, uint32_t threads, std::optional<uint32_t> device);

  const tessera::Context* context() const { return &*context_; }
  // Ranks of an MPI job have to make their calls on the thread that they began on.
  bool on_calling_thread() const { return on_calling_thread_; }
  // Issues what the library has noted since the last call, such as a device that cannot be used, as
  // warnings of Python.
  void warn_of_notes() const;

 private:
  struct Notes {
    std::mutex mutex;
    std::vector<std::string> sentences;
  };
  std::shared_ptr<Notes> notes_ = std::make_shared<Notes>();
  std::optional<tessera::Context> context_;
  bool on_calling_thread_ = false;
};

}  // namespace tessera_python
