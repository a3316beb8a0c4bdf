// A file descriptor of the system that is closed when it goes out of scope.
#pragma once

#include <unistd.h>

#include <utility>

namespace tessera {

class Descriptor {
 public:
  // Negative: none.
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.take()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    close();
    fd_ = other.take();
    return *this;
  }
  ~Descriptor() { close(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  // To be closed by somebody else.
  int take() { return std::exchange(fd_, -1); }

 private:
  void close() const {
    if (fd_ > STDERR_FILENO) {  // the standard streams are left alone
      ::close(fd_);
    }
  }

  int fd_;
};

}  // namespace tessera
