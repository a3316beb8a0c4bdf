// Encoding images in memory: the C interface over the pipeline.
#include "api/encode.h"

#include "api/context.h"
#include "api/decode.h"
#include "api/encode_plan.h"
#include "api/errors.h"
#include "api/handles.h"
#include "api/images.h"
#include "api/reports.h"
#include "base/bytes.h"
#include "base/preset.h"
#include "codec/pipeline.h"
#include "codec/settings_trials.h"

namespace tessera::api {
namespace {

Result<const BlockEncoder*> block_encoder_of(const tessera_encoder& encoder) {
  if (encoder.plan.goals.any()) {
    return unsupported_error(
        "targets and limits choose the block size when a whole file is encoded, not for blocks "
        "alone");
  }
  if (encoder.plan.group == PictureGroup::kCube) {
    return unsupported_error("cube maps are whole files, not blocks alone");
  }
  const BlockEncoder* const blocks = encoder.encoder->as_block_encoder();
  if (blocks == nullptr) {
    return unsupported_error("the format " + encoder.format + " is not made of blocks");
  }
  return blocks;
}

Result<uint64_t> payload_bytes(const tessera_encoder& encoder, const ImageInfo& image) {
  TESSERA_RETURN_IF_ERROR(block_encoder_of(encoder));
  TextureInfo info;
  info.format = encoder.plan.codec->format();
  info.block = encoder.plan.codec->block_of(encoder.plan.settings);
  info.width = image.width;
  info.height = image.height;
  info.depth = image.depth;
  info.layers = image.layers;
  return level_bytes(info, 0);
}

// Whether the encoder can take the caller's pixels as they are.
bool is_prepared(const ImageInfo& image, const EncodePlan& plan, const Encoder& encoder) {
  return plan.swizzle.is_identity() && !plan.settings.normal_map && !plan.edits.any() &&
         image.sample == encoder.input_sample() && image.channels == encoder.input_channels(image);
}

Status encode_blocks(const tessera_encoder& encoder, const ImageView& image, Backend& backend,
                     const RunControl& control, std::span<uint8_t> out) {
  TESSERA_ASSIGN_OR_RETURN(const BlockEncoder* blocks, block_encoder_of(encoder));
  TESSERA_ASSIGN_OR_RETURN(const uint64_t bytes, payload_bytes(encoder, image.info));
  if (out.size() != bytes) {
    return usage_error("the blocks take " + std::to_string(bytes) + " bytes, and out_size is " +
                       std::to_string(out.size()));
  }
  if (is_prepared(image.info, encoder.plan, *blocks)) {
    return blocks->encode(image, backend, control, out);
  }
  TESSERA_ASSIGN_OR_RETURN(const PreparedImage prepared,
                           prepare_image(image, encoder.plan, *blocks));
  return blocks->encode(prepared.image.view(), backend, control, out);
}

}  // namespace

Result<EncodeCall> read_encode_call(const tessera_encoder* encoder, const tessera_context* context,
                                    const tessera_image* image, const tessera_control* control) {
  TESSERA_RETURN_IF_ERROR(check_not_null(encoder, "encoder"));
  EncodeCall given;
  TESSERA_ASSIGN_OR_RETURN(given.picture, read_image(image, "image"));
  TESSERA_ASSIGN_OR_RETURN(given.control, read_control(control));
  TESSERA_RETURN_IF_ERROR(check_runs_in_memory(context));
  TESSERA_RETURN_IF_ERROR(check_has_kernels(context, *encoder->plan.codec));
  return given;
}

}  // namespace tessera::api

using namespace tessera;       // NOLINT(google-build-using-namespace)
using namespace tessera::api;  // NOLINT(google-build-using-namespace)

tessera_status tessera_encoder_create(const tessera_encode_options* options,
                                      tessera_encoder** encoder, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(encoder, "encoder"));
    *encoder = nullptr;
    TESSERA_RETURN_IF_ERROR(check_not_null(options, "options"));
    auto made = std::make_unique<tessera_encoder>();
    TESSERA_ASSIGN_OR_RETURN(made->plan, read_encode_plan(options));
    const EncodePlan& plan = made->plan;
    TESSERA_ASSIGN_OR_RETURN(made->encoder, plan.codec->make_encoder(plan.settings));
    TESSERA_ASSIGN_OR_RETURN(const auto known, read_options(options, "tessera_encode_options"));
    made->container_was_named = known.container != nullptr;
    made->format = plan.codec->name();
    made->preset = effort_name(plan.settings);
    made->profile = profile_name(plan.settings.profile);
    made->container = container_type_name(plan.container).substr(1);
    made->swizzle = swizzle_text(plan.swizzle);
    *encoder = made.release();
    return {};
  });
}

void tessera_encoder_destroy(tessera_encoder* encoder) {
  delete encoder;
}

tessera_status tessera_encoder_describe(const tessera_encoder* encoder, tessera_encoder_info* info,
                                        tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(encoder, "encoder"));
    TESSERA_RETURN_IF_ERROR(check_not_null(info, "info"));
    tessera_encoder_info result = {};
    result.format = encoder->format.c_str();
    result.preset = encoder->preset.c_str();
    result.method = encoder->plan.settings.method.c_str();
    result.profile = encoder->profile.c_str();
    result.container = encoder->container.c_str();
    result.swizzle = encoder->swizzle.c_str();
    result.normal_map = encoder->plan.settings.normal_map ? 1 : 0;
    const Codec& codec = *encoder->plan.codec;
    result.block_bytes = codec.row().block_bytes;
    result.has_opencl_kernels = codec.has_kernels_for("opencl") ? 1 : 0;
    result.has_cuda_kernels = codec.has_kernels_for("cuda") ? 1 : 0;
    if (codec.row().payload == PayloadKind::kBlocks) {
      const BlockSize block = codec.block_of(encoder->plan.settings);
      result.block_width = block.width;
      result.block_height = block.height;
      result.block_depth = block.depth;
    }
    return write_result(result, info, "tessera_encoder_info");
  });
}

tessera_status tessera_payload_size(const tessera_encoder* encoder, const tessera_image* image,
                                    size_t* bytes, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(encoder, "encoder"));
    TESSERA_RETURN_IF_ERROR(check_not_null(bytes, "bytes"));
    *bytes = 0;
    TESSERA_ASSIGN_OR_RETURN(const ImageView layout, read_layout(image));
    TESSERA_ASSIGN_OR_RETURN(const uint64_t size, payload_bytes(*encoder, layout.info));
    if (!fits_memory(size)) {
      return failed_error("the blocks take " + std::to_string(size) + " bytes: not enough memory");
    }
    *bytes = static_cast<size_t>(size);
    return {};
  });
}

tessera_status tessera_encode_blocks(const tessera_encoder* encoder, tessera_context* context,
                                     const tessera_image* image, const tessera_control* control,
                                     void* out, size_t out_size, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(out, "out"));
    TESSERA_ASSIGN_OR_RETURN(const EncodeCall given,
                             read_encode_call(encoder, context, image, control));
    CallPlace place(context);
    return encode_blocks(*encoder, given.picture, place.backend(), given.control,
                         {static_cast<uint8_t*>(out), out_size});
  });
}

tessera_status tessera_encode_device_memory(const tessera_encoder* encoder,
                                            tessera_context* context,
                                            const tessera_device_image* image, void* blocks,
                                            size_t blocks_size, void* stream,
                                            tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(encoder, "encoder"));
    TESSERA_RETURN_IF_ERROR(check_not_null(context, "context"));
    TESSERA_RETURN_IF_ERROR(check_not_null(blocks, "blocks"));
    TESSERA_ASSIGN_OR_RETURN(const DeviceImage given, read_device_image(image, "image"));
    TESSERA_RETURN_IF_ERROR(check_runs_in_memory(context));
    TESSERA_RETURN_IF_ERROR(check_has_kernels(context, *encoder->plan.codec));
    ImageInfo info;
    info.width = given.width;
    info.height = given.height;
    TESSERA_ASSIGN_OR_RETURN(const BlockEncoder* blocks_of, block_encoder_of(*encoder));
    if (blocks_of->output_bytes(info) != blocks_size) {
      return usage_error("the blocks take " + std::to_string(blocks_of->output_bytes(info)) +
                         " bytes, not " + std::to_string(blocks_size));
    }
    if (!is_prepared(info, encoder->plan, *blocks_of)) {
      return unsupported_error("channels cannot be exchanged in memory of a device");
    }
    CallPlace place(context);
    return blocks_of->encode_resident(given, place.backend(), blocks, stream);
  });
}

tessera_status tessera_encode(const tessera_encoder* encoder, tessera_context* context,
                              const tessera_image* image, const tessera_control* control,
                              tessera_buffer** file, tessera_encode_report* report,
                              tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(file, "file"));
    *file = nullptr;
    TESSERA_ASSIGN_OR_RETURN(const EncodeCall given,
                             read_encode_call(encoder, context, image, control));
    if (!encoder->plan.mip_files.empty()) {
      return usage_error("mip_files are for tessera_encode_files");
    }
    CallPlace place(context);
    TESSERA_ASSIGN_OR_RETURN(EncodedFile encoded, encode_picture(given.picture, encoder->plan,
                                                                 place.backend(), given.control));
    TESSERA_RETURN_IF_ERROR(write_report(encoded.report, report));
    give_file(std::move(encoded.bytes), place.memory(), file);
    return {};
  });
}

tessera_status tessera_transcode(const tessera_encoder* encoder, tessera_context* context,
                                 const void* data, size_t size, const char* name,
                                 const tessera_control* control, tessera_buffer** file,
                                 tessera_encode_report* report, tessera_error* error) {
  return call(error, [&]() -> Status {
    TESSERA_RETURN_IF_ERROR(check_not_null(file, "file"));
    *file = nullptr;
    TESSERA_RETURN_IF_ERROR(check_not_null(encoder, "encoder"));
    TESSERA_RETURN_IF_ERROR(check_not_null(data, "data"));
    if (!encoder->plan.source) {
      return usage_error("the encoder was not made to transcode");
    }
    TESSERA_ASSIGN_OR_RETURN(const RunControl run, read_control(control));
    TESSERA_RETURN_IF_ERROR(check_runs_in_memory(context));
    TESSERA_RETURN_IF_ERROR(check_has_kernels(context, *encoder->plan.codec));
    CallPlace place(context);
    TESSERA_RETURN_IF_ERROR(check_cancelled(run));
    const ReadBudget budget(run.limits, run.cancelled, [&](const MemoryNeed& need) {
      return encode_memory(encoder->plan, need);
    });
    TESSERA_RETURN_IF_ERROR(budget.check_file(display_name(name), size));
    TESSERA_ASSIGN_OR_RETURN(
        EncodedFile encoded,
        transcode_texture({static_cast<const uint8_t*>(data), size}, display_name(name),
                          encoder->plan, place.backend(), run, budget));
    TESSERA_RETURN_IF_ERROR(write_report(encoded.report, report));
    give_file(std::move(encoded.bytes), place.memory(), file);
    return {};
  });
}
