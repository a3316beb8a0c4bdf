// For builds without MPI: no session can be started, so nothing else is ever reached.
#include <cstdlib>

#include "exec/mpi/coordinator.h"
#include "exec/mpi/mpi_session.h"
#include "exec/mpi/worker.h"

namespace tessera::mpi {
namespace {

Error absent() {
  return unsupported_error("this build has no MPI");
}

}  // namespace

bool have_mpi() {
  return false;
}

struct MpiSession::State {};
MpiSession::MpiSession(std::unique_ptr<State> state) : state_(std::move(state)) {}
MpiSession::~MpiSession() = default;
Result<std::unique_ptr<MpiSession>> MpiSession::start(const std::atomic<bool>*) {
  return absent();
}
int MpiSession::rank() const {
  return 0;
}
int MpiSession::size() const {
  return 1;
}
unsigned MpiSession::rank_on_machine() const {
  return 0;
}
Result<std::vector<Greeting>> MpiSession::agree(const Greeting&) {
  return absent();
}
Status MpiSession::broadcast(std::span<uint8_t>) {
  return absent();
}
Status MpiSession::broadcast_sized(Bytes&, uint64_t) {
  return absent();
}
Status MpiSession::check() const {
  return absent();
}
void MpiSession::abort(int exit_code) {
  std::_Exit(exit_code);
}
void MpiSession::end_soon(int) {}

struct Coordinator::Link {};
Coordinator::Coordinator(MpiSession& session, std::vector<Greeting> ranks,
                         std::function<void(const Error&)> report)
    : session_(session), greetings_(std::move(ranks)), report_(std::move(report)) {}
Coordinator::~Coordinator() = default;
void Coordinator::add_source(UnitSource&) {}
void Coordinator::remove_source(UnitSource&) {}
void Coordinator::look_soon() {}
void Coordinator::set_waiting(bool) {}
int Coordinator::run(const std::function<int()>& job) {
  return job();
}
void Coordinator::give_up(const Error& error) {
  session_.abort(static_cast<int>(error.code));
}
Coordinator::Costs Coordinator::costs() const {
  return {};
}

int serve_units(MpiSession&, const std::vector<Backend*>&, const UnitHandler&, const LaneStart&) {
  return static_cast<int>(absent().code);
}

}  // namespace tessera::mpi
