// How much memory there is.
#pragma once

#include <cstdint>
#include <string>

namespace tessera {

// Bytes that this process can have at most: the machine's memory, or less where its container or
// its user is allowed less.
uint64_t machine_memory();

// What the control groups of the process allow, in bytes: the smallest limit on the way from its
// own group of version 2 up to the root, or that of version 1. `root` comes before the names of the
// system's files ("/proc/self/cgroup"). UINT64_MAX: no limit.
uint64_t control_group_memory(const std::string& root = "");

}  // namespace tessera
