// The calls about files in builds that have none: a sentence that says so.
#include "api/errors.h"
#include "api/picture_files.h"
#include "api/ranks.h"

namespace tessera::api {
namespace {

tessera_status refuse(tessera_error* error) {
  return set_error(error, TESSERA_ERROR_UNSUPPORTED, "this build cannot read or write files");
}

}  // namespace

Result<PictureFile> decode_picture_file(ByteSpan /*bytes*/, const std::string& name,
                                        const ReadBudget& /*budget*/) {
  return unsupported_error(name + " is no texture, and this build reads no pictures");
}

Result<PictureHeader> read_picture_header(ByteSpan /*head*/, uint64_t /*file_bytes*/,
                                          const std::string& name) {
  return unsupported_error(name + " is no texture, and this build reads no pictures");
}

Result<std::unique_ptr<Ranks>> Ranks::start(const tessera_context_options& /*options*/) {
  return unsupported_error("the backend mpi is not in this build");
}

}  // namespace tessera::api

using tessera::api::refuse;

tessera_status tessera_read(tessera_context*, const char*, const tessera_decode_options*,
                            const tessera_control*, tessera_picture** picture, tessera_file_info*,
                            tessera_error* error) {
  if (picture != nullptr) {
    *picture = nullptr;
  }
  return refuse(error);
}

tessera_status tessera_describe_file(const char*, const tessera_describe_options*,
                                     const tessera_control*, tessera_buffer** json,
                                     tessera_error* error) {
  if (json != nullptr) {
    *json = nullptr;
  }
  return refuse(error);
}

tessera_status tessera_validate_file(const char*, const tessera_control*, tessera_buffer** json,
                                     tessera_error* error) {
  if (json != nullptr) {
    *json = nullptr;
  }
  return refuse(error);
}

tessera_status tessera_read_bytes(const char*, tessera_buffer** bytes, tessera_error* error) {
  if (bytes != nullptr) {
    *bytes = nullptr;
  }
  return refuse(error);
}

tessera_status tessera_read_bytes_limited(const char* path, const tessera_control*,
                                          tessera_buffer** bytes, tessera_error* error) {
  return tessera_read_bytes(path, bytes, error);
}

tessera_status tessera_write(const char*, const char*, const tessera_image*, uint64_t*,
                             tessera_error* error) {
  return refuse(error);
}

tessera_status tessera_write_to_memory(const char*, const tessera_image*, tessera_buffer**,
                                       tessera_error* error) {
  return refuse(error);
}

tessera_status tessera_check_output(const char*, const char*, const char* const*, size_t,
                                    tessera_error* error) {
  return refuse(error);
}

tessera_status tessera_write_bytes(const char*, const void*, size_t, tessera_error* error) {
  return refuse(error);
}

tessera_status tessera_encode_files(const tessera_encoder*, tessera_context*, const char* const*,
                                    size_t, const char*, const tessera_files_options*,
                                    tessera_error* error) {
  return refuse(error);
}

int tessera_matches(const char*, const char*) {
  return 0;
}

tessera_status tessera_decode_files(tessera_context*, const char* const*, size_t, const char*,
                                    const char*, const tessera_decode_options*, int64_t,
                                    const tessera_files_options*, tessera_error* error) {
  return refuse(error);
}
