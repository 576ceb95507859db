#pragma once

#include <vector>

#include "train/optimizer.hpp"

namespace attn::train {

/// Copies of all parameters at about 50 moments of a training run, so that any step can be computed again as it was; at
/// fewer moments of a large model, so that all copies together stay within kBytes.
/// The buffers are made before the first step; when all are full, every second copy is dropped and the stride doubles.
class Moments {
 public:
  static constexpr std::size_t kMost = 64, kFewest = 4;  // between half of them and all are kept
  static constexpr std::size_t kBytes = std::size_t{192} << 20;
  /// How many copies of so many parameters there are at most; even.
  static std::size_t most(std::size_t parameters);

  explicit Moments(Parameters parameters);

  /// Offers the moment after `epoch` (fractional) epochs; kept if its turn has come.
  void offer(double epoch);
  const std::vector<double>& epochs() const { return epochs_; }

  /// While it lives, the parameters are those of the moment nearest to `epoch`.
  class View {
   public:
    View(Moments& moments, double epoch);
    ~View();
    View(const View&) = delete;
    View& operator=(const View&) = delete;

   private:
    const Parameters& parameters_;
    std::vector<Tensor> present_;
  };
  /// Throws ConfigError if nothing was kept.
  [[nodiscard]] View view(double epoch) { return {*this, epoch}; }

 private:
  void keep(double epoch);
  void thin();
  Parameters parameters_;
  std::vector<std::vector<Tensor>> copies_;  // most() sets of buffers
  std::vector<double> epochs_;               // of the first epochs_.size() of them
  std::size_t offered_ = 0, stride_ = 1;
};

}  // namespace attn::train
