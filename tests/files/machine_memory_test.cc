// Tests the limits of control groups on trees of files that are made here.
#include "files/machine_memory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace tessera {
namespace {

namespace fs = std::filesystem;

class ControlGroups : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "tessera-groups-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(root_ + name).parent_path());
    std::ofstream(root_ + name) << text << "\n";
  }

  std::string root_;
};

TEST_F(ControlGroups, NoneIsNoLimit) {
  EXPECT_EQ(control_group_memory(root_), UINT64_MAX);
  write("/proc/self/cgroup", "0::/");
  write("/sys/fs/cgroup/memory.max", "max");
  EXPECT_EQ(control_group_memory(root_), UINT64_MAX);
}

TEST_F(ControlGroups, TheOneAtTheRootIsThatOfAContainer) {
  write("/proc/self/cgroup", "0::/");
  write("/sys/fs/cgroup/memory.max", "1000");
  EXPECT_EQ(control_group_memory(root_), 1000U);
}

TEST_F(ControlGroups, TheSmallestOnTheWayToTheRootCounts) {
  write("/proc/self/cgroup", "12:cpu:/elsewhere\n0::/a.slice/b.slice/c.service");
  write("/sys/fs/cgroup/a.slice/memory.max", "5000");
  write("/sys/fs/cgroup/a.slice/b.slice/memory.max", "max");
  write("/sys/fs/cgroup/a.slice/b.slice/c.service/memory.max", "7000");
  write("/sys/fs/cgroup/elsewhere/memory.max", "3");
  write("/sys/fs/cgroup/a.slice/b.slice/d.service/memory.max", "4");
  EXPECT_EQ(control_group_memory(root_), 5000U);
  write("/sys/fs/cgroup/a.slice/b.slice/c.service/memory.max", "2000");
  EXPECT_EQ(control_group_memory(root_), 2000U);
}

TEST_F(ControlGroups, ThoseOfVersion1Count) {
  write("/proc/self/cgroup", "5:memory:/x");
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "800");
  EXPECT_EQ(control_group_memory(root_), 800U);
}

}  // namespace
}  // namespace tessera
