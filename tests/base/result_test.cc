// Tests Result, Status and their macros.
#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace tessera {
namespace {

Result<int> half_of(int value) {
  if (value % 2 != 0) {
    return invalid_error("the number is odd");
  }
  return value / 2;
}

Result<int> quarter_of(int value) {
  TESSERA_ASSIGN_OR_RETURN(const int half, half_of(value));
  TESSERA_ASSIGN_OR_RETURN(const int quarter, half_of(half));
  return quarter;
}

Status check_even(int value, int& calls_after) {
  TESSERA_RETURN_IF_ERROR(half_of(value));
  ++calls_after;
  return {};
}

TEST(Result, HoldsAValue) {
  const Result<int> result = half_of(10);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(result.value(), 5);
  EXPECT_EQ(*result, 5);
}

TEST(Result, HoldsAnError) {
  const Result<int> result = half_of(9);
  ASSERT_FALSE(result.ok());
  EXPECT_FALSE(static_cast<bool>(result));
  EXPECT_EQ(result.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(result.error().message, "the number is odd");
}

TEST(Result, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(7));
  ASSERT_TRUE(result.ok());
  const std::unique_ptr<int> moved = std::move(result).value();
  EXPECT_EQ(*moved, 7);
}

TEST(Result, ArrowReachesMembers) {
  Result<std::string> result(std::string("abc"));
  EXPECT_EQ(result->size(), 3u);
  result->push_back('d');
  EXPECT_EQ(*result, "abcd");
}

TEST(Result, AssignOrReturnPassesValuesAndTheFirstError) {
  EXPECT_EQ(quarter_of(12).value(), 3);
  EXPECT_FALSE(quarter_of(7).ok());   // the first step fails
  EXPECT_FALSE(quarter_of(10).ok());  // the second one
}

TEST(Status, IsSuccessUnlessGivenAnError) {
  const Status fine;
  EXPECT_TRUE(fine.ok());
  const Status broken = io_error("no disk");
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().code, ErrorCode::kIo);
}

TEST(Status, ReturnIfErrorLeavesAtOnce) {
  int calls_after = 0;
  EXPECT_TRUE(check_even(4, calls_after).ok());
  EXPECT_EQ(calls_after, 1);
  EXPECT_FALSE(check_even(5, calls_after).ok());
  EXPECT_EQ(calls_after, 1);
}

TEST(Error, MakersSetTheirCodes) {
  EXPECT_EQ(usage_error("m").code, ErrorCode::kUsage);
  EXPECT_EQ(io_error("m").code, ErrorCode::kIo);
  EXPECT_EQ(invalid_error("m").code, ErrorCode::kInvalid);
  EXPECT_EQ(failed_error("m").code, ErrorCode::kFailed);
  EXPECT_EQ(unsupported_error("m").code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace tessera
