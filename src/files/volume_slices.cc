// Reads the slices of a texture one after the other.
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
  ReadBudget budget(control.limits, control.cancelled, [&](const MemoryNeed& slice) {
    constexpr uint64_t kPreparedBytes = 4;  // of a pixel, in the volume
    MemoryNeed whole = slice;
    whole.pixels *= slices;
    return encode_memory(job, whole) + whole.pixels * kPreparedBytes;
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

// Puts the slices of a picture, which are several of an unfolded cube map, into the whole.
void copy_slices(const ImageView& from, uint32_t first, Image& whole) {
  const size_t row_bytes = from.info.width * from.info.pixel_bytes();
  for (uint32_t slice = 0; slice < from.info.slices(); ++slice) {
    for (uint32_t y = 0; y < from.info.height; ++y) {
      std::memcpy(whole.row<uint8_t>(y, first + slice), from.row<uint8_t>(y, slice), row_bytes);
    }
  }
}

// Of as many pictures like this one as the job has.
ImageInfo info_of_all(const EncodeJob& job, const ImageInfo& picture) {
  ImageInfo whole = picture;
  const auto count = static_cast<uint32_t>(job.slices.size());
  (job.group == PictureGroup::kVolume ? whole.depth : whole.layers) *= count;
  return whole;
}

Status check_alike(const EncodeJob& job, const ImageInfo& first, const ImageInfo& picture,
                   const std::string& path) {
  const std::string rule = "slices of " + group_name(job.group) + " have one size and the same " +
                           "channels, but " + job.slices.front() + " has ";
  if (picture.width != first.width || picture.height != first.height) {
    return invalid_error(rule + size_text(first) + " pixels and " + path + " has " +
                         size_text(picture));
  }
  if (picture.channels != first.channels) {
    return invalid_error(rule + std::to_string(first.channels) + " channels and " + path + " has " +
                         std::to_string(picture.channels));
  }
  return {};
}

// What is wrong with a picture, with its name.
Error about(const std::string& path, const Error& error) {
  return {error.code, path + ": " + error.message};
}

// All of them, with nothing but the first one in place. `first` is what that one was in its file.
Result<PictureToEncode> read_first_slice(const EncodeJob& job, const RunControl& control,
                                         ImageInfo& first, uint64_t& source_hash) {
  const std::string& path = job.slices.front();
  TESSERA_ASSIGN_OR_RETURN(const Image picture, read_slice(job, path, control, source_hash));
  first = picture.info();
  auto all = prepare_picture(picture.view(), job);
  if (!all) {
    return about(path, all.error());
  }
  const Image slice = std::move(all->prepared.image);
  TESSERA_ASSIGN_OR_RETURN(all->prepared.image, Image::create(info_of_all(job, slice.info())));
  copy_slices(slice.view(), 0, all->prepared.image);
  return all;
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

std::string group_name(PictureGroup group) {
  return group == PictureGroup::kCube    ? "a cube map"
         : group == PictureGroup::kArray ? "an array"
                                         : "a volume";
}

Result<PictureToEncode> read_slices(const EncodeJob& job, const RunControl& control,
                                    uint64_t& source_hash) {
  source_hash = 0;
  ImageInfo first;
  TESSERA_ASSIGN_OR_RETURN(PictureToEncode all, read_first_slice(job, control, first, source_hash));
  for (uint32_t i = 1; i < job.slices.size(); ++i) {
    TESSERA_RETURN_IF_ERROR(check_cancelled(control));
    const std::string& path = job.slices[i];
    TESSERA_ASSIGN_OR_RETURN(const Image picture, read_slice(job, path, control, source_hash));
    TESSERA_RETURN_IF_ERROR(check_alike(job, first, picture.info(), path));
    const auto slice = prepare_image(picture.view(), all.plan, *all.encoder);
    if (!slice) {
      return about(path, slice.error());
    }
    const uint32_t place = i * slice->image.info().slices();
    copy_slices(slice->image.view(), place, all.prepared.image);
    all.prepared.alpha_dropped |= slice->alpha_dropped;
    all.prepared.clamped += slice->clamped;
  }
  return all;
}

}  // namespace tessera
