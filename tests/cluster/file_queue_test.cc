// Whole files as units: which are shared, who gets which, and what ranks say about them.
#include "cluster/file_queue.h"

#include <gtest/gtest.h>

#include <string>

#include "cluster/file_message.h"

namespace tessera::cluster {
namespace {

using Places = std::vector<size_t>;

TEST(FileSplit, ASingleFileIsShared) {
  EXPECT_EQ(split_files({0}, 8, std::nullopt).shared, Places{0});
  EXPECT_EQ(split_files({5}, 1, 1000).shared, Places{0});
}

TEST(FileSplit, FilesThatWouldEndLastAreShared) {
  // 1000 bytes on two ranks: half of a rank's part is 250.
  const FileSplit split = split_files({100, 600, 250, 50}, 2, std::nullopt);
  EXPECT_EQ(split.shared, Places{1});
  EXPECT_EQ(split.whole, (Places{2, 0, 3}));
}

TEST(FileSplit, LargestFirstAndEqualOnesInTheOrderOfTheInputs) {
  const FileSplit split = split_files({10, 30, 10, 20, 10, 10, 10, 10}, 2, 1000);
  EXPECT_TRUE(split.shared.empty());
  EXPECT_EQ(split.whole, (Places{1, 3, 0, 2, 4, 5, 6, 7}));
}

TEST(FileSplit, ALimitOfTheUser) {
  const FileSplit split = split_files({10, 30, 20}, 4, 15);
  EXPECT_EQ(split.shared, (Places{1, 2}));
  EXPECT_EQ(split.whole, Places{0});
  EXPECT_EQ(split_files({10, 30, 20}, 4, 0).shared, (Places{1, 2, 0}));
}

TEST(FileSplit, FilesOfUnknownSizeAreWhole) {
  const FileSplit split = split_files({0, 0, 0}, 2, std::nullopt);
  EXPECT_TRUE(split.shared.empty());
  EXPECT_EQ(split.whole.size(), 3u);
}

MadeFile some_file() {
  MadeFile file;
  file.bytes = LargeBytes(Bytes{1, 2, 3, 4});
  EncodeReport& encode = file.report.encode;
  encode.width = 640;
  encode.height = 480;
  encode.channels = 3;
  encode.level_count = 9;
  encode.encoded_pixels = 123'456'789'012;
  encode.encode_seconds = 0.25;
  encode.file_bytes = 4;
  encode.alpha_dropped = true;
  encode.metrics.emplace();
  encode.metrics->psnr_rgb = 41.5;
  encode.metrics->ssim = 0.75;
  encode.metrics->worst_block = {7, 8, 9, 20.5};
  encode.angular_error.emplace();
  encode.angular_error->max_degrees = 3.5;
  encode.chosen = {{8, 5, 1}, "thorough", "it reaches 40 dB"};
  encode.rate = {93.5F, 0.875F, false};
  file.report.backend = "opencl";
  file.report.threads = 12;
  file.report.isa = "AVX2";
  return file;
}

TEST(FileMessage, ComesBack) {
  for (const bool gathered : {false, true}) {
    const auto back = parse_file_reply(write_file_reply(some_file(), gathered), gathered, 3);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->bytes, gathered ? some_file().bytes : LargeBytes());
    const EncodeReport& encode = back->report.encode;
    EXPECT_EQ(encode.width, 640u);
    EXPECT_EQ(encode.height, 480u);
    EXPECT_EQ(encode.channels, 3u);
    EXPECT_EQ(encode.level_count, 9u);
    EXPECT_EQ(encode.encoded_pixels, 123'456'789'012u);
    EXPECT_EQ(encode.encode_seconds, 0.25);
    EXPECT_EQ(encode.file_bytes, 4u);
    EXPECT_TRUE(encode.alpha_dropped);
    ASSERT_TRUE(encode.metrics);
    EXPECT_EQ(encode.metrics->psnr_rgb, 41.5);
    EXPECT_EQ(encode.metrics->ssim, 0.75);
    EXPECT_EQ(encode.metrics->worst_block.slice, 9u);
    EXPECT_EQ(encode.metrics->worst_block.psnr_rgb, 20.5);
    ASSERT_TRUE(encode.angular_error);
    EXPECT_EQ(encode.angular_error->max_degrees, 3.5);
    ASSERT_TRUE(encode.chosen);
    EXPECT_EQ(encode.chosen->block, (BlockSize{8, 5}));
    EXPECT_EQ(encode.chosen->preset, "thorough");
    EXPECT_EQ(encode.chosen->reason, "it reaches 40 dB");
    ASSERT_TRUE(encode.rate);
    EXPECT_EQ(encode.rate->number, 93.5F);
    EXPECT_EQ(encode.rate->left, 0.875F);
    EXPECT_FALSE(encode.rate->is_reached);
    EXPECT_EQ(back->report.backend, "opencl");
    EXPECT_EQ(back->report.threads, 12u);
    EXPECT_EQ(back->report.isa, "AVX2");
  }
}

TEST(FileMessage, WithoutMetrics) {
  MadeFile file;
  const auto back = parse_file_reply(write_file_reply(file, false), false, 1);
  ASSERT_TRUE(back);
  EXPECT_FALSE(back->report.encode.metrics);
  EXPECT_FALSE(back->report.encode.angular_error);
}

TEST(FileMessage, EveryCutIsRefused) {
  const Bytes good = write_file_reply(some_file(), true);
  for (size_t length = 0; length < good.size(); ++length) {
    const auto back = parse_file_reply(ByteSpan(good).first(length), true, 5);
    ASSERT_FALSE(back) << length;
    EXPECT_EQ(back.error().code, ErrorCode::kInvalid);
    EXPECT_NE(back.error().message.find("rank 5"), std::string::npos);
  }
  Bytes longer = good;
  longer.push_back(0);
  EXPECT_FALSE(parse_file_reply(longer, true, 5));
  EXPECT_FALSE(parse_file_reply(good, false, 5));  // nobody asked for the file
}

TEST(FileMessage, AnotherVersionIsRefused) {
  Bytes bytes = write_file_reply(some_file(), false);
  ++bytes[3];
  EXPECT_FALSE(parse_file_reply(bytes, false, 1));
}

TEST(FileMessage, ALongNameIsRefused) {
  MadeFile file;
  file.report.backend = std::string(65, 'x');
  EXPECT_FALSE(parse_file_reply(write_file_reply(file, false), false, 1));
}

class FileQueueTest : public testing::Test {
 protected:
  FileQueue make(bool gather = false, size_t ranks = 2) {
    return {order_, files_, ranks, gather, &cancelled_, done_};
  }
  // What a rank says of the unit that it gets.
  static void answer(FileQueue& queue, int rank, const Status& status) {
    const auto unit = queue.take(rank);
    ASSERT_TRUE(unit);
    UnitOutcome outcome;
    outcome.rank = rank;
    outcome.status = status;
    if (status) {
      outcome.reply = write_file_reply(MadeFile(), false);
    }
    unit->done(outcome);
  }
  const Places order_ = {2, 0, 1};
  const std::vector<FilePair> files_ = {{"a", "/nonexistent/a"}, {"b", "b"}, {"c", "c"}};
  std::atomic<bool> cancelled_ = false;
  std::vector<FileOutcome<FileEncodeReport>> outcomes_;
  const FileQueue::Done done_ = [this](FileOutcome<FileEncodeReport> outcome) {
    outcomes_.push_back(std::move(outcome));
  };
};

TEST_F(FileQueueTest, FilesGoOutInTheirOrder) {
  FileQueue queue = make();
  EXPECT_EQ(queue.take_file(), 2u);
  const auto unit = queue.take(1);
  ASSERT_TRUE(unit);
  EXPECT_EQ(unit->kind, kFileKind);
  EXPECT_EQ(unit->fields[0], 0u);
  EXPECT_EQ(queue.take_file(), 1u);
  EXPECT_FALSE(queue.take_file());
  EXPECT_FALSE(queue.take(1));
  UnitOutcome outcome;
  outcome.rank = 1;
  outcome.reply = write_file_reply(some_file(), false);
  unit->done(outcome);
  queue.wait();
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_EQ(outcomes_[0].index, 0u);
  EXPECT_EQ(outcomes_[0].rank, 1);
  ASSERT_TRUE(outcomes_[0].report);
  EXPECT_EQ(outcomes_[0].report->encode.width, 640u);
}

TEST_F(FileQueueTest, FailuresAreOutcomes) {
  FileQueue queue = make(/*gather=*/true);
  for (int i = 0; i < 3; ++i) {
    const auto unit = queue.take(1);
    UnitOutcome outcome;
    outcome.rank = 1;
    if (i == 0) {
      outcome.status = invalid_error("c is no picture");
    } else if (i == 1) {
      outcome.reply = write_file_reply(some_file(), true);  // its folder does not exist
    } else {
      outcome.reply = {1, 2, 3};
    }
    unit->done(outcome);
  }
  queue.wait();
  ASSERT_EQ(outcomes_.size(), 3u);
  EXPECT_EQ(outcomes_[0].report.error().message, "c is no picture");
  EXPECT_EQ(outcomes_[1].report.error().code, ErrorCode::kIo);
  EXPECT_EQ(outcomes_[2].report.error().code, ErrorCode::kInvalid);
}

const Status kUnreadable = io_error("cannot read it");

TEST_F(FileQueueTest, AFileThatARankCannotReadIsTriedByAnother) {
  FileQueue queue = make(false, 3);
  answer(queue, 1, kUnreadable);  // file 2
  EXPECT_FALSE(queue.take(1));    // it waits to see whether the file was at fault
  answer(queue, 2, Status());     // file 2 again
  EXPECT_FALSE(queue.take(1));    // it was the rank
  EXPECT_EQ(queue.take_file(), 0u);
  queue.finish(0, FileEncodeReport());
  answer(queue, 2, Status());  // file 1
  EXPECT_FALSE(queue.wait());
  ASSERT_EQ(outcomes_.size(), 3u);
  EXPECT_EQ(outcomes_[0].index, 2u);
  EXPECT_EQ(outcomes_[0].rank, 2);
  for (const auto& outcome : outcomes_) {
    EXPECT_TRUE(outcome.report);
  }
}

TEST_F(FileQueueTest, AFileThatNoRankCanReadFailsAndNamesThem) {
  FileQueue queue = make(false, 5);
  answer(queue, 3, kUnreadable);
  answer(queue, 1, kUnreadable);
  EXPECT_EQ(queue.take(2)->fields[0], 0u);  // the last try is rank 0's
  ASSERT_TRUE(queue.wait());
  EXPECT_EQ(queue.take_file(), 2u);
  queue.finish(2, kUnreadable.error());
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_EQ(outcomes_[0].report.error().code, ErrorCode::kIo);
  EXPECT_EQ(outcomes_[0].report.error().message, "cannot read it (ranks 3, 1 and 0 have tried)");
  EXPECT_TRUE(queue.take(1));  // the file was at fault, not the rank
}

TEST_F(FileQueueTest, AFileThatRankZeroCannotReadIsTriedByTwoOthers) {
  FileQueue queue = make(false, 5);
  ASSERT_EQ(queue.take_file(), 2u);
  queue.finish(2, kUnreadable.error());
  EXPECT_EQ(queue.take_file(), 0u);  // rank 0 goes on
  answer(queue, 4, kUnreadable);
  answer(queue, 2, kUnreadable);
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_EQ(outcomes_[0].report.error().message, "cannot read it (ranks 0, 4 and 2 have tried)");
}

TEST_F(FileQueueTest, OneRankHasOneTry) {
  FileQueue queue = make(false, 1);
  ASSERT_EQ(queue.take_file(), 2u);
  queue.finish(2, kUnreadable.error());
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_EQ(outcomes_[0].report.error().message, "cannot read it");
}

TEST_F(FileQueueTest, ACancelEndsTheQueue) {
  FileQueue queue = make();
  EXPECT_TRUE(queue.take_file());
  const auto unit = queue.take(1);
  cancelled_ = true;
  EXPECT_FALSE(queue.take_file());
  EXPECT_FALSE(queue.take(1));
  UnitOutcome outcome;
  outcome.rank = 1;
  outcome.status = Error{ErrorCode::kInterrupted, "interrupted"};
  unit->done(outcome);
  queue.wait();
  EXPECT_TRUE(outcomes_.empty());
}

}  // namespace
}  // namespace tessera::cluster
