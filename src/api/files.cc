// Whole files in the C interface.
#include "api/context.h"
#include "api/decode.h"
#include "api/describe.h"
#include "api/errors.h"
#include "api/handles.h"
#include "api/images.h"
#include "api/limits.h"
#include "api/picture_files.h"
#include "codec/pipeline.h"
#include "files/any_image.h"
#include "files/file.h"
#include "files/file_plan.h"
#include "files/input_file.h"
#include "files/pictures/image_file.h"
#include "files/pictures/ktx2_pixels.h"

namespace tessera::api {
namespace {

Result<ImageFileType> picture_type_of(const std::string& path, const char* type) {
  const auto found = writable_type_of_name(type != nullptr ? "x." + std::string(type) : path);
  if (found) {
    return *found;
  }
  return usage_error(
      type != nullptr
          ? "'" + std::string(type) + "' cannot be written (png, ppm, pgm, tga, exr, hdr can)"
          : "the name " + path + " has no extension that can be written (.png, .ppm, .pgm, .tga)");
}

Result<Json> describe_all(InputFile& file, const char* path, const DescribeRequest& request,
                          const ReadBudget& budget) {
  TESSERA_ASSIGN_OR_RETURN(const ByteSpan head, file.head(kHeadBytes));
  if (!is_known_file(head)) {
    return describe_bytes(head, path, request, budget);  // says what it is not
  }
  TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, file.all());
  return describe_bytes(bytes, path, request, budget);
}

// Whether more of a file could change what its header says, as one of these types has always the
// same few bytes.
bool has_long_header(ByteSpan head) {
  const auto container = detect_container_type(head);
  const auto picture = detect_image_file_type(head);
  return !container && picture != ImageFileType::kTga && picture != ImageFileType::kBmp
             ? picture.has_value()
             : container == ContainerType::kKtx2 || container == ContainerType::kKtx;
}

// Headers are seldom longer than the first piece; a longer one, with a colour profile inside, say,
// is met with larger pieces.
Result<Json> describe_beginning(InputFile& file, const char* path) {
  constexpr size_t kLongestHead = size_t{16} << 20;
  Result<Json> description = failed_error("");
  for (size_t count = kHeadBytes; count <= kLongestHead; count *= 16) {
    TESSERA_ASSIGN_OR_RETURN(ByteSpan head, file.head(count));
    if (!file.size() && is_known_file(head)) {  // a pipe's end has to be seen to know its size
      TESSERA_ASSIGN_OR_RETURN(head, file.head(SIZE_MAX));
    }
    const uint64_t file_bytes = file.size().value_or(head.size());
    description = describe_head(head, file_bytes, path);
    if (description || head.size() >= file_bytes || !has_long_header(head) ||
        description.error().code != ErrorCode::kInvalid) {
      break;
    }
  }
  return description;
}

}  // namespace

Result<PictureHeader> read_picture_header(ByteSpan head, uint64_t file_bytes,
                                          const std::string& name) {
  PictureHeader picture;
  TESSERA_ASSIGN_OR_RETURN(picture.info, read_image_info(head, file_bytes, name));
  const ImageFileType type = *detect_image_file_type(head);
  picture.type = image_file_type_name(type);
  picture.levels = type == ImageFileType::kKtx2 ? ktx2_pixels_levels(head) : 1;
  return picture;
}

Result<PictureFile> decode_picture_file(ByteSpan bytes, const std::string& name,
                                        const ReadBudget& budget) {
  PictureFile picture;
  TESSERA_ASSIGN_OR_RETURN(picture.image, decode_image(bytes, name, budget));
  picture.type = image_file_type_name(*detect_image_file_type(bytes));
  return picture;
}

}  // namespace tessera::api

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::api;  // NOLINT(google-build-using-namespace)

tessera_status tessera_read(tessera_context* context, const char* path,
                            const tessera_decode_options* options, const tessera_control* control,
                            tessera_picture** picture, tessera_file_info* info,
                            tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(picture, "picture"));
    *picture = nullptr;
    TESSERA_RETURN_IF_ERROR(check_not_null(path, "path"));
    TESSERA_ASSIGN_OR_RETURN(const DecodeRequest request, read_decode_options(options));
    TESSERA_ASSIGN_OR_RETURN(const RunControl run, read_control(control));
    TESSERA_RETURN_IF_ERROR(check_runs_in_memory(context));
    CallPlace place(context);
    const ReadBudget budget(run.limits, run.cancelled);
    TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(path, budget, is_known_file));
    TESSERA_RETURN_IF_ERROR(check_cancelled(run));
    TESSERA_ASSIGN_OR_RETURN(Decoded decoded, decode_any(bytes, display_name(path), request,
                                                         place.backend(), run, budget));
    TESSERA_RETURN_IF_ERROR(write_result(decoded.info, info, "tessera_file_info"));
    give_picture(std::move(decoded.image), place.memory(), picture);
    return {};
  });
}

tessera_status tessera_describe_file(const char* path, const tessera_describe_options* options,
                                     const tessera_control* control, tessera_buffer** json,
                                     tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(json, "json"));
    *json = nullptr;
    TESSERA_RETURN_IF_ERROR(check_not_null(path, "path"));
    TESSERA_ASSIGN_OR_RETURN(const auto chosen, read_options(options, "tessera_describe_options"));
    TESSERA_ASSIGN_OR_RETURN(const RunControl run, read_control(control));
    const DescribeRequest request = {chosen.statistics != 0, text_or(chosen.block, "")};
    const ReadBudget budget(run.limits, run.cancelled);
    TESSERA_ASSIGN_OR_RETURN(InputFile file, InputFile::open(path, budget));
    const bool wants_all = chosen.verify != 0 || request.wants_blocks();
    TESSERA_ASSIGN_OR_RETURN(const Json description, wants_all
                                                         ? describe_all(file, path, request, budget)
                                                         : describe_beginning(file, path));
    give_text(description.text(), json);
    return {};
  });
}

tessera_status tessera_read_bytes(const char* path, tessera_buffer** bytes, tessera_error* error) {
  return tessera_read_bytes_limited(path, nullptr, bytes, error);
}

tessera_status tessera_read_bytes_limited(const char* path, const tessera_control* control,
                                          tessera_buffer** bytes, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(bytes, "bytes"));
    *bytes = nullptr;
    TESSERA_RETURN_IF_ERROR(check_not_null(path, "path"));
    TESSERA_ASSIGN_OR_RETURN(const RunControl run, read_control(control));
    TESSERA_ASSIGN_OR_RETURN(Bytes content, read_file(path, ReadBudget(run.limits, run.cancelled)));
    give_bytes(std::move(content), bytes);
    return {};
  });
}

tessera_status tessera_write(const char* path, const char* type, const tessera_image* image,
                             uint64_t* file_bytes, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(path, "path"));
    TESSERA_ASSIGN_OR_RETURN(const ImageView view, read_image(image, "image"));
    TESSERA_ASSIGN_OR_RETURN(const ImageFileType file_type, picture_type_of(path, type));
    TESSERA_RETURN_IF_ERROR(check_writable(path));
    const auto file = encode_image(view, file_type);
    if (!file) {
      return Error{file.error().code, std::string(path) + ": " + file.error().message};
    }
    TESSERA_RETURN_IF_ERROR(write_file(path, *file));
    if (file_bytes != nullptr) {
      *file_bytes = file->size();
    }
    return {};
  });
}

tessera_status tessera_write_to_memory(const char* type, const tessera_image* image,
                                       tessera_buffer** file, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(file, "file"));
    *file = nullptr;
    TESSERA_RETURN_IF_ERROR(check_not_null(type, "type"));
    TESSERA_ASSIGN_OR_RETURN(const ImageView view, read_image(image, "image"));
    TESSERA_ASSIGN_OR_RETURN(const ImageFileType file_type, picture_type_of("", type));
    TESSERA_ASSIGN_OR_RETURN(Bytes bytes, encode_image(view, file_type));
    give_bytes(std::move(bytes), file);
    return {};
  });
}

tessera_status tessera_check_output(const char* path, const char* type, const char* const* inputs,
                                    size_t input_count, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(path, "path"));
    TESSERA_ASSIGN_OR_RETURN([[maybe_unused]] const ImageFileType file_type,
                             picture_type_of(path, type));
    for (size_t i = 0; i < input_count; ++i) {
      TESSERA_RETURN_IF_ERROR(check_not_null(inputs[i], "an input"));
      TESSERA_RETURN_IF_ERROR(check_output_is_not(inputs[i], path));
    }
    return check_writable(path);
  });
}

tessera_status tessera_write_bytes(const char* path, const void* data, size_t size,
                                   tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(path, "path"));
    if (size > 0) {
      TESSERA_RETURN_IF_ERROR(check_not_null(data, "data"));
    }
    return write_file(path, {static_cast<const uint8_t*>(data), size});
  });
}
