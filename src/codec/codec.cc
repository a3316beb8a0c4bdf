// What a codec answers to where its format has nothing to offer.
#include "codec/codec.h"

namespace tessera {
namespace {

Error nothing_to_describe(const Codec& codec, const std::string& name) {
  return unsupported_error(name + " holds " + std::string(codec.name()) +
                           "; only ASTC blocks can be described");
}

}  // namespace

Result<std::unique_ptr<Encoder>> Codec::make_shared_encoder(const CodecSettings& /*settings*/,
                                                            SharedLoop& /*loop*/) const {
  return unsupported_error("the format cannot be encoded in step");
}

Result<std::unique_ptr<TileEncoder>> Codec::make_tile_encoder(const CodecSettings& /*settings*/,
                                                              unsigned /*concurrency*/) const {
  return unsupported_error("the format " + std::string(name()) + " cannot encode tiles");
}

Result<Json> Codec::describe_image(const Texture& /*texture*/, const std::string& name,
                                   const ReadBudget& /*budget*/) const {
  return nothing_to_describe(*this, name);
}

Result<Json> Codec::describe_image_header(ByteSpan /*head*/, const std::string& name) const {
  return nothing_to_describe(*this, name);
}

Result<Json> Codec::describe_blocks(const Texture& /*texture*/, const std::string& name) const {
  return nothing_to_describe(*this, name);
}

Result<Json> Codec::describe_block(const Texture& /*texture*/, const std::string& /*position*/,
                                   const std::string& name) const {
  return nothing_to_describe(*this, name);
}

Result<BlockMap> Codec::map_blocks(const Texture& /*texture*/, const std::string& name) const {
  return unsupported_error(name + " holds " + std::string(this->name()) +
                           ", which is not made of blocks");
}

Result<Json> Codec::list_parts(const Texture& /*texture*/, const std::string& name) const {
  return unsupported_error(name + " holds " + std::string(this->name()) +
                           ", which has blocks and no other parts");
}

}  // namespace tessera
