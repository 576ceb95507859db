#pragma once

#include <algorithm>
#include <chrono>

namespace attn::labs {

/// Milliseconds that `pass` takes: the fastest of `slices`. A slice lasts a millisecond at least, as many passes as go into it, since
/// the clock of a browser advances in steps of up to 0.1 ms.
template <class Pass>
double fastest_ms(int slices, Pass&& pass) {
  using Clock = std::chrono::steady_clock;
  double best = 1e9;
  for (int i = 0; i < slices; ++i) {
    const auto start = Clock::now();
    double elapsed = 0;
    int passes = 0;
    while (elapsed < 1 && passes < 10'000) {
      pass();
      ++passes;
      elapsed = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    }
    best = std::min(best, elapsed / passes);
  }
  return best;
}

}  // namespace attn::labs
