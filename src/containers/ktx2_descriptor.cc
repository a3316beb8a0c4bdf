// Writing and checking the data format descriptor of .ktx2 files.
#include "containers/ktx2_descriptor.h"

#include <array>

#include "containers/ktx2_error.h"

namespace tessera {
namespace {

constexpr uint16_t kBlockVersion = 2;
constexpr uint16_t kBlockBytes = 24 + 16;  // of the basic block: its head and one sample
constexpr uint32_t kTotalBytes = 4 + kBlockBytes;

constexpr uint8_t kPrimariesBt709 = 1;
constexpr uint8_t kTransferLinear = 1;
constexpr uint8_t kTransferSrgb = 2;

constexpr uint8_t kChannelColor = 0;  // the format without alpha
constexpr uint8_t kChannelMask = 0x0f;
constexpr uint8_t kQualifierSigned = 0x40;
constexpr uint8_t kQualifierFloat = 0x80;

// Bounds of a sample's values: of a float -1 and 1, of an integer everything.
constexpr uint32_t kFloatLower = 0xBF800000;
constexpr uint32_t kFloatUpper = 0x3F800000;

struct Descriptor {
  uint32_t total_bytes = 0;
  uint32_t vendor_and_type = 0;
  uint16_t version = 0;
  uint16_t block_bytes = 0;
  uint8_t model = 0;
  uint8_t transfer = 0;
  std::array<uint8_t, 4> texel_block = {};  // sides less one
  std::array<uint8_t, 8> plane_bytes = {};
  uint16_t bit_offset = 0;
  uint8_t bit_length = 0;  // less one
  uint8_t channel = 0;     // and qualifiers
};

Descriptor read_descriptor(ByteReader& reader) {
  Descriptor descriptor;
  descriptor.total_bytes = reader.read<uint32_t>();
  descriptor.vendor_and_type = reader.read<uint32_t>();
  descriptor.version = reader.read<uint16_t>();
  descriptor.block_bytes = reader.read<uint16_t>();
  descriptor.model = reader.read<uint8_t>();
  reader.skip(1);  // primaries: any
  descriptor.transfer = reader.read<uint8_t>();
  reader.skip(1);  // flags: alpha premultiplied or not
  for (uint8_t& side : descriptor.texel_block) {
    side = reader.read<uint8_t>();
  }
  for (uint8_t& bytes : descriptor.plane_bytes) {
    bytes = reader.read<uint8_t>();
  }
  descriptor.bit_offset = reader.read<uint16_t>();
  descriptor.bit_length = reader.read<uint8_t>();
  descriptor.channel = reader.read<uint8_t>();
  reader.skip(12);  // position and bounds: nothing here depends on them
  return descriptor;
}

std::array<uint8_t, 4> texel_block_of(const BlockSize& block) {
  return {static_cast<uint8_t>(block.width - 1), static_cast<uint8_t>(block.height - 1),
          static_cast<uint8_t>(block.depth - 1), 0};
}

// Files that are compressed once more say 0 when they follow older editions of the specification.
bool has_right_planes(const Descriptor& descriptor, TextureFormat format, bool supercompressed) {
  std::array<uint8_t, 8> expected = {};
  if (supercompressed && descriptor.plane_bytes == expected) {
    return true;
  }
  expected[0] = static_cast<uint8_t>(bytes_per_block(format));
  return descriptor.plane_bytes == expected;
}

bool has_right_sample(const Descriptor& descriptor, const TextureInfo& info) {
  const uint8_t channel = descriptor.channel & kChannelMask;
  const bool known_channel =
      channel == kChannelColor || channel == format_row(info.format).khronos_channel;
  const bool is_float = (descriptor.channel & kQualifierFloat) != 0;
  return descriptor.bit_offset == 0 &&
         descriptor.bit_length == bytes_per_block(info.format) * 8 - 1 && known_channel &&
         is_float == info.hdr;
}

}  // namespace

Bytes make_ktx2_descriptor(const TextureInfo& info) {
  const FormatRow& row = format_row(info.format);
  Bytes bytes;
  ByteWriter writer(bytes);
  writer.write(kTotalBytes);
  writer.write(uint32_t{0});  // Khronos, basic format
  writer.write(kBlockVersion);
  writer.write(kBlockBytes);
  writer.write(row.khronos_color_model);
  writer.write(kPrimariesBt709);
  writer.write(info.srgb ? kTransferSrgb : kTransferLinear);
  writer.write(uint8_t{0});  // alpha is not premultiplied
  writer.write_bytes(texel_block_of(info.block));
  writer.write(static_cast<uint8_t>(bytes_per_block(info.format)));
  writer.write_zeros(7);
  writer.write(uint16_t{0});  // bit offset
  writer.write(static_cast<uint8_t>(bytes_per_block(info.format) * 8 - 1));
  writer.write(static_cast<uint8_t>(row.khronos_channel |
                                    (info.hdr ? kQualifierSigned | kQualifierFloat : 0)));
  writer.write(uint32_t{0});  // sample position
  writer.write(info.hdr ? kFloatLower : 0);
  writer.write(info.hdr ? kFloatUpper : UINT32_MAX);
  return bytes;
}

Status check_ktx2_descriptor(ByteSpan bytes, const TextureInfo& info, bool supercompressed,
                             const std::string& name) {
  const auto mismatch = [&](const std::string& field) {
    return invalid_ktx2(name,
                        "its data format descriptor and its format number disagree about " + field);
  };
  ByteReader reader(bytes);
  const Descriptor descriptor = read_descriptor(reader);
  if (!reader.ok() || descriptor.total_bytes != bytes.size() || descriptor.vendor_and_type != 0 ||
      descriptor.version != kBlockVersion || descriptor.block_bytes != kBlockBytes) {
    return invalid_ktx2(name, "it does not have a basic data format descriptor with one sample");
  }
  if (descriptor.model != format_row(info.format).khronos_color_model) {
    return mismatch("the colour model");
  }
  if (info.hdr && descriptor.transfer == kTransferSrgb) {
    return unsupported_error(name + " holds HDR samples that are sRGB, which is not supported");
  }
  if ((descriptor.transfer == kTransferSrgb) != info.srgb) {
    return mismatch("whether it is sRGB");
  }
  if (descriptor.texel_block != texel_block_of(info.block)) {
    return mismatch("the size of a block in texels");
  }
  if (!has_right_planes(descriptor, info.format, supercompressed)) {
    return mismatch("the size of a block in bytes");
  }
  if (!has_right_sample(descriptor, info)) {
    return mismatch("what a sample is");
  }
  return {};
}

}  // namespace tessera
