// Which output belongs to which input, and what is refused before any work starts.
#include "files/file_plan.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "files/file.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

class FilePlan : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "file_plan_test";
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "in");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string make(const std::string& name) const {
    EXPECT_TRUE(write_file(path(name), Bytes{1}));
    return path(name);
  }

  // The outputs, or the error's code.
  static std::vector<std::string> outputs(const Result<std::vector<FilePair>>& plan) {
    std::vector<std::string> names;
    for (const FilePair& pair : plan.value()) {
      names.push_back(pair.output);
    }
    return names;
  }

  static ErrorCode refusal(const Result<std::vector<FilePair>>& plan) {
    EXPECT_FALSE(plan);
    return plan ? ErrorCode::kFailed : plan.error().code;
  }

 private:
  fs::path folder_;
};

TEST_F(FilePlan, OneInputAndItsName) {
  const auto plan = plan_outputs({make("in/a.png")}, path("b.dds"), ".astc");
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->size(), 1u);
  EXPECT_EQ((*plan)[0].input, path("in/a.png"));
  EXPECT_EQ((*plan)[0].output, path("b.dds"));
}

TEST_F(FilePlan, AFolderTakesTheNamesOfTheInputs) {
  const std::vector<std::string> inputs = {make("in/a.png"), make("in/b.tar.jpg"), make("in/c")};
  EXPECT_EQ(
      outputs(plan_outputs(inputs, path("out"), ".dds")),
      (std::vector<std::string>{path("out/a.dds"), path("out/b.tar.dds"), path("out/c.dds")}));
  EXPECT_TRUE(fs::is_directory(path("out")));  // made, because all inputs were good
}

TEST_F(FilePlan, AFolderForOneInput) {
  fs::create_directory(path("out"));
  const std::string input = make("in/a.png");
  EXPECT_EQ(outputs(plan_outputs({input}, path("out"), ".dds")),
            std::vector<std::string>{path("out/a.dds")});
  EXPECT_EQ(outputs(plan_outputs({input}, path("new/"), ".dds")),
            std::vector<std::string>{path("new/a.dds")});
}

TEST_F(FilePlan, StandardStreams) {
  EXPECT_EQ(outputs(plan_outputs({"-"}, "-", ".dds")), std::vector<std::string>{"-"});
  EXPECT_EQ(refusal(plan_outputs({"-", make("in/a.png")}, path("out"), ".dds")), ErrorCode::kUsage);
  EXPECT_EQ(refusal(plan_outputs({make("in/a.png"), make("in/b.png")}, "-", ".dds")),
            ErrorCode::kUsage);
}

TEST_F(FilePlan, InputsThatCannotBeReadAreRefused) {
  EXPECT_EQ(refusal(plan_outputs({path("none.png")}, path("a.dds"), ".dds")), ErrorCode::kIo);
  EXPECT_EQ(refusal(plan_outputs({path("in")}, path("a.dds"), ".dds")), ErrorCode::kIo);
  EXPECT_EQ(refusal(plan_outputs({make("in/a.png"), path("none.png")}, path("out"), ".dds")),
            ErrorCode::kIo);
  EXPECT_FALSE(fs::exists(path("out")));
}

TEST_F(FilePlan, TwoInputsWithOneOutputAreRefused) {
  fs::create_directory(path("more"));
  EXPECT_EQ(refusal(plan_outputs({make("in/a.png"), make("more/a.jpg")}, path("out"), ".dds")),
            ErrorCode::kUsage);
}

TEST_F(FilePlan, AnInputIsNoOutput) {
  const std::string texture = make("in/a.dds");
  EXPECT_EQ(refusal(plan_outputs({texture}, texture, ".dds")), ErrorCode::kUsage);
  EXPECT_EQ(refusal(plan_outputs({texture}, path("in/../in/a.dds"), ".dds")), ErrorCode::kUsage);
  EXPECT_EQ(refusal(plan_outputs({texture, make("in/b.png")}, path("in"), ".dds")),
            ErrorCode::kUsage);
}

TEST_F(FilePlan, OutputsThatCannotBeWrittenAreRefused) {
  EXPECT_EQ(refusal(plan_outputs({make("in/a.png")}, path("no/a.dds"), ".dds")), ErrorCode::kIo);
  // Several inputs need a folder, and this is a file.
  EXPECT_EQ(refusal(plan_outputs({make("in/a.png"), make("in/b.png")}, make("file"), ".dds")),
            ErrorCode::kUsage);
}

TEST_F(FilePlan, NamesThatTellNoType) {
  fs::create_directory(path("out"));
  EXPECT_TRUE(is_unnamed_output({"a.png", "b.png"}, "out"));
  EXPECT_TRUE(is_unnamed_output({"a.png"}, path("out")));
  EXPECT_TRUE(is_unnamed_output({"a.png"}, "-"));
  EXPECT_TRUE(is_unnamed_output({"a.png"}, "/dev/null"));
  EXPECT_FALSE(is_unnamed_output({"a.png"}, "a.dds"));
}

}  // namespace
}  // namespace tessera
