// Encodes on the program's own threads, with progress and a way to stop.
//
//   own_thread_pool photo.png photo.dds
#include <atomic>
#include <cstdio>
#include <functional>
#include <tessera/tessera.hpp>
#include <thread>
#include <vector>

// Stands for the job system of an engine: every thread takes the next job until there is none.
void run_jobs(size_t count, const std::function<void(size_t)>& job) {
  std::atomic<size_t> next = 0;
  const auto take_jobs = [&] {
    for (size_t i = next++; i < count; i = next++) {
      job(i);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back(take_jobs);
  }
  take_jobs();
  for (std::thread& thread : threads) {
    thread.join();
  }
}

tessera::Status convert(const char* photo, const char* dds) {
  const auto context = tessera::Context::create({.threads = 4, .parallel_run = run_jobs});
  if (!context) return context.error();
  const auto encoder = tessera::Encoder::create({.format = "bc1", .preset = "fast"});
  if (!encoder) return encoder.error();
  const auto picture = tessera::read(photo);
  if (!picture) return picture.error();
  const tessera::Stop stop;  // stop.request() from any thread ends the work
  tessera::Control control;
  control.stop = &stop;
  control.progress = [](double done) { std::printf("\r%3.0f %%", 100 * done); };
  const auto file = encoder->encode(picture->image(), &*context, control);
  std::printf("\n");
  if (!file) return file.error();
  return tessera::write_bytes(dds, file->span());
}

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: %s PHOTO DDS\n", argv[0]), 1;
  const tessera::Status done = convert(argv[1], argv[2]);
  if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
  return done ? 0 : 1;
}
