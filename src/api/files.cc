// Whole files in the C interface.
#include "api/context.h"
#include "api/decode.h"
#include "api/errors.h"
#include "api/handles.h"
#include "api/images.h"
#include "api/picture_files.h"
#include "codec/pipeline.h"
#include "files/file.h"
#include "files/file_plan.h"
#include "files/pictures/image_file.h"

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

}  // namespace

Result<PictureFile> decode_picture_file(ByteSpan bytes, const std::string& name) {
  PictureFile picture;
  TESSERA_ASSIGN_OR_RETURN(picture.image, decode_image(bytes, name));
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
    TESSERA_ASSIGN_OR_RETURN(const DecodeChoice choice, read_decode_options(options));
    TESSERA_ASSIGN_OR_RETURN(const RunControl run, read_control(control));
    TESSERA_RETURN_IF_ERROR(check_runs_in_memory(context));
    CallPlace place(context);
    TESSERA_ASSIGN_OR_RETURN(const Bytes bytes, read_file(path));
    TESSERA_RETURN_IF_ERROR(check_cancelled(run));
    TESSERA_ASSIGN_OR_RETURN(Decoded decoded,
                             decode_any(bytes, display_name(path), choice, place.backend(), run));
    TESSERA_RETURN_IF_ERROR(write_result(decoded.info, info, "tessera_file_info"));
    give_picture(std::move(decoded.image), place.memory(), picture);
    return {};
  });
}

tessera_status tessera_read_bytes(const char* path, tessera_buffer** bytes, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(bytes, "bytes"));
    *bytes = nullptr;
    TESSERA_RETURN_IF_ERROR(check_not_null(path, "path"));
    TESSERA_ASSIGN_OR_RETURN(Bytes content, read_file(path));
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
