#include "exec/mpi/mpi_session.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "exec/mpi/mpi_state.h"
#include "exec/mpi/shared_images.h"

namespace tessera::mpi {
namespace {

// Bytes of one part of a broadcast: well within MPI's `int`.
constexpr size_t kBroadcastPart = size_t{64} << 20;

// Set by the launchers of Open MPI, of PMIx and of Slurm.
bool started_by_launcher() {
  constexpr const char* kNames[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [](const char* name) { return std::getenv(name) != nullptr; });
}

}  // namespace

bool have_mpi() {
  return true;
}

Error mpi_error(const char* what, int code) {
  char text[MPI_MAX_ERROR_STRING + 1] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  return failed_error(std::string("MPI failed while ") + what + ": " + text);
}

Result<std::unique_ptr<MpiSession>> MpiSession::start(const std::atomic<bool>* cancelled) {
  auto state = std::make_unique<State>();
  state->cancelled = cancelled;
  state->has_launcher = started_by_launcher();
  state->launcher = ::getppid();
  int provided = MPI_THREAD_SINGLE;
  if (const int code = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
      code != MPI_SUCCESS) {
    return failed_error("MPI cannot be started");
  }
  std::unique_ptr<MpiSession> session(new MpiSession(std::move(state)));
  if (provided < MPI_THREAD_FUNNELED) {
    return unsupported_error("this MPI does not work in programs with threads");
  }
  State& ours = *session->state_;
  if (const int code = MPI_Comm_dup(MPI_COMM_WORLD, &ours.world); code != MPI_SUCCESS) {
    return mpi_error("starting", code);
  }
  // Both: an error of ours is a value, and one outside a communicator must not end the process.
  MPI_Comm_set_errhandler(ours.world, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(ours.world, &ours.rank);
  MPI_Comm_size(ours.world, &ours.size);
  MPI_Comm machine = MPI_COMM_NULL;
  if (const int code =
          MPI_Comm_split_type(ours.world, MPI_COMM_TYPE_SHARED, ours.rank, MPI_INFO_NULL, &machine);
      code != MPI_SUCCESS) {
    return mpi_error("starting", code);
  }
  MPI_Comm_rank(machine, &ours.rank_on_machine);
  MPI_Comm_free(&machine);
  return session;
}

MpiSession::MpiSession(std::unique_ptr<State> state) : state_(std::move(state)) {}

MpiSession::~MpiSession() {
  set_image_memory(nullptr);
  if (state_->broken) {
    return;
  }
  if (state_->world != MPI_COMM_NULL) {
    MPI_Comm_free(&state_->world);
  }
  MPI_Finalize();
}

int MpiSession::rank() const {
  return state_->rank;
}
int MpiSession::size() const {
  return state_->size;
}

unsigned MpiSession::rank_on_machine() const {
  return static_cast<unsigned>(state_->rank_on_machine);
}

Status MpiSession::check() const {
  if (state_->cancelled != nullptr && state_->cancelled->load(std::memory_order_relaxed)) {
    return Error{ErrorCode::kInterrupted,
                 state_->size > 1 ? "interrupted by a signal, or because another rank has ended"
                                  : "interrupted"};
  }
  if (state_->has_launcher && ::getppid() != state_->launcher) {
    return Error{ErrorCode::kInterrupted, "interrupted: what started the ranks has ended"};
  }
  return {};
}

void MpiSession::end_soon(int exit_code) {
  constexpr auto kPatience = std::chrono::seconds(2);
  std::thread([exit_code, kPatience] {
    std::this_thread::sleep_for(kPatience);
    std::_Exit(exit_code);
  }).detach();
}

void MpiSession::abort(int exit_code) {
  std::fflush(stdout);
  std::fflush(stderr);
  state_->broken = true;
  if (state_->has_launcher && ::getppid() != state_->launcher) {
    std::_Exit(exit_code);  // nobody is left who could end the others; they notice themselves
  }
  end_soon(exit_code);
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

Status wait_for(MPI_Request& request, const MpiSession& session) {
  Pace pace = kIdlePace;
  while (true) {
    int done = 0;
    if (const int code = MPI_Test(&request, &done, MPI_STATUS_IGNORE); code != MPI_SUCCESS) {
      return mpi_error("talking to the other ranks", code);
    }
    if (done != 0) {
      return {};
    }
    TESSERA_RETURN_IF_ERROR(session.check());
    std::this_thread::sleep_for(pace.next());
  }
}

// The same number of bytes from every rank, to all of them.
Status MpiSession::gather_from_all(ByteSpan own, std::span<uint8_t> all) {
  const auto bytes = static_cast<int>(own.size());
  MPI_Request request = MPI_REQUEST_NULL;
  if (const int code = MPI_Iallgather(own.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE,
                                      state_->world, &request);
      code != MPI_SUCCESS) {
    return mpi_error("greeting the other ranks", code);
  }
  return wait_for(request, *this);
}

Result<std::vector<Greeting>> MpiSession::agree(const Greeting& own) {
  Greeting greeting_of_rank = own;
  if (is_root() && size() > 1) {
    greeting_of_rank.probe = SharedImages::instance().probe();
  }
  const Bytes mine = write_greeting(greeting_of_rank);
  const auto count = static_cast<size_t>(size());
  Bytes all(count * kGreetingBytes);
  TESSERA_RETURN_IF_ERROR(gather_from_all(mine, all));
  std::vector<Greeting> greetings;
  for (size_t rank = 0; rank < count; ++rank) {
    TESSERA_ASSIGN_OR_RETURN(Greeting greeting, parse_greeting(ByteSpan(all).subspan(
                                                    rank * kGreetingBytes, kGreetingBytes)));
    greetings.push_back(std::move(greeting));
  }
  TESSERA_RETURN_IF_ERROR(find_who_shares_memory(greetings[0].probe));
  return greetings;
}

// All ranks learn which of them can see rank 0's images.
Status MpiSession::find_who_shares_memory(const SharedProbe& probe) {
  const uint8_t own = !is_root() && can_see(probe) ? 1 : 0;
  state_->probe = probe;
  state_->shares_memory.resize(static_cast<size_t>(size()));
  TESSERA_RETURN_IF_ERROR(gather_from_all({&own, 1}, state_->shares_memory));
  const auto& shares = state_->shares_memory;
  if (is_root() && std::find(shares.begin(), shares.end(), 1) != shares.end()) {
    set_image_memory(&SharedImages::instance());
  }
  return {};
}

Status MpiSession::broadcast(std::span<uint8_t> bytes) {
  for (size_t begin = 0; begin < bytes.size() && size() > 1; begin += kBroadcastPart) {
    const auto part = bytes.subspan(begin, std::min(kBroadcastPart, bytes.size() - begin));
    MPI_Request request = MPI_REQUEST_NULL;
    if (const int code = MPI_Ibcast(part.data(), static_cast<int>(part.size()), MPI_BYTE, 0,
                                    state_->world, &request);
        code != MPI_SUCCESS) {
      return mpi_error("sending to all ranks", code);
    }
    TESSERA_RETURN_IF_ERROR(wait_for(request, *this));
  }
  return {};
}

Status MpiSession::broadcast_sized(Bytes& bytes, uint64_t limit) {
  Bytes length;
  ByteWriter(length).write(uint64_t{bytes.size()});
  TESSERA_RETURN_IF_ERROR(broadcast(length));
  const auto count = ByteReader(length).read<uint64_t>();
  if (count > limit) {
    return invalid_error("rank 0 announced " + std::to_string(count) + " bytes, more than the " +
                         std::to_string(limit) + " that can be");
  }
  bytes.resize(count);
  return broadcast(bytes);
}

}  // namespace tessera::mpi
