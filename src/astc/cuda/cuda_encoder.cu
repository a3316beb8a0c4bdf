// Puts tables and working memory on the device, and calls the driver for the block size.
#include "astc/cuda/cuda_encoder.h"

#include <algorithm>
#include <vector>

#include "astc/cuda/picture_encoders.h"
#include "base/bytes.h"
#include "exec/cuda/cuda_machine.cuh"

namespace tessera::astc {
namespace {

struct Driver {
  Status (*encode)(CudaMachine& machine, const DeviceWork& work);
  Status (*measure)(CudaMachine& machine, const DeviceWork& work, std::span<const uint32_t> places,
                    std::span<float> errors);
};

Driver driver_of(BlockSize size) {
  if (size == BlockSize{4, 4, 1}) {
    return {encode_picture_4x4, measure_blocks_4x4};
  }
  if (size == BlockSize{6, 6, 1}) {
    return {encode_picture_6x6, measure_blocks_6x6};
  }
  return {encode_picture_any, measure_blocks_any};
}

}  // namespace

Result<DeviceTables> CudaEncoder::load_tables(BlockSize size, const EncodeSettings& settings) {
  const Flat<EncodeTables>& flat = flat_encode_tables(size, TableNeeds::of(settings, size));
  std::unique_ptr<LoadedTables>& loaded = tables_[&flat.root()];
  if (loaded) {
    return loaded->pointers;
  }
  auto made = std::make_unique<LoadedTables>(flat.root());
  if (made->bins.count > kMaxJobBins) {
    return failed_error("the encoder's tables are larger than expected");
  }
  const size_t table_bytes = divide_round_up(flat.bytes().size(), 256) * 256;
  const auto& bin_of_candidate = made->bins.bin_of_candidate;
  TESSERA_RETURN_IF_ERROR(
      made->memory.reserve(table_bytes + bin_of_candidate.size() * sizeof(uint16_t)));
  auto* const memory = made->memory.as<std::byte>();
  TESSERA_RETURN_IF_ERROR(copy_tables(flat.bytes().data(), flat.bytes().size(), memory));
  TESSERA_RETURN_IF_ERROR(copy_tables(bin_of_candidate.data(),
                                      bin_of_candidate.size() * sizeof(uint16_t),
                                      memory + table_bytes));
  made->pointers = {reinterpret_cast<const EncodeTables*>(memory),
                    reinterpret_cast<const uint16_t*>(memory + table_bytes), &made->bins};
  loaded = std::move(made);
  return loaded->pointers;
}

// What is free, or ours already, less a share for others.
size_t CudaEncoder::memory_for_work() const {
  size_t free_bytes = 0, all_bytes = 0;
  if (cudaMemGetInfo(&free_bytes, &all_bytes) != cudaSuccess) {
    return work_memory_.bytes();
  }
  return free_bytes / 4 * 3 + work_memory_.bytes();
}

uint32_t CudaEncoder::rows_at_once(uint32_t across, BlockSize size,
                                   const EncodeSettings& settings, size_t strips) const {
  const EffortPlan efforts(settings, size);
  const size_t picture_bytes = strips * (size.texel_count() * 4 + kBlockBytes);
  // Jobs are numbered with 32 bits.
  constexpr uint64_t kMostConfigurations = uint64_t{1} << 31;
  constexpr uint64_t kMostBlocks = uint64_t{1} << 26;
  const uint64_t most = std::min(
      {kMostConfigurations / efforts[0].fits, kMostBlocks,
       uint64_t{memory_for_work() / (work_space_bytes(1024, size, efforts) / 1024 + picture_bytes)}});
  return static_cast<uint32_t>(std::max<uint64_t>(1, most / across));
}

Result<PictureFacts> CudaEncoder::look_at(DeviceWork work, const EncodeSettings& settings,
                                          cudaStream_t stream) {
  const uint64_t down = divide_round_up(work.picture.height, work.size.height);
  const SampledBlocks samples({work.picture.across, down, 1}, settings);
  std::vector<uint32_t> places(samples.count());
  for (size_t i = 0; i < places.size(); ++i) {
    places[i] = static_cast<uint32_t>(samples[i]);
  }
  work.efforts = EffortPlan(sample_settings(settings), work.size);
  std::vector<float> errors(places.size());
  CudaMachine machine(stream, branches_, processors_);
  TESSERA_RETURN_IF_ERROR(driver_of(work.size).measure(machine, work, places, errors));
  return PictureFacts{mean_error_of_sample(work.picture, work.size, places, errors)};
}

Status CudaEncoder::encode(const Picture& picture, BlockSize size, const EncodeSettings& settings,
                           std::optional<PictureFacts> facts, Block128* out, cudaStream_t stream) {
  const EffortPlan efforts(settings, size);
  const auto down = static_cast<uint32_t>(divide_round_up(picture.height, size.height));
  const uint32_t blocks = picture.across * down;
  TESSERA_RETURN_IF_ERROR(work_memory_.reserve(work_space_bytes(blocks, size, efforts)));
  DeviceWork work = {size,    picture,
                     blocks,  picture.width % size.width != 0 || picture.height % size.height != 0,
                     efforts, {},
                     {},      make_work_space(work_memory_.as<std::byte>(), blocks, size, efforts),
                     out};
  for (unsigned i = 0; i < efforts.count(); ++i) {
    TESSERA_ASSIGN_OR_RETURN(work.tables[i], load_tables(size, efforts[i]));
  }
  if (!facts && need_facts(settings)) {
    TESSERA_ASSIGN_OR_RETURN(facts, look_at(work, settings, stream));
  }
  work.facts = facts.value_or(PictureFacts{});
  CudaMachine machine(stream, branches_, processors_);
  return driver_of(size).encode(machine, work);
}

}  // namespace tessera::astc
