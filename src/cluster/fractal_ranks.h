// Fractal images on many ranks. Rank 0's image is sent to all ranks once; then every rank runs the
// same encoder in step and shares the loops of its searches and decisions. A part of a loop is some
// rows of range blocks, or whole tiles where there are enough of them.
#pragma once

#include <functional>
#include <vector>

#include "cluster/coordinator.h"
#include "cluster/rank_group.h"
#include "codec/pipeline.h"
#include "exec/backend.h"
#include "fractal/shared_loop.h"

namespace tessera::cluster {

class FractalRanks : public fractal::SharedLoop {
 public:
  // `report` prints the sentence of an error that ends everything, on rank 0.
  FractalRanks(RankGroup& group, std::vector<Greeting> greetings, Backend& backend,
               std::function<void(const Error&)> report);

  size_t processes() const override;
  Status run(const fractal::SharedWork& work) override;

 private:
  Status run_root(const fractal::SharedWork& work);
  Status run_other(const fractal::SharedWork& work);

  RankGroup& group_;
  std::vector<Greeting> greetings_;
  Backend& backend_;
  std::function<void(const Error&)> report_;
};

// Rank 0's image, or its error, on every rank. The others pass anything.
Result<PreparedImage> share_source(Result<PreparedImage> source, RankGroup& group);

}  // namespace tessera::cluster
