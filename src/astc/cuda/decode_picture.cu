// A block per thread. What a thread must index lies in shared memory, where neighbouring threads
// use neighbouring bytes and words.
#include "astc/cuda/decode_picture.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "astc/cuda/decode_block-inl.h"
#include "base/bytes.h"

namespace tessera::astc {
namespace {

constexpr unsigned kThreads = 64;  // of a group, side by side in a row of blocks
constexpr unsigned kWarp = 32;
constexpr unsigned kMostWidth = 12;  // texels of a block
constexpr unsigned kMostGroupsDown = 65535;

struct SharedStorage {
  uint16_t* weights;
  device::Channels* lines;

  __device__ __forceinline__ uint16_t& weight(uint32_t i) { return weights[i * kThreads]; }
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
template <DecodeMode kMode>
__device__ __forceinline__ uint32_t decode_any_size(const DecodeWork& work,
                                                    const DecodeShape& shape,
                                                    const device::Unpacked& block,
                                                    SharedStorage& storage, uint32_t* warp_row,
                                                    uint32_t first_block, uint32_t block_y) {
  uint32_t all = ~0u;
  uint32_t* const own = warp_row + threadIdx.x % kWarp * shape.width;
  const uint32_t rows = min(shape.height, work.target.height - block_y * shape.height);
  for (uint32_t y = 0; y < rows; ++y) {
    device::decode_row(block, shape, y, kMode, storage, [&](uint32_t x, uint32_t texel) {
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
    device::decode_row(block, kShape, y, kMode, storage,
                       [&](uint32_t x, uint32_t texel) { texels[x] = texel; });
    const uint4 four = make_uint4(texels[0], texels[1], texels[2], texels[3]);
    __stcs(reinterpret_cast<uint4*>(texel_row(work, 4 * block_y + y)) + block_x, four);
    all &= four.x & four.y & four.z & four.w;
  }
  return all;
}

template <DecodeMode kMode, bool kIs4x4>
__global__ void __launch_bounds__(kThreads)
    decode_blocks(const __grid_constant__ DecodeWork work,
                  const __grid_constant__ DecodeShape given_shape) {
  constexpr uint32_t kMostWeights = kIs4x4 ? 2 * 16 : kMaxWeights;
  __shared__ uint16_t weights[(kMostWeights + device::kSpareWeights) * kThreads];
  __shared__ device::Channels lines[2 * kMaxPartitions * kThreads];
  __shared__ uint32_t rows[kThreads / kWarp][kIs4x4 ? kWarp * 4 : kWarp * kMostWidth];
  constexpr DecodeShape k4x4 = decode_shape({4, 4, 1});
  const DecodeShape shape = kIs4x4 ? k4x4 : given_shape;
  SharedStorage storage = {weights + threadIdx.x, lines + threadIdx.x};
  const uint32_t x = blockIdx.x * kThreads + threadIdx.x;
  const uint32_t first_of_warp = x - threadIdx.x % kWarp;
  for (uint32_t y = blockIdx.y; y < work.down; y += gridDim.y) {
    device::Unpacked block;
    if (x < work.across) {
      block = device::unpack_block(load(work.blocks + size_t{y} * work.across + x), *work.tables,
                                   shape, work.patterns, kMode, storage);
    } else {
      block = device::error_block();  // beside the picture; the warp stays together
    }
    const bool is_whole =
        4 * (first_of_warp + kWarp) <= work.target.width && 4 * y + 4 <= work.target.height;
    const uint32_t all = kIs4x4 && work.has_aligned_rows && is_whole
                             ? decode_4x4<kMode>(work, block, storage, x, y)
                             : decode_any_size<kMode>(work, shape, block, storage,
                                                      rows[threadIdx.x / kWarp], first_of_warp, y);
    if (work.target.not_opaque != nullptr && all < 0xFF000000u) {
      *work.target.not_opaque = 1;
    }
  }
}

template <DecodeMode kMode>
void launch(const DecodeWork& work, BlockSize size, cudaStream_t stream) {
  const DecodeShape shape = decode_shape(size);
  const dim3 groups((work.across + kThreads - 1) / kThreads, std::min(work.down, kMostGroupsDown));
  if (size == BlockSize{4, 4, 1}) {
    decode_blocks<kMode, true><<<groups, kThreads, 0, stream>>>(work, shape);
  } else {
    decode_blocks<kMode, false><<<groups, kThreads, 0, stream>>>(work, shape);
  }
}

Status fill(const void* from, size_t bytes, CudaDeviceBuffer& to) {
  TESSERA_RETURN_IF_ERROR(to.reserve(bytes));
  return cuda_status(cudaMemcpy(to.as<std::byte>(), from, bytes, cudaMemcpyHostToDevice),
                     "cannot take the tables");
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
  TESSERA_RETURN_IF_ERROR(fill(tables.get(), sizeof *tables, made.memory));
  TESSERA_RETURN_IF_ERROR(
      fill(patterns.data(), patterns.size() * sizeof patterns[0], made.patterns));
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
    launch<DecodeMode::kSrgb>(work, size, stream);
  } else if (mode == DecodeMode::kLdrUnorm8) {
    launch<DecodeMode::kLdrUnorm8>(work, size, stream);
  } else {
    launch<DecodeMode::kLdrFloat16>(work, size, stream);
  }
  return cuda_status(cudaGetLastError(), "cannot start a kernel");
}

}  // namespace tessera::astc
