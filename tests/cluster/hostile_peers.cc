// Plays the hostile side of each conversation by a script.
#include "hostile_peers.h"

#include <atomic>
#include <cstring>
#include <optional>
#include <vector>

#include "cluster/coordinator.h"
#include "cluster/file_message.h"
#include "cluster/file_queue.h"
#include "cluster/loop_ranks.h"
#include "cluster/rank_files.h"
#include "cluster/strip_run.h"
#include "cluster/strip_unit.h"
#include "cluster/worker.h"
#include "codec/registry.h"
#include "fractal/fractal_codec.h"
#include "memory_transport.h"

namespace tessera::cluster {
namespace {

// What a script may do with a message.
enum Change : uint8_t { kNoChange, kChangeByte, kWriteNumber, kOtherLengths, kChanges };

// Of bytes that a message announces. More would only take the search's time: a rank takes the
// memory that an honest rank 0 may ask for, up to a gigabyte.
constexpr uint64_t kMostAnnounced = uint64_t{1} << 18;

class Script {
 public:
  explicit Script(ByteSpan bytes) : bytes_(bytes) {}

  bool at_end() const { return bytes_.empty(); }
  uint64_t number(size_t bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes && !bytes_.empty(); ++i) {
      value |= uint64_t{bytes_[0]} << (8 * i);
      bytes_ = bytes_.subspan(1);
    }
    return value;
  }

  // Changes an honest message as the script says. Returns how many bytes the data after it has
  // instead of `data_bytes`.
  size_t change(Bytes& message, size_t data_bytes) {
    switch (number(1) % kChanges) {
      case kChangeByte: {
        const size_t offset = number(2);
        message[offset % message.size()] ^= static_cast<uint8_t>(number(1));
        break;
      }
      case kWriteNumber: {
        const size_t offset = number(2) % message.size();
        const uint64_t value = number(8);
        std::memcpy(message.data() + offset, &value, std::min<size_t>(8, message.size() - offset));
        break;
      }
      case kOtherLengths:
        message.resize(number(2) % 512);
        return number(2);
      default:
        break;
    }
    return data_bytes;
  }

 private:
  ByteSpan bytes_;
};

// Keeps an announced number of bytes within what the test has time for.
void limit_number(Bytes& message, size_t offset) {
  uint64_t value = 0;
  if (message.size() >= offset + sizeof value) {
    std::memcpy(&value, message.data() + offset, sizeof value);
    if (value > kMostAnnounced && value <= kMaxMessageBytes) {
      value &= kMostAnnounced - 1;
      std::memcpy(message.data() + offset, &value, sizeof value);
    }
  }
}

constexpr size_t kInputBytesOffset = 20;  // in the header of a unit
constexpr size_t kReplyBytesOffset = 20;  // in the header of a reply

EncodeJob bc1_job() {
  EncodeJob job;
  job.codec = *find_codec("bc1");
  job.container = job.codec->row().default_container;
  job.settings.preset = Preset::kRealtime;
  return job;
}

const FileMaker& bc1_maker() {
  static const auto maker = FileMaker::create({bc1_job()}, {}).value();
  return *maker;
}

std::vector<FilePair> list_of_missing_files() {
  return {{"/nonexistent/a.png", "/nonexistent/out/a.dds"},
          {"/nonexistent/b.png", "/nonexistent/out/b.dds"}};
}

UnitHeader honest_strip(uint64_t id) {
  UnitHeader header;
  header.kind = kStripKind;
  header.id = id;
  header.fields = {16, 8, 64, uint64_t{4}, 0, 0};  // 16x8 pixels of four 8-bit channels
  header.input_bytes = 7 * 64 + 64;
  header.output_bytes = 4 * 2 * 8;
  return header;
}

UnitHeader honest_file(uint64_t id) {
  UnitHeader header;
  header.kind = kFileKind;
  header.id = id;
  header.output_bytes = kAnySize;
  header.fields[0] = id % 2;
  return header;
}

// Rank 0 by hand. Every unit that is understood, and gets the input it announces, is answered once.
class HostileRoot {
 public:
  explicit HostileRoot(Script script) : script_(script) {
    network_.watch([this](int from, int tag, const Bytes& bytes) { look(from, tag, bytes); });
  }

  std::string attack() {
    for (uint64_t id = 0; id < kMostUnits && (id == 0 || !script_.at_end()); ++id) {
      give(id);
    }
    if (units_ == 0) {
      say_stop();
    }
    const auto backend = make_serial_backend();
    const RankJob job;
    const std::vector<FilePair> files = list_of_missing_files();
    const UnitHandler handler = rank_unit_handler(job, files, bc1_maker());
    const WorkerStart start;
    RankGroup group(network_.connect(1), &ended_);
    WorkerThreads threads({backend.get()}, handler, start);
    const auto served = UnitServer(group, threads).serve();
    if (!served && served.error().message.empty()) {
      return "the worker ended without a sentence";
    }
    return problem_;
  }

 private:
  static constexpr uint64_t kMostUnits = 4;

  void give(uint64_t id) {
    const UnitHeader honest = script_.number(1) % 4 == 3 ? honest_file(id) : honest_strip(id);
    Bytes message = write_unit_header(honest);
    const size_t input_bytes = script_.change(message, SIZE_MAX);
    limit_number(message, kInputBytesOffset);
    network_.put(0, 1, kUnitTag, message);
    const auto header = parse_unit_header(message);
    if (!header || header->kind == kStopKind) {  // refused, or ends by itself
      ++units_;
      return;
    }
    ++units_;
    if (header->input_bytes > 0 && header->shared.file == 0) {
      network_.put(0, 1, kInputTag,
                   Bytes(input_bytes == SIZE_MAX ? header->input_bytes : input_bytes, 0x5A));
    }
  }

  void say_stop() {
    UnitHeader header;
    header.kind = kStopKind;
    network_.put(0, 1, kUnitTag, write_unit_header(header));
  }

  // Each reply of the worker.
  void look(int from, int tag, const Bytes& bytes) {
    if (from != 1 || tag != kReplyTag) {
      return;
    }
    const auto header = parse_reply_header(bytes);
    if (!header) {
      problem_ = "the worker sent a reply that cannot be read";
    } else if (header->id == kNoUnit) {
      ended_ = true;  // rank 0 would end all ranks
    }
    if (++replies_ == units_) {
      say_stop();
    }
  }

  Script script_;
  MemoryNetwork network_{2};
  std::atomic<bool> ended_ = false;
  uint64_t units_ = 0;
  uint64_t replies_ = 0;
  std::string problem_;
};

// Ranks 1 and 2 by hand: they answer the units of an image and of a list of files.
class HostileWorkers {
 public:
  explicit HostileWorkers(Script script) : script_(script) {}

  std::string attack() {
    Coordinator coordinator(group_, greetings_, [](const Error&) {});
    const Bytes pixels(kWidth * kHeight * 4, 0x33);
    ImageView image;
    image.data = pixels.data();
    image.info.width = kWidth;
    image.info.height = kHeight;
    image.info.channels = 4;
    image.row_stride = kWidth * 4;
    image.slice_stride = pixels.size();
    TextureInfo format;
    format.format = bc1_job().codec->format();
    StripLedger ledger(3);
    const RunControl control;
    Bytes blocks(kGuard + kWidth * kHeight / 2 + kGuard, kGuardByte);
    StripRun strips(image, 0, format, coordinator, {1}, ledger, control,
                    std::span(blocks).subspan(kGuard, kWidth * kHeight / 2));
    FileQueue files(order_, files_, 3, /*gather=*/false, nullptr, done_);
    const std::string problem = talk(strips, files);
    for (size_t i = 0; i < kGuard; ++i) {
      if (blocks[i] != kGuardByte || blocks[blocks.size() - 1 - i] != kGuardByte) {
        return "a reply was written outside of its place";
      }
    }
    return problem;
  }

 private:
  static constexpr uint32_t kWidth = 16;
  static constexpr uint32_t kHeight = 32;
  static constexpr size_t kGuard = 64;  // bytes
  static constexpr uint8_t kGuardByte = 0xEE;

  std::string talk(StripRun& strips, FileQueue& files) {
    UnitDispatch dispatch(group_, greetings_);
    if (!dispatch.begin()) {
      return "the dispatch does not begin";
    }
    constexpr int kMostSteps = 64;
    for (int i = 0; i < kMostSteps; ++i) {
      const auto step = dispatch.step([&](int rank) {
        auto unit = files.take(rank);
        return unit ? unit : strips.take(rank);
      });
      if (!step) {
        return step.error().message.empty() ? "rank 0 ended without a sentence" : "";
      }
      if (!answer(1) && !answer(2) && !*step) {
        return dispatch.is_idle() ? "" : "rank 0 waits for replies that it has got";
      }
    }
    return "rank 0 goes on for ever";
  }

  // Whether the rank had a unit.
  bool answer(int rank) {
    const auto bytes = network_.take(0, rank, kUnitTag);
    if (!bytes) {
      return false;
    }
    const UnitHeader unit = parse_unit_header(*bytes).value();
    ReplyHeader reply;
    reply.id = unit.id;
    reply.busy_nanoseconds = 1000;
    Bytes data(unit.output_bytes == kAnySize ? 0 : unit.output_bytes, 0x77);
    if (unit.output_bytes == kAnySize) {
      data = write_file_reply(MadeFile(), false);
      change_report(data);
    }
    reply.bytes = data.size();
    Bytes message = write_reply_header(reply);
    const size_t length = script_.change(message, data.size());
    limit_number(message, kReplyBytesOffset);
    data.resize(length);
    network_.put(rank, 0, kReplyTag, message);
    const auto header = parse_reply_header(message);
    if (header && header->bytes > 0) {  // else nobody waits for it
      network_.put(rank, 0, kReplyDataTag, data);
    }
    return true;
  }

  void change_report(Bytes& data) {
    if (script_.number(1) % 2 == 1) {
      data.resize(script_.change(data, data.size()));
    }
  }

  Script script_;
  MemoryNetwork network_{3};
  RankGroup group_{network_.connect(0), nullptr};
  const std::vector<Greeting> greetings_{3};
  const std::vector<size_t> order_ = {0, 1};
  const std::vector<FilePair> files_ = {{"a", "/nonexistent/a"}, {"b", "/nonexistent/b"}};
  const FileQueue::Done done_ = [](const FileOutcome<FileEncodeReport>&) {};
};

// Rank 0 by hand greets rank 1, or rank 1 by hand greets rank 0; then rank 0 announces an image.
std::string attack_greetings(Script script) {
  const int victim = static_cast<int>(script.number(1) % 2);
  MemoryNetwork network(2);
  RankGroup group(network.connect(victim), nullptr);
  Bytes greeting = write_greeting({});
  script.change(greeting, 0);
  greeting.resize(kGreetingBytes);  // what MPI gathers has a fixed size
  network.put_collective(0, 1 - victim, greeting);
  network.put_collective(1, 1 - victim, {static_cast<uint8_t>(script.number(1))});
  const auto greetings = group.agree({});
  if (!greetings) {
    return greetings.error().message.empty() ? "refused without a sentence" : "";
  }
  const Status checked = check_greetings(*greetings);
  if (total_threads(*greetings) < 2 || victim == 0) {
    return total_threads(*greetings) < 2 ? "ranks without threads" : "";
  }
  ImageInfo info;
  info.width = info.height = 8;
  info.channels = 3;
  const size_t stride = Image::create(info)->row_stride();
  Bytes source(24);  // code, width, height, channels and stride of an image
  source[4] = source[8] = 8;
  source[12] = 3;
  source[16] = static_cast<uint8_t>(stride);
  script.change(source, 0);
  source.resize(24);
  source[6] = source[7] = source[10] = source[11] = 0;  // sides of less than 1024 pixels
  source[5] &= 3;
  source[9] &= 3;
  network.put_collective(2, 0, source);
  network.put_collective(3, 0, Bytes(stride * 8, 1));
  const auto shared = share_source(failed_error("not rank 0"), group);
  return !shared && shared.error().message.empty() ? "refused without a sentence" : "";
}

// Another process whose results are wrong.
class HostileLoop : public SharedLoop {
 public:
  explicit HostileLoop(Script script) : script_(script) {}

  size_t processes() const override { return 2; }

  Status run(const SharedWork& work) override {
    TESSERA_RETURN_IF_ERROR(work.compute(0, work.count));
    const size_t begin = work.count > 0 ? script_.number(1) % work.count : 0;
    Bytes results;
    work.save(begin, work.count, results);
    if (!results.empty()) {
      results.resize(script_.change(results, results.size()));
    }
    return work.load(begin, work.count, results);
  }

 private:
  Script script_;
};

std::string attack_fractal(Script script) {
  ImageInfo info;
  info.width = 20;  // some blocks are whole, some are not, and some have domains
  info.height = 16;
  info.channels = 1;
  Image image = Image::create(info).value();
  const auto seed = static_cast<uint32_t>(script.number(1));
  for (uint32_t y = 0; y < info.height; ++y) {
    for (uint32_t x = 0; x < info.width; ++x) {
      image.row<uint8_t>(y)[x] = static_cast<uint8_t>(x * 5 + y * seed + (x * y) % 31);
    }
  }
  HostileLoop loop(script);
  const auto backend = make_serial_backend();
  const auto encoder = fractal_codec().make_shared_encoder({}, loop);
  EncodePlan plan;
  plan.codec = *find_codec("fractal");
  plan.container = plan.codec->row().default_container;
  PreparedImage prepared = {std::move(image), false};
  const auto encoded = encode_prepared(prepared, plan, **encoder, *backend, {});
  if (!encoded) {
    return encoded.error().message.empty() ? "refused without a sentence" : "";
  }
  // What was possible has become a file that can be read.
  const auto decoded = fractal::decode_fractal(encoded->bytes, {}, fractal::run_serially, "it");
  return decoded ? ""
                 : "results that were accepted make a file that cannot be read: " +
                       decoded.error().message;
}

void put(Bytes& script, uint64_t number, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    script.push_back(static_cast<uint8_t>(number >> (8 * i)));
  }
}

}  // namespace

std::string attack(Victim victim, ByteSpan script) {
  switch (victim) {
    case Victim::kWorker:
      return HostileRoot(Script(script)).attack();
    case Victim::kDispatch:
      return HostileWorkers(Script(script)).attack();
    case Victim::kGreetings:
      return attack_greetings(Script(script));
    default:
      return attack_fractal(Script(script));
  }
}

Bytes one_change(size_t offset, uint8_t change) {
  Bytes script = {kChangeByte};
  put(script, offset, 2);
  put(script, change, 1);
  return script;
}

Bytes one_number(size_t offset, uint64_t number) {
  Bytes script = {kWriteNumber};
  put(script, offset, 2);
  put(script, number, 8);
  return script;
}

Bytes other_lengths(size_t header_bytes, size_t data_bytes) {
  Bytes script = {kOtherLengths};
  put(script, header_bytes, 2);
  put(script, data_bytes, 2);
  return script;
}

}  // namespace tessera::cluster
