// Which output belongs to which input, and what is refused before any work starts.
#include "files/file_plan.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "files/content_hash.h"
#include "files/file.h"
#include "files/path_pattern.h"

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

  // As a run does it.
  static Result<std::vector<FilePair>> plan_outputs(const std::vector<std::string>& inputs,
                                                    const std::string& output,
                                                    std::string_view extension) {
    TESSERA_ASSIGN_OR_RETURN(const SourceList sources,
                             find_sources(inputs, {{}, {}, {".png"}, "pictures", output}));
    TESSERA_RETURN_IF_ERROR(check_folder_name(
        sources, output, [](const std::string& name) { return name.ends_with(".dds"); }));
    TESSERA_ASSIGN_OR_RETURN(const auto files,
                             pair_outputs(sources, output, [&](size_t) { return extension; }));
    TESSERA_RETURN_IF_ERROR(prepare_outputs(files, is_folder_output(sources, output) ? output : "",
                                            MissingFolders::kMake));
    return files;
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
  EXPECT_EQ(refusal(plan_outputs({path("in")}, path("out"), ".dds")), ErrorCode::kIo);  // empty
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
  const SourceList one = {{{"a.png", "a.png"}}};
  EXPECT_TRUE(is_unnamed_output({{{"a.png", "a.png"}, {"b.png", "b.png"}}, true}, "out"));
  EXPECT_TRUE(is_unnamed_output(one, path("out")));
  EXPECT_TRUE(is_unnamed_output({one.files, true}, "a.dds"));
  EXPECT_TRUE(is_unnamed_output(one, "-"));
  EXPECT_TRUE(is_unnamed_output(one, "/dev/null"));
  EXPECT_FALSE(is_unnamed_output(one, "a.dds"));
}

TEST_F(FilePlan, AFolderKeepsItsStructure) {
  fs::create_directories(path("in/deep/er"));
  make("in/deep/er/a.png");
  make("in/b.PNG");
  make("in/c.txt");
  EXPECT_EQ(outputs(plan_outputs({path("in")}, path("out"), ".dds")),
            (std::vector<std::string>{path("out/b.dds"), path("out/deep/er/a.dds")}));
  EXPECT_TRUE(fs::is_directory(path("out/deep/er")));
}

TEST_F(FilePlan, OneFileHoldsNoFolder) {
  make("in/a.png");
  EXPECT_EQ(refusal(plan_outputs({path("in")}, path("out.dds"), ".dds")), ErrorCode::kUsage);
  EXPECT_FALSE(fs::exists(path("out.dds")));
}

TEST(PathPattern, WhatPatternsMean) {
  EXPECT_TRUE(matches_path("*.png", "ui/a.png"));
  EXPECT_FALSE(matches_path("*.png", "ui/a.PNG"));
  EXPECT_TRUE(matches_path("ui/**", "ui/icons/a.png"));
  EXPECT_TRUE(matches_path("ui/**/a.png", "ui/a.png"));
  EXPECT_FALSE(matches_path("ui/*", "ui/icons/a.png"));
  EXPECT_FALSE(matches_path("ui/**", "rocks/ui/a.png"));
  EXPECT_TRUE(matches_path("**/ui/**", "rocks/ui/a.png"));
  EXPECT_TRUE(matches_path("**", "a/b"));
  EXPECT_TRUE(matches_path("a[0-9]?.png", "a3x.png"));
  EXPECT_FALSE(matches_path("a[!0-9].png", "a3.png"));
  EXPECT_TRUE(matches_path("a[", "a["));
  EXPECT_FALSE(matches_path("", "a"));
  EXPECT_FALSE(matches_path("*a*b", "aaab/aaac"));
}

TEST(ContentHash, DoesNotDependOnTheParts) {
  Bytes bytes;
  for (size_t i = 0; i < 300; ++i) {
    const uint64_t whole = content_hash(bytes);
    for (const size_t part : {size_t{1}, size_t{31}, size_t{32}, size_t{100}}) {
      ContentHash hash;
      for (size_t at = 0; at < bytes.size(); at += part) {
        hash.add(ByteSpan(bytes).subspan(at, std::min(part, bytes.size() - at)));
      }
      EXPECT_EQ(hash.value(), whole);
    }
    bytes.push_back(0);
    EXPECT_NE(content_hash(bytes), whole);
    bytes.back() = static_cast<uint8_t>(i * 7);
  }
}

}  // namespace
}  // namespace tessera
