// Going through files: the order of outcomes, failures on the way, and interruption.
#include "files/file_runner.h"

#include <gtest/gtest.h>

#include <new>

namespace tessera {
namespace {

std::vector<FilePair> some_files(size_t count) {
  std::vector<FilePair> files;
  for (size_t i = 0; i < count; ++i) {
    files.push_back({"in" + std::to_string(i), "out" + std::to_string(i)});
  }
  return files;
}

// What was told: "0:in0" for a report, "1:!sentence" for an error.
struct Listener {
  std::vector<std::string> told;
  void operator()(const FileOutcome<std::string>& outcome) {
    const std::string text =
        outcome.report ? *outcome.report : "!" + outcome.report.error().message;
    told.push_back(std::to_string(outcome.index) + ":" + text);
  }
};

// Finishes files in an order of its own, and some of them not at all.
class OtherOrder : public FileExecutor<std::string> {
 public:
  OtherOrder(std::vector<size_t> order, Status end) : order_(std::move(order)), end_(end) {}

  Status run(const std::vector<FilePair>& files, const Done& done) override {
    for (const size_t index : order_) {
      done({index, static_cast<int>(index), files[index].input});
    }
    return end_;
  }

 private:
  std::vector<size_t> order_;
  Status end_;
};

TEST(FileRunner, FilesFollowEachOther) {
  Listener listener;
  LocalFiles<std::string> executor([](const FilePair& file) { return file.output; });
  EXPECT_TRUE(run_files<std::string>(some_files(3), executor, std::ref(listener)));
  EXPECT_EQ(listener.told, (std::vector<std::string>{"0:out0", "1:out1", "2:out2"}));
}

TEST(FileRunner, AFailureDoesNotStopTheOthersAndTheFirstIsTheResult) {
  Listener listener;
  LocalFiles<std::string> executor([](const FilePair& file) -> Result<std::string> {
    if (file.input == "in1") {
      return io_error("no disk");
    }
    if (file.input == "in2") {
      return invalid_error("no picture");
    }
    return file.input;
  });
  const Status status = run_files<std::string>(some_files(4), executor, std::ref(listener));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kIo);
  EXPECT_EQ(listener.told,
            (std::vector<std::string>{"0:in0", "1:!no disk", "2:!no picture", "3:in3"}));
}

TEST(FileRunner, AnExceptionIsAnErrorOfItsFile) {
  Listener listener;
  LocalFiles<std::string> executor([](const FilePair& file) -> Result<std::string> {
    if (file.input == "in0") {
      throw std::bad_alloc();
    }
    return file.input;
  });
  EXPECT_EQ(run_files<std::string>(some_files(2), executor, std::ref(listener)).error().code,
            ErrorCode::kFailed);
  EXPECT_EQ(listener.told, (std::vector<std::string>{"0:!in0: not enough memory", "1:in1"}));
}

TEST(FileRunner, AnInterruptionEndsTheList) {
  Listener listener;
  int made = 0;
  LocalFiles<std::string> executor([&](const FilePair& file) -> Result<std::string> {
    if (++made == 2) {
      return Error{ErrorCode::kInterrupted, "interrupted"};
    }
    return file.input;
  });
  EXPECT_EQ(run_files<std::string>(some_files(3), executor, std::ref(listener)).error().code,
            ErrorCode::kInterrupted);
  EXPECT_EQ(made, 2);
  EXPECT_EQ(listener.told, std::vector<std::string>{"0:in0"});
}

TEST(FileRunner, OutcomesAreToldInTheOrderOfTheInputs) {
  Listener listener;
  OtherOrder executor({2, 0, 3, 1}, {});
  EXPECT_TRUE(run_files<std::string>(some_files(4), executor, std::ref(listener)));
  EXPECT_EQ(listener.told, (std::vector<std::string>{"0:in0", "1:in1", "2:in2", "3:in3"}));
}

TEST(FileRunner, WhatIsKnownAtAnInterruptionIsTold) {
  Listener listener;
  OtherOrder executor({0, 2}, Error{ErrorCode::kInterrupted, "interrupted"});
  EXPECT_EQ(run_files<std::string>(some_files(3), executor, std::ref(listener)).error().code,
            ErrorCode::kInterrupted);
  EXPECT_EQ(listener.told, std::vector<std::string>{"0:in0"});
}

}  // namespace
}  // namespace tessera
