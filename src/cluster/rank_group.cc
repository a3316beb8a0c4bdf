// The group of ranks: greetings, broadcasts, interruption and the end of all ranks.
#include "cluster/rank_group.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "cluster/pace.h"
#include "cluster/requests.h"
#include "cluster/shared_images.h"
#include "cluster/transport_plugin.h"

namespace tessera::cluster {
namespace {

// Bytes of one part of a broadcast: far fewer than MPI's `int` can count.
constexpr size_t kBroadcastPart = size_t{64} << 20;

// Variables that the launchers of Open MPI, PMIx and Slurm set.
int find_launcher() {
  constexpr const char* kNames[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
  const bool has_launcher = std::any_of(std::begin(kNames), std::end(kNames), [](const char* name) {
    return std::getenv(name) != nullptr;
  });
  return has_launcher ? ::getppid() : 0;
}

}  // namespace

RankGroup::RankGroup(std::unique_ptr<Transport> transport, const std::atomic<bool>* cancelled)
    : transport_(std::move(transport)), cancelled_(cancelled), launcher_(find_launcher()) {}

Result<std::unique_ptr<RankGroup>> RankGroup::start_mpi(const std::atomic<bool>* cancelled) {
  TESSERA_ASSIGN_OR_RETURN(auto transport, start_mpi_transport());
  return std::make_unique<RankGroup>(std::move(transport), cancelled);
}

RankGroup::~RankGroup() = default;

bool RankGroup::launcher_has_ended() const {
  return launcher_ != 0 && ::getppid() != launcher_;
}

Status RankGroup::check() const {
  if (cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed)) {
    return Error{
        ErrorCode::kInterrupted,
        size() > 1 ? "interrupted by a signal, or because another rank has ended" : "interrupted"};
  }
  if (launcher_has_ended()) {
    return Error{ErrorCode::kInterrupted, "interrupted: what started the ranks has ended"};
  }
  return {};
}

void RankGroup::end_soon(int exit_code) {
  constexpr auto kPatience = std::chrono::seconds(2);
  std::thread([exit_code, kPatience] {
    std::this_thread::sleep_for(kPatience);
    std::_Exit(exit_code);
  }).detach();
}

void RankGroup::abort(int exit_code) {
  std::fflush(stdout);
  std::fflush(stderr);
  if (!launcher_has_ended()) {  // otherwise nothing is left that could end the other ranks
    end_soon(exit_code);
    transport_->abort(exit_code);
  }
  std::_Exit(exit_code);
}

// Polls until the operation is complete. Nothing else may be under way.
Status RankGroup::wait_for(uint64_t ticket) {
  Pace pace = kIdlePace;
  while (true) {
    Completion completion;
    size_t count = 0;
    if (const int code = transport_->poll(&completion, 1, &count); code != 0) {
      return transport_error(*transport_, "talking to the other ranks", code);
    }
    if (count > 0 && completion.ticket == ticket) {
      return {};
    }
    TESSERA_RETURN_IF_ERROR(check());
    std::this_thread::sleep_for(pace.next());
  }
}

// The same number of bytes from every rank, to all of them.
Status RankGroup::gather_from_all(ByteSpan own, std::span<uint8_t> all) {
  uint64_t ticket = 0;
  if (const int code = transport_->gather_from_all(own.data(), own.size(), all.data(), &ticket);
      code != 0) {
    return transport_error(*transport_, "greeting the other ranks", code);
  }
  return wait_for(ticket);
}

Result<std::vector<Greeting>> RankGroup::agree(const Greeting& own) {
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
  TESSERA_RETURN_IF_ERROR(find_who_sees_images(greetings[0].probe));
  return greetings;
}

// All ranks learn which of them can read rank 0's images in memory.
Status RankGroup::find_who_sees_images(const SharedProbe& probe) {
  const uint8_t own = !is_root() && can_see(probe) ? 1 : 0;
  probe_ = probe;
  sees_images_.resize(static_cast<size_t>(size()));
  TESSERA_RETURN_IF_ERROR(gather_from_all({&own, 1}, sees_images_));
  if (is_root() && std::find(sees_images_.begin(), sees_images_.end(), 1) != sees_images_.end()) {
    image_memory_ = &SharedImages::instance();
  }
  return {};
}

bool RankGroup::can_see_images(int rank) const {
  const auto place = static_cast<size_t>(rank);
  return place < sees_images_.size() && sees_images_[place] != 0;
}

void RankGroup::set_cannot_see_images(int rank) {
  sees_images_[static_cast<size_t>(rank)] = 0;
}

Status RankGroup::broadcast(std::span<uint8_t> bytes) {
  for (size_t begin = 0; begin < bytes.size() && size() > 1; begin += kBroadcastPart) {
    const auto part = bytes.subspan(begin, std::min(kBroadcastPart, bytes.size() - begin));
    uint64_t ticket = 0;
    if (const int code = transport_->broadcast(part.data(), part.size(), &ticket); code != 0) {
      return transport_error(*transport_, "sending to all ranks", code);
    }
    TESSERA_RETURN_IF_ERROR(wait_for(ticket));
  }
  return {};
}

Status RankGroup::broadcast_sized(Bytes& bytes, uint64_t limit) {
  Bytes length;
  ByteWriter(length).write(uint64_t{bytes.size()});
  TESSERA_RETURN_IF_ERROR(broadcast(length));
  const auto count = ByteReader(length).read<uint64_t>();
  if (count > limit) {
    return invalid_error("rank 0 announced " + std::to_string(count) +
                         " bytes, which is more than the possible " + std::to_string(limit));
  }
  bytes.resize(count);
  return broadcast(bytes);
}

}  // namespace tessera::cluster
