// Tests what writing a file leaves behind, and in which order the system is asked: the calls that
// this program makes go through the functions below.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "files/file.h"
#include "files/old_temporaries.h"
#include "files/replace_file.h"

namespace {

std::vector<std::string> calls;  // in order
pid_t killed_before_rename = 0;  // where it is not 0

std::string name_of(const char* path) {
  return std::filesystem::path(path).filename().string();
}

}  // namespace

extern "C" int fsync(int fd) {
  struct stat info = {};
  ::fstat(fd, &info);
  calls.emplace_back(S_ISDIR(info.st_mode) ? "fsync of the folder" : "fsync of the file");
  return static_cast<int>(::syscall(SYS_fsync, fd));
}

extern "C" int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  calls.push_back("link " + name_of(to));
  return static_cast<int>(::syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}

extern "C" int rename(const char* from, const char* to) {
  if (killed_before_rename != 0) {
    ::kill(killed_before_rename, SIGKILL);
  }
  calls.push_back("rename to " + name_of(to));
  return static_cast<int>(::syscall(SYS_rename, from, to));
}

namespace tessera {
namespace {

namespace fs = std::filesystem;
using Calls = std::vector<std::string>;

class OutputTraces : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "tessera-traces-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    calls.clear();
    const int fd = ::open(folder_.c_str(), O_TMPFILE | O_WRONLY, 0600);
    if (fd < 0) {
      GTEST_SKIP() << "this file system has no files without a name";
    }
    ::close(fd);
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  // A file that was written `hours` ago.
  std::string old_file(const std::string& name, int hours) const {
    const int fd = ::open(path(name).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const timespec then = {std::time(nullptr) - hours * 3600, 0};
    const timespec times[2] = {then, then};
    ::futimens(fd, times);
    ::close(fd);
    return path(name);
  }

  std::string folder_;
};

TEST_F(OutputTraces, ANewFileGetsItsNameInOneStep) {
  ASSERT_TRUE(write_file(path("new"), Bytes{1}));
  EXPECT_EQ(calls, Calls{"link new"});
}

TEST_F(OutputTraces, AnotherFileIsReplacedInOneStep) {
  ASSERT_TRUE(write_file(path("a"), Bytes{1}));
  calls.clear();
  ASSERT_TRUE(write_file(path("a"), Bytes{2}));
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(calls[0], "link a");  // not possible: it exists
  EXPECT_TRUE(calls[1].starts_with("link " + std::string(kTemporaryPrefix)));
  EXPECT_EQ(calls[2], "rename to a");
  EXPECT_EQ(read_file(path("a")).value(), Bytes{2});
}

TEST_F(OutputTraces, AProcessThatIsKilledBetweenTheTwoCallsLeavesNothing) {
  ASSERT_TRUE(write_file(path("a"), Bytes{1}));
  const pid_t writer = ::fork();
  ASSERT_GE(writer, 0);
  if (writer == 0) {
    killed_before_rename = ::getpid();
    (void)write_file(path("a"), Bytes{2});
    ::_exit(0);  // the kill has not come
  }
  int status = 0;
  ASSERT_EQ(::waitpid(writer, &status, 0), writer);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  while (read_file(path("a")).value() == Bytes{1}) {  // the helper process still works
    ::usleep(1000);
  }
  EXPECT_EQ(read_file(path("a")).value(), Bytes{2});
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(OutputTraces, WhatCannotBeReplacedStaysWithoutTraces) {
  ASSERT_TRUE(write_file(path("a"), Bytes{1}));
  EXPECT_EQ(replace_file(path("missing"), path("t"), path("a")), ENOENT);
  EXPECT_EQ(replace_file(path("a"), path("t"), path("no/folder")), ENOENT);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(OutputTraces, ADurableFileIsOnTheDiskBeforeItHasAName) {
  ASSERT_TRUE(write_file(path("new"), Bytes{1}, WriteDurability::kSynced));
  EXPECT_EQ(calls, (Calls{"fsync of the file", "link new", "fsync of the folder"}));
  calls.clear();
  ASSERT_TRUE(write_file(path("new"), Bytes{2}, WriteDurability::kSynced));
  ASSERT_EQ(calls.size(), 5u);
  EXPECT_EQ(calls.front(), "fsync of the file");
  EXPECT_EQ(calls.back(), "fsync of the folder");
}

TEST_F(OutputTraces, ALinkThatLeadsNowhereYetIsFollowed) {
  fs::create_directory(path("sub"));
  fs::create_symlink("sub/target", path("link"));
  ASSERT_TRUE(write_file(path("link"), Bytes{7}));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("sub/target")).value(), Bytes{7});
  fs::create_symlink("missing/target", path("lost"));
  EXPECT_EQ(write_file(path("lost"), Bytes{7}).error().code, ErrorCode::kIo);
  EXPECT_TRUE(fs::is_symlink(path("lost")));
}

TEST_F(OutputTraces, OldTemporaryFilesOfOursGoAway) {
  const std::string abandoned = old_file(".tessera-0123456789abcdef.tmp", 25);
  const std::string in_use = old_file(".tessera-fedcba9876543210.tmp", 23);
  const std::vector<std::string> others = {
      old_file(".tessera-0123456789abcde.tmp", 99), old_file(".tessera-0123456789ABCDEF.tmp", 99),
      old_file("tessera-0123456789abcdef.tmp", 99), old_file(".tessera-notes.tmp", 99)};
  fs::create_symlink("others", path(".tessera-00000000000000aa.tmp"));
  fs::create_directory(path(".tessera-00000000000000bb.tmp"));
  ASSERT_TRUE(write_file(path("a"), Bytes{1}));
  EXPECT_TRUE(fs::exists(abandoned));  // nothing was in the way, and nothing was looked for
  ASSERT_TRUE(write_file(path("a"), Bytes{2}));
  EXPECT_FALSE(fs::exists(abandoned));
  EXPECT_TRUE(fs::exists(in_use));
  for (const std::string& other : others) {
    EXPECT_TRUE(fs::exists(other)) << other;
  }
  EXPECT_TRUE(fs::is_symlink(path(".tessera-00000000000000aa.tmp")));
  EXPECT_TRUE(fs::is_directory(path(".tessera-00000000000000bb.tmp")));
}

TEST_F(OutputTraces, WhatAKilledProcessHasLeftGoesAwayAtOnce) {
  const std::string left = old_file(".tessera-locked-0123456789abcdef.tmp", 0);
  const std::string in_use = old_file(".tessera-locked-fedcba9876543210.tmp", 99);
  const int fd = ::open(in_use.c_str(), O_RDONLY | O_CLOEXEC);
  lock_temporary(fd);
  ASSERT_TRUE(write_file(path("a"), Bytes{1}));
  ASSERT_TRUE(write_file(path("a"), Bytes{2}));
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(in_use));
  ::close(fd);
  EXPECT_EQ(read_file(path("a")).value(), Bytes{2});
}

TEST_F(OutputTraces, ATemporaryNameIsThatOfALockedFile) {
  ASSERT_TRUE(write_file(path("a"), Bytes{1}));
  calls.clear();
  ASSERT_TRUE(write_file(path("a"), Bytes{2}));
  EXPECT_TRUE(calls.at(1).starts_with("link .tessera-locked-")) << calls.at(1);
}

}  // namespace
}  // namespace tessera
