// Formats of whole images on many ranks. Rank 0's image is sent to all ranks once; then every rank
// runs the same encoder in step and shares its loops. What a part of a loop is, the format says: of
// a fractal image, some rows of range blocks, or whole tiles where there are enough of them.
#pragma once

#include <functional>
#include <vector>

#include "base/shared_loop.h"
#include "cluster/coordinator.h"
#include "cluster/rank_group.h"
#include "codec/pipeline.h"
#include "exec/backend.h"

namespace tessera::cluster {

class LoopRanks : public SharedLoop {
 public:
  // `report` prints the sentence of an error that ends everything, on rank 0.
  LoopRanks(RankGroup& group, std::vector<Greeting> greetings, Backend& backend,
            std::function<void(const Error&)> report);

  size_t processes() const override;
  Status run(const SharedWork& work) override;

 private:
  Status run_root(const SharedWork& work);
  Status run_other(const SharedWork& work);

  RankGroup& group_;
  std::vector<Greeting> greetings_;
  Backend& backend_;
  std::function<void(const Error&)> report_;
};

// Rank 0's image, or its error, on every rank. The others pass anything.
Result<PreparedImage> share_source(Result<PreparedImage> source, RankGroup& group);

}  // namespace tessera::cluster
