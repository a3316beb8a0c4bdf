#include "exec/opencl/opencl_backend.h"

#include <utility>

#include "exec/opencl/bc1_opencl.h"
#include "exec/opencl/opencl_session.h"

namespace tessera {
namespace {

class OpenClBackend : public Backend {
 public:
  OpenClBackend(std::unique_ptr<OpenClSession> session, unsigned threads, FallbackNote note)
      : session_(std::move(session)),
        bc1_(*session_),
        threads_(make_cpu_backend(threads)),
        note_(std::move(note)) {}

  std::string_view name() const override { return failed_ ? "cpu" : "opencl"; }
  unsigned thread_count() const override { return threads_->thread_count(); }

  Status run(const WorkRange& work, const RangeTask& task, const RunControl& control) override {
    return threads_->run(work, task, control);
  }

  Bc1OpenCl* bc1_device() override { return failed_ ? nullptr : &bc1_; }

  bool device_failed(const Error& error) override {
    if (!note_ || error.code == ErrorCode::kInterrupted) {
      return false;
    }
    failed_ = true;
    note_(error.message);
    return true;
  }

 private:
  std::unique_ptr<OpenClSession> session_;
  Bc1OpenCl bc1_;
  std::unique_ptr<Backend> threads_;
  FallbackNote note_;
  bool failed_ = false;
};

}  // namespace

Result<std::unique_ptr<Backend>> make_opencl_backend(std::optional<unsigned> device,
                                                     unsigned threads, FallbackNote note) {
  if (!device) {
    TESSERA_ASSIGN_OR_RETURN(device, default_opencl_device());
  }
  TESSERA_ASSIGN_OR_RETURN(auto session, OpenClSession::create(*device));
  return std::unique_ptr<Backend>(
      std::make_unique<OpenClBackend>(std::move(session), threads, std::move(note)));
}

}  // namespace tessera
