// A block per thread. What a thread must index lies in shared memory, where neighbouring threads
// use neighbouring words.
#include "astc/cuda/decode_picture.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "astc/cuda/decode_block-inl.h"
#include "base/bytes.h"

namespace tessera::astc {
namespace {

constexpr unsigned kThreads = 128;  // of a group
constexpr unsigned kWarp = 32;      // side by side in a row of blocks
constexpr unsigned kWarps = kThreads / kWarp;
constexpr unsigned kMostWidth = 12;  // texels of a block
// A warp decodes 32 blocks side by side so many times, as every group has to copy the tables first.
// More would let warps with hard blocks finish late. Small pictures have a warp for each 32 blocks.
constexpr unsigned kTurns = 4;
constexpr unsigned kFewGroups = 2048;

struct SharedStorage {
  uint32_t* words;
  device::Channels* lines;

  __device__ __forceinline__ uint32_t& word(uint32_t i) { return words[i * kThreads]; }
  __device__ __forceinline__ device::Channels& line(uint32_t i) { return lines[i * kThreads]; }
};

struct DecodeWork {
  const uint4* blocks;
  uint32_t across, down;
  const DecodeTables* tables;
  const uint32_t* patterns;
  MutableDeviceImage target;
  bool has_aligned_rows;  // to 16 bytes
};

__device__ __forceinline__ uint8_t* texel_row(const DecodeWork& work, uint32_t y) {
  return static_cast<uint8_t*>(work.target.texels) + size_t{y} * work.target.row_bytes;
}

__device__ __forceinline__ Block128 load(const uint4* block) {
  const uint4 words = __ldcs(block);
  return {words.x | (uint64_t{words.y} << 32), words.z | (uint64_t{words.w} << 32)};
}

// A row of texels of all blocks of a warp, which lie side by side: by way of shared memory, so that
// neighbouring threads write neighbouring texels.
__device__ __forceinline__ void write_row(const DecodeWork& work, const DecodeShape& shape,
                                          const uint32_t* row, uint32_t first_block, uint32_t y) {
  __syncwarp();
  const uint32_t first = first_block * shape.width;
  const uint32_t count =
      first < work.target.width ? min(kWarp * shape.width, work.target.width - first) : 0;
  auto* const out = reinterpret_cast<uint32_t*>(texel_row(work, y)) + first;
  for (uint32_t i = threadIdx.x % kWarp; i < count; i += kWarp) {
    __stcs(out + i, row[i]);
  }
  __syncwarp();
}

// All texels of the thread's block combined by "and", as in decode_4x4().
template <DecodeMode kMode, unsigned kWidth>
__device__ __forceinline__ uint32_t decode_any_size(const DecodeWork& work,
                                                    const DecodeShape& shape,
                                                    const device::Unpacked& block,
                                                    SharedStorage& storage, uint32_t* warp_row,
                                                    uint32_t first_block, uint32_t block_y) {
  uint32_t all = ~0u;
  uint32_t* const own = warp_row + threadIdx.x % kWarp * shape.width;
  const uint32_t rows = min(shape.height, work.target.height - block_y * shape.height);
#pragma unroll 1
  for (uint32_t y = 0; y < rows; ++y) {
    device::decode_row<kWidth>(block, shape, y, kMode, storage, [&](uint32_t x, uint32_t texel) {
      own[x] = texel;
      all &= texel;
    });
    write_row(work, shape, warp_row, first_block, block_y * shape.height + y);
  }
  return all;
}

// Whole blocks of 4x4 in aligned rows: a row of a block is one store.
template <DecodeMode kMode>
__device__ __forceinline__ uint32_t decode_4x4(const DecodeWork& work,
                                               const device::Unpacked& block,
                                               SharedStorage& storage, uint32_t block_x,
                                               uint32_t block_y) {
  constexpr DecodeShape kShape = decode_shape({4, 4, 1});
  uint32_t all = ~0u;
#pragma unroll 1
  for (uint32_t y = 0; y < 4; ++y) {
    uint32_t texels[4];
    device::decode_row<4>(block, kShape, y, kMode, storage,
                          [&](uint32_t x, uint32_t texel) { texels[x] = texel; });
    const uint4 four = make_uint4(texels[0], texels[1], texels[2], texels[3]);
    __stcs(reinterpret_cast<uint4*>(texel_row(work, 4 * block_y + y)) + block_x, four);
    all &= four.x & four.y & four.z & four.w;
  }
  return all;
}

__device__ __forceinline__ void copy_tables(const ReadTables& from, ReadTables& to) {
  const auto* const source = reinterpret_cast<const uint4*>(&from);
  auto* const target = reinterpret_cast<uint4*>(&to);
  for (uint32_t i = threadIdx.x; i < sizeof(ReadTables) / sizeof(uint4); i += kThreads) {
    target[i] = source[i];
  }
  __syncthreads();
}

template <DecodeMode kMode, unsigned kWidth>
__global__ void __launch_bounds__(kThreads)
    decode_blocks(const __grid_constant__ DecodeWork work,
                  const __grid_constant__ DecodeShape given_shape) {
  constexpr bool kIs4x4 = kWidth == 4;  // no other blocks are as narrow
  constexpr uint32_t kMostWeights = kIs4x4 ? 2 * 16 : kMaxWeights;
  __shared__ ReadTables tables;
  __shared__ uint32_t words[(kMostWeights / 4 + device::kSpareWords) * kThreads];
  __shared__ device::Channels lines[2 * kMaxPartitions * kThreads];
  __shared__ uint32_t rows[kWarps][kWarp * (kWidth > 0 ? kWidth : kMostWidth)];
  copy_tables(work.tables->read, tables);
  constexpr DecodeShape k4x4 = decode_shape({4, 4, 1});
  const DecodeShape shape = kIs4x4 ? k4x4 : given_shape;
  SharedStorage storage = {words + threadIdx.x, lines + threadIdx.x};
  const uint32_t warps_across = (work.across + kWarp - 1) / kWarp;
  const uint32_t own_warp = threadIdx.x / kWarp;
  // Texels of 2^32 times 32 blocks would not fit into any memory.
  const uint32_t warps = warps_across * work.down;
  for (uint32_t i = blockIdx.x * kWarps + own_warp; i < warps; i += gridDim.x * kWarps) {
    const uint32_t y = i / warps_across;
    const uint32_t first_of_warp = i % warps_across * kWarp;
    const uint32_t x = first_of_warp + threadIdx.x % kWarp;
    device::Unpacked block;
    if (x < work.across) {
      block =
          device::unpack_block(load(work.blocks + size_t{y} * work.across + x), work.tables->modes,
                               tables, shape, work.patterns, kMode, storage);
    } else {
      block = device::error_block(kMode, storage);  // beside the picture; the warp stays together
    }
    const bool is_whole =
        4 * (first_of_warp + kWarp) <= work.target.width && 4 * y + 4 <= work.target.height;
    const uint32_t all = kIs4x4 && work.has_aligned_rows && is_whole
                             ? decode_4x4<kMode>(work, block, storage, x, y)
                             : decode_any_size<kMode, kWidth>(work, shape, block, storage,
                                                              rows[own_warp], first_of_warp, y);
    if (work.target.not_opaque != nullptr && all < 0xFF000000u) {
      *work.target.not_opaque = 1;
    }
  }
}

template <DecodeMode kMode, unsigned kWidth>
Status launch(const DecodeWork& work, BlockSize size, cudaStream_t stream) {
  const uint64_t warps = divide_round_up(work.across, kWarp) * work.down;
  const uint64_t most = divide_round_up(warps, kWarps);
  const auto groups = static_cast<unsigned>(
      std::max(divide_round_up(most, kTurns), std::min<uint64_t>(most, kFewGroups)));
  decode_blocks<kMode, kWidth><<<groups, kThreads, 0, stream>>>(work, decode_shape(size));
  return cuda_status(cudaGetLastError(), "cannot start a kernel");
}

template <DecodeMode kMode>
Status launch(const DecodeWork& work, BlockSize size, cudaStream_t stream) {
  Status result;
  device::with_width(size.width,
                     [&](auto width) { result = launch<kMode, width()>(work, size, stream); });
  return result;
}

}  // namespace

Result<const CudaDecoder::Tables*> CudaDecoder::load_tables(BlockSize size) {
  const size_t number = *block_size_index(size);
  const auto found = tables_.find(number);
  if (found != tables_.end()) {
    return &found->second;
  }
  const auto tables = std::make_unique<DecodeTables>(make_decode_tables(size));
  const std::vector<uint32_t> patterns = make_decode_patterns(size);
  Tables made;
  TESSERA_RETURN_IF_ERROR(fill_with_tables(tables.get(), sizeof *tables, made.memory));
  TESSERA_RETURN_IF_ERROR(
      fill_with_tables(patterns.data(), patterns.size() * sizeof patterns[0], made.patterns));
  return &tables_.emplace(number, std::move(made)).first->second;
}

Status CudaDecoder::decode(const void* blocks, BlockSize size, DecodeMode mode,
                           const MutableDeviceImage& target, cudaStream_t stream) {
  TESSERA_ASSIGN_OR_RETURN(const Tables* tables, load_tables(size));
  const bool is_aligned =
      target.row_bytes % 16 == 0 && reinterpret_cast<uintptr_t>(target.texels) % 16 == 0;
  const DecodeWork work = {static_cast<const uint4*>(blocks),
                           static_cast<uint32_t>(divide_round_up(target.width, size.width)),
                           static_cast<uint32_t>(divide_round_up(target.height, size.height)),
                           tables->memory.as<const DecodeTables>(),
                           tables->patterns.as<const uint32_t>(),
                           target,
                           is_aligned};
  if (mode == DecodeMode::kSrgb) {
    return launch<DecodeMode::kSrgb>(work, size, stream);
  }
  if (mode == DecodeMode::kLdrUnorm8) {
    return launch<DecodeMode::kLdrUnorm8>(work, size, stream);
  }
  return launch<DecodeMode::kLdrFloat16>(work, size, stream);
}

}  // namespace tessera::astc
