// Reads the slices of a volume one after the other.
#include "files/volume_slices.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "files/content_hash.h"
#include "files/file.h"
#include "files/pictures/image_file.h"

namespace tessera {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes the digits that a text begins with, without the zeros in front of them.
std::string_view take_digits(std::string_view& text) {
  const auto* const end = std::find_if_not(text.begin(), text.end(), is_digit);
  std::string_view digits = text.substr(0, static_cast<size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

std::string size_text(const ImageInfo& info) {
  return std::to_string(info.width) + "x" + std::to_string(info.height);
}

// A slice has been read: the memory of all of them is known now.
Result<Image> read_slice(const EncodeJob& job, const std::string& path, const RunControl& control,
                         uint64_t& source_hash) {
  const auto slices = static_cast<uint64_t>(job.slices.size());
  ReadBudget budget(control.limits, control.cancelled, [&](uint64_t pixels) {
    constexpr uint64_t kPreparedBytes = 4;  // of a pixel, in the volume
    return encode_memory(job, pixels * slices) + pixels * slices * kPreparedBytes;
  });
  budget.set_reserve(control.reserve);
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(path, budget, [](ByteSpan head) {
                             return detect_image_file_type(head).has_value();
                           }));
  const uint64_t both[] = {source_hash, content_hash(bytes)};
  source_hash = content_hash({reinterpret_cast<const uint8_t*>(both), sizeof both});
  TESSERA_ASSIGN_OR_RETURN(Image image, decode_image(bytes, input_display_name(path), budget));
  TESSERA_RETURN_IF_ERROR(
      budget.check_pixels(path, image.info().width, image.info().height, slices));
  return image;
}

void copy_slice(const ImageView& from, uint32_t slice, Image& volume) {
  const size_t row_bytes = from.info.width * from.info.pixel_bytes();
  for (uint32_t y = 0; y < from.info.height; ++y) {
    std::memcpy(volume.row<uint8_t>(y, slice), from.row<uint8_t>(y), row_bytes);
  }
}

// The volume with nothing but its first slice.
Result<PictureToEncode> read_first_slice(const EncodeJob& job, const RunControl& control,
                                         uint64_t& source_hash) {
  TESSERA_ASSIGN_OR_RETURN(const Image picture,
                           read_slice(job, job.slices.front(), control, source_hash));
  TESSERA_ASSIGN_OR_RETURN(PictureToEncode volume, prepare_picture(picture.view(), job));
  const Image slice = std::move(volume.prepared.image);
  ImageInfo whole = slice.info();
  whole.depth = static_cast<uint32_t>(job.slices.size());
  TESSERA_ASSIGN_OR_RETURN(volume.prepared.image, Image::create(whole));
  copy_slice(slice.view(), 0, volume.prepared.image);
  return volume;
}

}  // namespace

bool comes_before_by_number(const std::string& a, const std::string& b) {
  std::string_view rest_of_a = a, rest_of_b = b;
  while (!rest_of_a.empty() && !rest_of_b.empty()) {
    if (is_digit(rest_of_a.front()) && is_digit(rest_of_b.front())) {
      const std::string_view number_of_a = take_digits(rest_of_a);
      const std::string_view number_of_b = take_digits(rest_of_b);
      if (number_of_a.size() != number_of_b.size()) {
        return number_of_a.size() < number_of_b.size();
      }
      if (number_of_a != number_of_b) {
        return number_of_a < number_of_b;
      }
      continue;
    }
    if (rest_of_a.front() != rest_of_b.front()) {
      return rest_of_a.front() < rest_of_b.front();
    }
    rest_of_a.remove_prefix(1);
    rest_of_b.remove_prefix(1);
  }
  return rest_of_a.size() != rest_of_b.size() ? rest_of_a.size() < rest_of_b.size() : a < b;
}

Result<PictureToEncode> read_volume_slices(const EncodeJob& job, const RunControl& control,
                                           uint64_t& source_hash) {
  source_hash = 0;
  TESSERA_ASSIGN_OR_RETURN(PictureToEncode volume, read_first_slice(job, control, source_hash));
  const ImageInfo whole = volume.prepared.image.info();
  for (uint32_t i = 1; i < whole.depth; ++i) {
    TESSERA_RETURN_IF_ERROR(check_cancelled(control));
    const std::string& path = job.slices[i];
    TESSERA_ASSIGN_OR_RETURN(const Image picture, read_slice(job, path, control, source_hash));
    TESSERA_ASSIGN_OR_RETURN(const PreparedImage slice,
                             prepare_image(picture.view(), volume.plan, *volume.encoder));
    const ImageInfo& info = slice.image.info();
    if (info.width != whole.width || info.height != whole.height) {
      return invalid_error("slices of a volume have one size, but " + job.slices.front() + " has " +
                           size_text(whole) + " pixels and " + path + " has " + size_text(info));
    }
    if (info.channels != whole.channels || info.sample != whole.sample) {
      return invalid_error(path + " has other channels than " + job.slices.front());
    }
    copy_slice(slice.image.view(), i, volume.prepared.image);
    volume.prepared.alpha_dropped |= slice.alpha_dropped;
    volume.prepared.clamped += slice.clamped;
  }
  return volume;
}

}  // namespace tessera
