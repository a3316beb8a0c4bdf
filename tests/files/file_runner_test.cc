// Going through files: the order of outcomes, failures on the way, and interruption.
#include "files/file_runner.h"

#include <gtest/gtest.h>

#include <new>

namespace tessera {
namespace {

struct Made {
  Made() = default;
  Made(std::string made) : text(std::move(made)) {}  // NOLINT(google-explicit-constructor)
  std::string text;
  FileStamp stamp;
};

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
  void operator()(const FileOutcome<Made>& outcome) {
    const std::string text =
        outcome.report ? outcome.report->text : "!" + outcome.report.error().message;
    told.push_back(std::to_string(outcome.index) + ":" + text);
  }
};

// Finishes files in an order of its own, and some of them not at all.
class OtherOrder : public FileExecutor<Made> {
 public:
  OtherOrder(std::vector<size_t> order, Status end) : order_(std::move(order)), end_(end) {}

  Status run(const std::vector<FilePair>& files, const std::vector<size_t>& /*chosen*/,
             const Done& done) override {
    for (const size_t index : order_) {
      done({index, static_cast<int>(index), Made(files[index].input)});
    }
    return end_;
  }

 private:
  std::vector<size_t> order_;
  Status end_;
};

TEST(FileRunner, FilesFollowEachOther) {
  Listener listener;
  LocalFiles<Made> executor(
      1, [](const FilePair& file, const FileTurn&) { return Made(file.output); });
  EXPECT_TRUE(run_files<Made>(some_files(3), executor, std::ref(listener)));
  EXPECT_EQ(listener.told, (std::vector<std::string>{"0:out0", "1:out1", "2:out2"}));
}

TEST(FileRunner, AFailureDoesNotStopTheOthersAndTheFirstIsTheResult) {
  Listener listener;
  LocalFiles<Made> executor(1, [](const FilePair& file, const FileTurn&) -> Result<Made> {
    if (file.input == "in1") {
      return io_error("no disk");
    }
    if (file.input == "in2") {
      return invalid_error("no picture");
    }
    return Made(file.input);
  });
  const Status status = run_files<Made>(some_files(4), executor, std::ref(listener));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kIo);
  EXPECT_EQ(listener.told,
            (std::vector<std::string>{"0:in0", "1:!no disk", "2:!no picture", "3:in3"}));
}

TEST(FileRunner, AnExceptionIsAnErrorOfItsFile) {
  Listener listener;
  LocalFiles<Made> executor(1, [](const FilePair& file, const FileTurn&) -> Result<Made> {
    if (file.input == "in0") {
      throw std::bad_alloc();
    }
    return Made(file.input);
  });
  EXPECT_EQ(run_files<Made>(some_files(2), executor, std::ref(listener)).error().code,
            ErrorCode::kFailed);
  EXPECT_EQ(listener.told, (std::vector<std::string>{"0:!in0: not enough memory", "1:in1"}));
}

TEST(FileRunner, AnInterruptionEndsTheList) {
  Listener listener;
  int made = 0;
  LocalFiles<Made> executor(1, [&](const FilePair& file, const FileTurn&) -> Result<Made> {
    if (++made == 2) {
      return Error{ErrorCode::kInterrupted, "interrupted"};
    }
    return Made(file.input);
  });
  EXPECT_EQ(run_files<Made>(some_files(3), executor, std::ref(listener)).error().code,
            ErrorCode::kInterrupted);
  EXPECT_EQ(made, 2);
  EXPECT_EQ(listener.told, std::vector<std::string>{"0:in0"});
}

TEST(FileRunner, ThreadsTakeFilesInTurn) {
  for (const unsigned threads : {2U, 5U, 50U}) {
    Listener listener;
    std::atomic<int> made = 0;
    std::atomic<bool> is_member_known = true;
    LocalFiles<Made> executor(threads, [&](const FilePair& file, const FileTurn& turn) {
      ++made;
      is_member_known = is_member_known && turn.member < threads && turn.files_left < 20;
      return Made(file.input);
    });
    EXPECT_TRUE(run_files<Made>(some_files(20), executor, std::ref(listener)));
    EXPECT_EQ(made, 20);
    EXPECT_TRUE(is_member_known);
    ASSERT_EQ(listener.told.size(), 20u);
    EXPECT_EQ(listener.told[7], "7:in7");
  }
}

TEST(FileRunner, OutcomesAreToldInTheOrderOfTheInputs) {
  Listener listener;
  OtherOrder executor({2, 0, 3, 1}, {});
  EXPECT_TRUE(run_files<Made>(some_files(4), executor, std::ref(listener)));
  EXPECT_EQ(listener.told, (std::vector<std::string>{"0:in0", "1:in1", "2:in2", "3:in3"}));
}

TEST(FileRunner, WhatIsKnownAtAnInterruptionIsTold) {
  Listener listener;
  OtherOrder executor({0, 2}, Error{ErrorCode::kInterrupted, "interrupted"});
  EXPECT_EQ(run_files<Made>(some_files(3), executor, std::ref(listener)).error().code,
            ErrorCode::kInterrupted);
  EXPECT_EQ(listener.told, (std::vector<std::string>{"0:in0", "2:in2"}));
}

}  // namespace
}  // namespace tessera
