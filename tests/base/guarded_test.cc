// Tests that exceptions become errors.
#include "base/guarded.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace tessera {
namespace {

TEST(Guarded, PassesResultsOn) {
  EXPECT_EQ(guarded([]() -> Result<int> { return 7; }).value(), 7);
  const Status status = guarded([]() -> Status { return io_error("no disk"); });
  EXPECT_EQ(status.error().code, ErrorCode::kIo);
  EXPECT_EQ(status.error().message, "no disk");
}

TEST(Guarded, TurnsExceptionsIntoErrors) {
  const auto short_of_memory = guarded([]() -> Result<int> { throw std::bad_alloc(); });
  EXPECT_EQ(short_of_memory.error().code, ErrorCode::kFailed);
  EXPECT_EQ(short_of_memory.error().message, "not enough memory");
  const auto broken =
      guarded([]() -> Status { throw std::runtime_error("a broken table"); }, "a.png: ");
  EXPECT_EQ(broken.error().message, "a.png: unexpected failure: a broken table");
}

}  // namespace
}  // namespace tessera
