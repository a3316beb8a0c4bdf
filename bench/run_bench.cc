// The measuring loop: repeats, medians, quality of what was encoded.
#include "run_bench.h"

#include <sched.h>

#include <algorithm>
#include <numeric>

#include "image/metrics.h"

namespace tessera::bench {
namespace {

struct Timing {
  std::vector<double> seconds;

  double total() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }
  double median() const {
    std::vector<double> sorted = seconds;
    const auto middle = sorted.begin() + static_cast<ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
  }
};

// One encode; false when this contender has had enough time on the image.
Result<bool> time_once(Contender& contender, const BenchImage& image, const BenchOptions& options,
                       Timing& timing) {
  TESSERA_ASSIGN_OR_RETURN(const double seconds, contender.encode(image));
  timing.seconds.push_back(seconds);
  return timing.total() < options.max_seconds_per_image;
}

Result<BenchRow> judge(Contender& contender, const BenchImage& image) {
  TESSERA_ASSIGN_OR_RETURN(const Image decoded, contender.decode(image));
  TESSERA_ASSIGN_OR_RETURN(const Metrics metrics,
                           compute_metrics(image.rgba.view(), decoded.view()));
  BenchRow row;
  row.codec = contender.codec();
  row.setting = contender.setting();
  row.image = image.name;
  row.width = image.rgba.width();
  row.height = image.rgba.height();
  row.psnr_rgb = metrics.psnr_rgb;
  row.ssim = metrics.ssim;
  row.bytes = contender.payload_bytes();
  return row;
}

// The first encode of an image warms caches and tables; it gives the quality and is not timed.
Result<BenchRow> warm_up(Contender& contender, const BenchImage& image) {
  TESSERA_RETURN_IF_ERROR(contender.encode(image));
  return judge(contender, image);
}

}  // namespace

void pin_to_one_core() {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
    return;
  }
  // The last core: the first ones serve interrupts more often.
  for (int cpu = CPU_SETSIZE - 1; cpu >= 0; --cpu) {
    if (CPU_ISSET(cpu, &allowed)) {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
      ::sched_setaffinity(0, sizeof one, &one);
      return;
    }
  }
}

Result<std::vector<BenchRow>> run_bench(const Contenders& contenders,
                                        const std::vector<BenchImage>& images,
                                        const BenchOptions& options, const RunControl& control) {
  const size_t cells = contenders.size() * images.size();
  std::vector<BenchRow> rows(cells);
  std::vector<Timing> timings(cells);
  std::vector<char> finished(cells, 0);
  const auto cell = [&](size_t contender, size_t image) {
    return contender * images.size() + image;
  };
  const auto visit = [&](size_t contender, size_t image) -> Status {
    if (control.cancelled != nullptr && *control.cancelled) {
      return Error{ErrorCode::kInterrupted, "interrupted"};
    }
    const size_t at = cell(contender, image);
    if (timings[at].seconds.empty()) {
      TESSERA_ASSIGN_OR_RETURN(rows[at], warm_up(*contenders[contender], images[image]));
    }
    const unsigned visits = options.streaming ? 1 : options.repeats;
    for (unsigned i = 0; i < visits && finished[at] == 0; ++i) {
      TESSERA_ASSIGN_OR_RETURN(
          const bool more, time_once(*contenders[contender], images[image], options, timings[at]));
      finished[at] = more ? 0 : 1;
    }
    return {};
  };

  const unsigned passes = options.streaming ? options.repeats : 1;
  for (unsigned pass = 0; pass < passes; ++pass) {
    for (size_t outer = 0; outer < (options.streaming ? contenders.size() : images.size());
         ++outer) {
      for (size_t inner = 0; inner < (options.streaming ? images.size() : contenders.size());
           ++inner) {
        TESSERA_RETURN_IF_ERROR(options.streaming ? visit(outer, inner) : visit(inner, outer));
      }
      if (control.progress) {
        const double steps =
            static_cast<double>(options.streaming ? contenders.size() : images.size());
        control.progress((pass + static_cast<double>(outer + 1) / steps) / passes);
      }
    }
  }
  for (size_t at = 0; at < cells; ++at) {
    rows[at].seconds = timings[at].median();
  }
  return rows;
}

}  // namespace tessera::bench
