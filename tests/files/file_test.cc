// Tests files in and out: replaced at once, kept on failure, special files.
#include "files/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

namespace tessera {
namespace {

namespace fs = std::filesystem;

Bytes bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}

std::string contents(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

mode_t permissions(const std::string& path) {
  struct stat info = {};
  EXPECT_EQ(::stat(path.c_str(), &info), 0);
  return info.st_mode & 07777;
}

class Umask {
 public:
  explicit Umask(mode_t mask) : old_(::umask(mask)) {}
  Umask(const Umask&) = delete;
  Umask& operator=(const Umask&) = delete;
  ~Umask() { ::umask(old_); }

 private:
  mode_t old_;
};

// No file may grow beyond `bytes` while this lives: a full disk, for one process.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : old_handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit = {bytes, old_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    ::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_ = {};
  sighandler_t old_handler_;
};

// The result of `check` in a child process that has no special rights: the superuser may write
// anywhere.
bool check_without_privileges(const std::function<bool()>& check) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() == 0 && (::setresgid(kNobody, kNobody, kNobody) != 0 ||
                             ::setresuid(kNobody, kNobody, kNobody) != 0)) {
      ::_exit(2);
    }
    ::_exit(check() ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "tessera-file-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    ASSERT_EQ(::chmod(folder_.c_str(), 0755), 0);
  }
  void TearDown() override {
    std::error_code ignored;
    fs::permissions(path("locked"), fs::perms::owner_all, ignored);
    fs::remove_all(folder_, ignored);
  }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  size_t entries() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  std::string make_locked_folder() const {
    fs::create_directory(path("locked"));
    EXPECT_EQ(::chmod(path("locked").c_str(), 0555), 0);
    return path("locked");
  }

  std::string folder_;
};

TEST_F(FileTest, WritesAndReadsBack) {
  Bytes bytes;
  for (size_t i = 0; i < 3000000; ++i) {  // more than a chunk of the reader
    bytes.push_back(static_cast<uint8_t>(i * 31 + i / 256));
  }
  ASSERT_TRUE(write_file(path("a.bin"), bytes).ok());
  const auto read = read_file(path("a.bin"));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, bytes);
  EXPECT_EQ(entries(), 1u);  // no temporary file stays
}

TEST_F(FileTest, WritesAndReadsAnEmptyFile) {
  ASSERT_TRUE(write_file(path("empty"), {}).ok());
  const auto read = read_file(path("empty"));
  ASSERT_TRUE(read.ok());
  EXPECT_TRUE(read->empty());
}

TEST_F(FileTest, ReadsFilesThatDoNotTellTheirSize) {
  const auto status = read_file("/proc/self/status");  // says 0 bytes
  ASSERT_TRUE(status.ok());
  EXPECT_GT(status->size(), 100u);
  const auto nothing = read_file("/dev/null");
  ASSERT_TRUE(nothing.ok());
  EXPECT_TRUE(nothing->empty());
}

TEST_F(FileTest, ReplacesAFile) {
  ASSERT_TRUE(write_file(path("a"), bytes_of("a much longer old text")).ok());
  ASSERT_TRUE(write_file(path("a"), bytes_of("new")).ok());
  EXPECT_EQ(contents(path("a")), "new");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(FileTest, LinksThatLeadToEachOtherAreRefused) {
  const std::string first = path("first"), second = path("second");
  std::filesystem::create_symlink(second, first);
  std::filesystem::create_symlink(first, second);
  const Status written = write_file(first, Bytes{1});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kIo);
  EXPECT_TRUE(std::filesystem::is_symlink(first));
  EXPECT_TRUE(std::filesystem::is_symlink(second));
}

// What the program prints would end up in a file that has the number of a standard stream.
TEST_F(FileTest, NoOutputHasTheNumberOfAStandardStream) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  const int kept = ::dup(STDIN_FILENO);
  ::close(STDIN_FILENO);
  std::thread writer([&] { EXPECT_TRUE(write_file(pipe, Bytes(1 << 20)).ok()); });
  pollfd waiting = {reader, POLLIN, 0};
  EXPECT_EQ(::poll(&waiting, 1, -1), 1);  // the output is open, and as long as the pipe is full
  EXPECT_EQ(::fcntl(STDIN_FILENO, F_GETFD), -1);
  char bytes[4096];
  for (size_t left = 1 << 20; left > 0;) {
    const ssize_t got = ::read(reader, bytes, sizeof bytes);
    left -= got > 0 ? static_cast<size_t>(got) : 0;
  }
  writer.join();
  ::close(reader);
  ::dup2(kept, STDIN_FILENO);
  ::close(kept);
}

TEST_F(FileTest, ALinkedFileIsReplacedAndTheLinkStays) {
  const std::string target = path("target");
  const std::string link = path("link");
  ASSERT_TRUE(write_file(target, Bytes{1}));
  std::filesystem::create_symlink("target", link);
  ASSERT_TRUE(write_file(link, Bytes{2, 3}));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(read_file(target).value(), (Bytes{2, 3}));
}

TEST_F(FileTest, AReaderOfTheOldFileKeepsIt) {
  ASSERT_TRUE(write_file(path("a"), bytes_of("old")).ok());
  std::ifstream reader(path("a"), std::ios::binary);
  ASSERT_TRUE(write_file(path("a"), bytes_of("new")).ok());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(reader), std::istreambuf_iterator<char>()),
            "old");
}

TEST_F(FileTest, NewFilesFollowTheUmask) {
  {
    const Umask mask(027);
    ASSERT_TRUE(write_file(path("a"), bytes_of("x")).ok());
  }
  EXPECT_EQ(permissions(path("a")), mode_t{0640});
  {
    const Umask mask(0);
    ASSERT_TRUE(write_file(path("b"), bytes_of("x")).ok());
  }
  EXPECT_EQ(permissions(path("b")), mode_t{0666});
}

TEST_F(FileTest, ReplacedFilesKeepTheirPermissions) {
  ASSERT_TRUE(write_file(path("a"), bytes_of("old")).ok());
  ASSERT_EQ(::chmod(path("a").c_str(), 0604), 0);
  const Umask mask(077);
  ASSERT_TRUE(write_file(path("a"), bytes_of("new")).ok());
  EXPECT_EQ(permissions(path("a")), mode_t{0604});
  EXPECT_EQ(contents(path("a")), "new");
}

TEST_F(FileTest, AFailedWriteKeepsTheOldFileAndLeavesNothing) {
  ASSERT_TRUE(write_file(path("a"), bytes_of("precious")).ok());
  Status written;
  {
    const FileSizeLimit limit(1000);
    written = write_file(path("a"), Bytes(100000, 1));
  }
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, ErrorCode::kIo);
  EXPECT_NE(written.error().message.find(path("a")), std::string::npos);
  EXPECT_EQ(contents(path("a")), "precious");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(FileTest, AFailedWriteOfANewFileLeavesNothing) {
  Status written;
  {
    const FileSizeLimit limit(1000);
    written = write_file(path("new"), Bytes(100000, 1));
  }
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, ErrorCode::kIo);
  EXPECT_EQ(entries(), 0u);
}

TEST_F(FileTest, AFullDeviceIsAnError) {
  const Status written = write_file("/dev/full", bytes_of("x"));
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, ErrorCode::kIo);
  EXPECT_NE(written.error().message.find("/dev/full"), std::string::npos);
}

TEST_F(FileTest, DevicesAreWrittenInPlace) {
  EXPECT_TRUE(check_writable("/dev/null").ok());
  EXPECT_TRUE(write_file("/dev/null", bytes_of("x")).ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(FileTest, NamedPipesAreWrittenInPlace) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const int reader = ::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  EXPECT_TRUE(write_file(path("pipe"), bytes_of("through")).ok());
  char buffer[16] = {};
  EXPECT_EQ(::read(reader, buffer, sizeof(buffer)), 7);
  EXPECT_STREQ(buffer, "through");
  ::close(reader);
}

TEST_F(FileTest, StandardOutputIsCalledDash) {
  std::fflush(stdout);
  const int saved = ::dup(STDOUT_FILENO);
  const int target = ::open(path("out").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(target, 0);
  ::dup2(target, STDOUT_FILENO);
  const bool written = write_file(kStandardStream, bytes_of("to the stream")).ok();
  ::dup2(saved, STDOUT_FILENO);
  ::close(saved);
  ::close(target);
  EXPECT_TRUE(written);
  EXPECT_EQ(contents(path("out")), "to the stream");
  EXPECT_FALSE(fs::exists("-"));
}

TEST_F(FileTest, StandardInputIsCalledDash) {
  ASSERT_TRUE(write_file(path("in"), bytes_of("typed")).ok());
  const int saved = ::dup(STDIN_FILENO);
  const int source = ::open(path("in").c_str(), O_RDONLY);
  ASSERT_GE(source, 0);
  ::dup2(source, STDIN_FILENO);
  const auto read = read_file(kStandardStream);
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(source);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, bytes_of("typed"));
}

TEST_F(FileTest, DisplayNames) {
  EXPECT_EQ(input_display_name("-"), "standard input");
  EXPECT_EQ(input_display_name("a/b.png"), "a/b.png");
}

TEST_F(FileTest, AMissingFileCannotBeRead) {
  const auto read = read_file(path("nothing"));
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, ErrorCode::kIo);
  EXPECT_NE(read.error().message.find(path("nothing")), std::string::npos);
}

TEST_F(FileTest, AFolderCannotBeRead) {
  const auto read = read_file(folder_);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, ErrorCode::kIo);
  EXPECT_NE(read.error().message.find("folder"), std::string::npos);
}

TEST_F(FileTest, AFileWithoutReadPermissionCannotBeRead) {
  ASSERT_TRUE(write_file(path("secret"), bytes_of("x")).ok());
  ASSERT_EQ(::chmod(path("secret").c_str(), 0), 0);
  EXPECT_TRUE(check_without_privileges([&] {
    const auto read = read_file(path("secret"));
    return !read.ok() && read.error().code == ErrorCode::kIo;
  }));
}

TEST_F(FileTest, AFolderCannotBeWritten) {
  fs::create_directory(path("folder"));
  for (const Status& status : {check_writable(path("folder")), write_file(path("folder"), {})}) {
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::kIo);
    EXPECT_NE(status.error().message.find("it is a folder"), std::string::npos);
  }
  EXPECT_TRUE(fs::is_directory(path("folder")));
}

TEST_F(FileTest, AMissingFolderIsAnError) {
  const std::string target = path("no/such/file");
  for (const Status& status : {check_writable(target), write_file(target, {})}) {
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::kIo);
    EXPECT_NE(status.error().message.find("there is no folder"), std::string::npos);
  }
  EXPECT_FALSE(fs::exists(path("no")));  // and it is not made
}

TEST_F(FileTest, AFileInTheFoldersPlaceIsAnError) {
  ASSERT_TRUE(write_file(path("plain"), bytes_of("x")).ok());
  const Status status = write_file(path("plain/inside"), bytes_of("y"));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kIo);
  EXPECT_EQ(contents(path("plain")), "x");
}

TEST_F(FileTest, AnUnwritableFolderIsAnError) {
  const std::string target = make_locked_folder() + "/file";
  EXPECT_TRUE(check_without_privileges([&] {
    const Status checked = check_writable(target);
    const Status written = write_file(target, bytes_of("x"));
    return !checked.ok() && checked.error().code == ErrorCode::kIo && !written.ok() &&
           written.error().code == ErrorCode::kIo &&
           written.error().message.find("not writable") != std::string::npos;
  }));
  EXPECT_FALSE(fs::exists(target));
}

TEST_F(FileTest, AnOutputWithoutANameIsAUsageError) {
  const Status status = check_writable("");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kUsage);
}

TEST_F(FileTest, CheckingCreatesNothing) {
  EXPECT_TRUE(check_writable(path("later")).ok());
  EXPECT_TRUE(check_writable(kStandardStream).ok());
  EXPECT_EQ(entries(), 0u);
}

}  // namespace
}  // namespace tessera
