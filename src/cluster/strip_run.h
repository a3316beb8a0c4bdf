// One image on its way through all ranks: rank 0 cuts it into strips of whole block rows.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "cluster/coordinator.h"
#include "containers/texture.h"
#include "exec/backend.h"
#include "files/file_report.h"
#include "image/image.h"

namespace tessera::cluster {

struct StripOptions {
  // Block rows per strip; 0: chosen by the ranks' threads, fewer near the end of the image.
  uint32_t unit_rows = 0;
  // Strips begin at multiples of so many block rows, as the encoder wants them.
  uint32_t rows_together = 1;
};

// What the size of a rank's next strip depends on; sizes in block rows.
struct StripRequest {
  size_t left = 0;  // rows of the image that no rank has taken
  size_t held = 0;  // rows that the rank has and has not finished
  size_t blocks_across = 1;
  unsigned threads = 1;      // of the rank
  unsigned workers = 1;      // of the rank; each computes one strip at a time
  unsigned all_threads = 1;  // of all ranks
};

// The block rows of the rank's next strip: enough for every thread of a worker, and fewer near the
// end of the image, so that all ranks end at about the same time. 0 if the rank has enough already:
// it would still be busy with its strips when all other ranks have finished the rest of the image.
size_t strip_rows(const StripRequest& request);

// What all ranks have done for a run of images, and what it cost. Thread-safe.
class StripLedger {
 public:
  explicit StripLedger(size_t ranks) : ranks_(ranks) {}

  void add(int rank, uint64_t pixels, double seconds);
  void add_costs(const Coordinator::Costs& before, const Coordinator::Costs& after);

  std::vector<RankWork> work() const;  // by rank
  Coordinator::Costs costs() const;

 private:
  mutable std::mutex mutex_;
  std::vector<RankWork> ranks_;
  Coordinator::Costs costs_;
};

class StripRun : public UnitSource {
 public:
  // A strip of whole block rows within one slice of the image; of blocks of 3D, all rows of one or
  // several slices of blocks, whose pixels lie together.
  struct Strip {
    size_t begin = 0;  // block rows, counted through all slices
    size_t end = 0;
    ImageView pixels;
  };

  // `out` receives the blocks. All arguments must outlive the object.
  StripRun(const ImageView& image, ImageFacts facts, const TextureInfo& format,
           Coordinator& coordinator, const StripOptions& options, StripLedger& ledger,
           const RunControl& control, std::span<uint8_t> out);

  ImageFacts facts() const { return facts_; }  // of the whole image

  // The next strip for a rank; none when the image is cut up, or the rank has enough.
  std::optional<Strip> take_strip(int rank);
  // The same as a unit, for another rank.
  std::optional<Unit> take(int rank) override;

  // Where the strip's blocks belong.
  std::span<uint8_t> place_of(const Strip& strip);
  void finish(const Strip& strip, int rank, double seconds, const Status& status);

  // Until no other rank works on a strip. Other ranks' messages use the image and the blocks, so
  // after an error this waits for them, too, but for two seconds at most.
  Status wait();
  // No other rank uses the image and the blocks, or will.
  bool is_settled();

 private:
  bool settled() const { return under_way_ == 0 && (next_ == row_count_ || error_); }
  bool cancelled() const;
  bool can_travel() const;
  bool is_deep() const { return block_.is_3d(); }
  size_t unit_bytes() const;
  size_t rows_for(int rank) const;
  Strip cut(size_t rows);
  Strip cut_slices(size_t rows);

  const ImageView image_;
  const ImageFacts facts_;
  const bool srgb_;  // the texture
  Coordinator& coordinator_;
  const StripOptions options_;
  StripLedger& ledger_;
  const RunControl& control_;
  const std::span<uint8_t> out_;
  const BlockSize block_;
  const size_t blocks_across_;
  const size_t rows_per_slice_;    // block rows
  const size_t slices_per_layer_;  // of blocks
  const size_t row_bytes_;         // of the blocks of one row
  const size_t row_count_;         // block rows of all slices
  const unsigned all_threads_;

  std::mutex mutex_;  // guards the members below, and calls of the progress
  std::condition_variable ended_;
  size_t next_ = 0;  // the first block row that no rank has taken
  size_t done_ = 0;
  size_t under_way_ = 0;      // strips
  std::vector<size_t> held_;  // block rows, by rank
  std::optional<Error> error_;
};

}  // namespace tessera::cluster
