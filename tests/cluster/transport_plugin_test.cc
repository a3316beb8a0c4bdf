// Loading the plug-in: what is missing is said in one sentence.
#include "cluster/transport_plugin.h"

#include <gtest/gtest.h>

namespace tessera::cluster {
namespace {

TEST(TransportPlugin, AMissingPluginIsNotSupported) {
  const auto started = start_transport_of("/nonexistent/tessera_mpi.so");
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(started.error().message.find("/nonexistent/tessera_mpi.so"), std::string::npos);
}

TEST(TransportPlugin, AnotherLibraryIsNotAPlugin) {
  const auto started = start_transport_of("libc.so.6");
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace tessera::cluster
