// Lists of files on several ranks of this process: the files of one machine, and their reports.
#include "cluster/rank_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <future>

#include "codec/registry.h"
#include "files/file.h"
#include "files/pictures/image_file.h"
#include "image/synthetic.h"
#include "memory_transport.h"

namespace tessera::cluster {
namespace {

namespace fs = std::filesystem;

class RankFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "rank_files_test";
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    for (uint32_t i = 0; i < 6; ++i) {
      const Image image =
          make_synthetic_image(SyntheticKind::kPhoto, 24 + 8 * i, 40 - 3 * i, i).value();
      inputs.push_back(path("image" + std::to_string(i) + ".png"));
      ASSERT_TRUE(
          write_file(inputs.back(), encode_image(image.view(), ImageFileType::kPng).value()));
    }
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  Result<EncodeJob> make_job() const {
    EncodeJob job;
    TESSERA_ASSIGN_OR_RETURN(job.codec, find_codec(format));
    job.container = job.codec->row().default_container;
    job.settings.preset = Preset::kRealtime;
    return job;
  }

  Result<EncodeList> make_list(const std::string& output) const {
    EncodeList list;
    TESSERA_ASSIGN_OR_RETURN(const EncodeJob job, make_job());
    list.jobs = {job};
    list.folder = path(output);
    TESSERA_ASSIGN_OR_RETURN(const SourceList sources, find_sources(inputs, {}));
    TESSERA_ASSIGN_OR_RETURN(list.files, pair_outputs(sources, list.folder, [&](size_t) {
                               return container_type_name(job.container);
                             }));
    return list;
  }

  RankJob rank_job(const std::string& output) const {
    RankJob job;
    job.options = options;
    job.words = {"encode"};
    job.make_list = [this, output] { return make_list(output); };
    job.prepare_outputs = [](const EncodeList& list) {
      return prepare_outputs(list.files, list.folder, MissingFolders::kMake);
    };
    job.make_backend = [](unsigned,
                          std::optional<unsigned> threads) -> Result<std::shared_ptr<Backend>> {
      return {make_cpu_backend(threads.value_or(2))};
    };
    job.report = [](const Error&) {};
    return job;
  }

  // All ranks; the exit codes by rank. The outcomes are in `told`.
  std::vector<int> run(int ranks, const std::function<RankJob(int rank)>& job_of) {
    told.clear();
    MemoryNetwork network(ranks);
    std::vector<std::future<int>> running;
    for (int rank = 0; rank < ranks; ++rank) {
      running.push_back(std::async(std::launch::async, [&, rank] {
        RankGroup group(network.connect(rank), nullptr);
        return encode_on_ranks(
            group, job_of(rank),
            [&](const EncodeList& list, FileExecutor<FileEncodeReport>& executor) {
              after_planning();
              const Status status = run_files<FileEncodeReport>(
                  list.files, executor,
                  [&](const FileOutcome<FileEncodeReport>& outcome) { told.push_back(outcome); });
              return status ? 0 : static_cast<int>(status.error().code);
            });
      }));
    }
    std::vector<int> codes;
    for (auto& one : running) {
      codes.push_back(one.get());
    }
    return codes;
  }

  // The same files on this machine alone, in the folder "one".
  void make_alone() {
    const auto backend = make_cpu_backend(1);
    const EncodeList list = make_list("one").value();
    ASSERT_TRUE(prepare_outputs(list.files, list.folder, MissingFolders::kMake));
    for (const FilePair& file : list.files) {
      EncodeJob job = *make_job();
      job.input = file.input;
      job.output = file.output;
      // Some inputs may be bad.
      const auto ignored = encode_file(job, *backend, {});
    }
  }

  void expect_same_folders(const std::string& other) const {
    size_t count = 0;
    for (const auto& entry : fs::directory_iterator(path("one"))) {
      const std::string name = entry.path().filename().string();
      EXPECT_EQ(read_file(entry.path().string()).value(),
                read_file(path(other + "/" + name)).value())
          << name;
      ++count;
    }
    EXPECT_EQ(count, static_cast<size_t>(std::distance(fs::directory_iterator(path(other)), {})));
  }

  void expect_same_files_on_all_numbers_of_ranks() {
    make_alone();
    for (const int ranks : {1, 2, 3, 5}) {
      const std::string output = "ranks" + std::to_string(ranks);
      EXPECT_EQ(run(ranks, [&](int) { return rank_job(output); }),
                std::vector<int>(static_cast<size_t>(ranks), 0));
      expect_same_folders(output);
      ASSERT_EQ(told.size(), inputs.size());
      for (size_t i = 0; i < told.size(); ++i) {
        EXPECT_EQ(told[i].index, i);
        ASSERT_TRUE(told[i].report);
        EXPECT_EQ(told[i].report->encode.width, 24 + 8 * i);
      }
    }
  }

  std::string format = "bc1";
  std::vector<std::string> inputs;
  RankOptions options;
  std::vector<FileOutcome<FileEncodeReport>> told;
  std::function<void()> after_planning = [] {};  // before any file is made

 private:
  fs::path folder_;
};

TEST_F(RankFilesTest, WholeFiles) {
  options.split_over = 1 << 30;
  expect_same_files_on_all_numbers_of_ranks();
}

TEST_F(RankFilesTest, FilesThatRankZeroWrites) {
  options.split_over = 1 << 30;
  options.gather = true;
  expect_same_files_on_all_numbers_of_ranks();
}

TEST_F(RankFilesTest, SharedFiles) {
  options.split_over = 0;
  options.unit_rows = 1;
  expect_same_files_on_all_numbers_of_ranks();
  ASSERT_EQ(told[0].report->ranks.size(), 5u);
  uint64_t pixels = 0;
  for (const RankWork& work : told[0].report->ranks) {
    pixels += work.pixels;
  }
  EXPECT_EQ(pixels, 24u * 40u);
  EXPECT_EQ(told[0].report->backend, "mpi");
  EXPECT_EQ(told[0].report->threads, 10u);
}

TEST_F(RankFilesTest, SharedAndWholeFiles) {
  expect_same_files_on_all_numbers_of_ranks();
}

TEST_F(RankFilesTest, FractalImages) {
  format = "fractal";
  expect_same_files_on_all_numbers_of_ranks();
  options.split_over = 0;  // all of them in step
  make_alone();
  EXPECT_EQ(run(3, [&](int) { return rank_job("in_step"); }), std::vector<int>(3, 0));
  expect_same_folders("in_step");
}

TEST_F(RankFilesTest, BadFilesAmongGoodOnes) {
  ASSERT_TRUE(write_file(inputs[2], Bytes{1, 2, 3}));
  ASSERT_TRUE(write_file(inputs[4], Bytes{}));
  make_alone();
  for (const uint64_t split_over : {uint64_t{0}, uint64_t{1} << 30}) {
    options.split_over = split_over;
    const std::string output = "over" + std::to_string(split_over);
    EXPECT_EQ(run(3, [&](int) { return rank_job(output); }), std::vector<int>(3, 3));
    expect_same_folders(output);
    ASSERT_EQ(told.size(), 6u);
    EXPECT_FALSE(told[2].report);
    EXPECT_FALSE(told[4].report);
    EXPECT_NE(told[2].report.error().message.find("image2.png"), std::string::npos);
  }
}

TEST_F(RankFilesTest, RanksThatDoNotSeeTheInputsGiveThemBack) {
  options.split_over = 1 << 30;
  make_alone();
  for (const int ranks : {2, 3, 5}) {
    const std::string output = "blind" + std::to_string(ranks);
    const auto codes = run(ranks, [&](int rank) {
      RankJob job = rank_job(output);
      job.make_list = [this, output, rank]() -> Result<EncodeList> {
        TESSERA_ASSIGN_OR_RETURN(EncodeList list, make_list(output));
        for (FilePair& file : list.files) {  // as if its machine had not mounted the folder
          file.input = rank == 0 ? file.input
                                 : path("elsewhere/" + fs::path(file.input).filename().string());
        }
        return list;
      };
      return job;
    });
    EXPECT_EQ(codes, std::vector<int>(static_cast<size_t>(ranks), 0));
    expect_same_folders(output);
    for (const auto& outcome : told) {
      EXPECT_TRUE(outcome.report);
      EXPECT_EQ(outcome.rank, 0);
    }
  }
}

TEST_F(RankFilesTest, AFileThatIsMissingFailsOnceAndNamesTheRanks) {
  options.split_over = 1 << 30;
  make_alone();
  fs::remove(path("one/image3.dds"));
  after_planning = [this] { fs::remove(inputs[3]); };
  EXPECT_EQ(run(3, [&](int) { return rank_job("missing"); }), std::vector<int>(3, 2));
  expect_same_folders("missing");
  ASSERT_EQ(told.size(), 6u);
  ASSERT_FALSE(told[3].report);
  EXPECT_EQ(told[3].report.error().code, ErrorCode::kIo);
  EXPECT_NE(told[3].report.error().message.find("have tried)"), std::string::npos);
}

TEST_F(RankFilesTest, FilesWithSettingsOfTheirOwn) {
  const auto job_of = [&](const std::string& output) {
    RankJob job = rank_job(output);
    job.make_list = [this, output]() -> Result<EncodeList> {
      TESSERA_ASSIGN_OR_RETURN(EncodeList list, make_list(output));
      EncodeJob other = list.jobs[0];
      other.settings.preset = Preset::kThorough;
      list.jobs.push_back(other);
      for (size_t i = 0; i < list.files.size(); ++i) {
        list.files[i].job = i % 2;
      }
      return list;
    };
    return job;
  };
  for (const uint64_t split_over : {uint64_t{0}, uint64_t{1} << 30}) {
    options.split_over = split_over;
    EXPECT_EQ(run(1, [&](int) { return job_of("one"); }), std::vector<int>(1, 0));
    EXPECT_EQ(run(3, [&](int) { return job_of("three"); }), std::vector<int>(3, 0));
    expect_same_folders("three");
  }
}

TEST_F(RankFilesTest, ARankThatSeesOtherFilesIsRefused) {
  const auto codes = run(3, [&](int rank) {
    RankJob job = rank_job("out");
    if (rank == 1) {
      job.make_list = [this]() -> Result<EncodeList> {
        TESSERA_ASSIGN_OR_RETURN(EncodeList list, make_list("out"));
        list.files.pop_back();
        return list;
      };
    }
    return job;
  });
  EXPECT_EQ(codes, std::vector<int>(3, 1));
  EXPECT_TRUE(told.empty());
}

TEST_F(RankFilesTest, ARankWithOtherWordsIsRefused) {
  const auto codes = run(3, [&](int rank) {
    RankJob job = rank_job("out");
    if (rank == 2) {
      job.words.push_back("--mips");
    }
    return job;
  });
  EXPECT_EQ(codes, std::vector<int>(3, 1));
  EXPECT_TRUE(told.empty());
}

TEST_F(RankFilesTest, ARankThatCannotSetUpEndsAll) {
  const auto codes = run(3, [&](int rank) {
    RankJob job = rank_job("out");
    if (rank == 1) {
      job.make_backend = [](unsigned, std::optional<unsigned>) -> Result<std::shared_ptr<Backend>> {
        return unsupported_error("no device");
      };
    }
    return job;
  });
  EXPECT_EQ(codes, std::vector<int>(3, 5));
}

TEST_F(RankFilesTest, ManyFilesAreMadeByEveryThread) {
  // Four files for each of two threads of two ranks.
  for (size_t i = 6; i < 16; ++i) {
    inputs.push_back(path("copy" + std::to_string(i) + ".png"));
    fs::copy_file(inputs[i % 6], inputs.back());
  }
  options.split_over = 1 << 30;
  make_alone();
  EXPECT_EQ(run(2, [&](int) { return rank_job("many"); }), std::vector<int>(2, 0));
  expect_same_folders("many");
  for (const auto& outcome : told) {
    EXPECT_EQ(outcome.report->threads, 1u);
  }
}

}  // namespace
}  // namespace tessera::cluster
