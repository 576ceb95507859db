// Numbers for kernels, laid where a kernel may not expect them: sizes that are no multiple of a vector, at addresses that
// are no multiple of its width, with guards on both sides.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "tensor/rng.hpp"

namespace attn::test {

inline constexpr std::initializer_list<std::size_t> kSizes = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 67, 130};
inline constexpr std::initializer_list<std::size_t> kShifts = {0, 1, 2, 3, 5};  // floats past a 64-byte border

/// n floats that begin `shift` floats past a 64-byte border. Writing outside of them shows in intact().
class Misaligned {
 public:
  Misaligned(std::size_t n, std::size_t shift) : n_(n), first_(kGuard + shift), all_({n + shift + 2 * kGuard}) {
    for (float& x : all_.mutable_values()) x = kMark;
  }
  Misaligned(std::size_t n, std::size_t shift, Rng& rng, float std = 1.0F) : Misaligned(n, shift) {
    for (float& x : span()) x = std * rng.normal();
  }
  Misaligned(const Misaligned& other) : n_(other.n_), first_(other.first_), all_(other.all_.copy()) {}
  Misaligned& operator=(const Misaligned&) = delete;

  float* data() { return all_.data() + first_; }
  std::span<float> span() { return {data(), n_}; }

  bool intact() const {
    bool out = true;
    for (std::size_t i = 0; i < all_.size(); ++i)
      out = out && ((i >= first_ && i < first_ + n_) || all_.data()[i] == kMark);
    return out;
  }

 private:
  static constexpr std::size_t kGuard = 16;  // a multiple of 64 bytes
  static constexpr float kMark = -77.5F;
  std::size_t n_, first_;
  Tensor all_;
};

/// f(size, shift) for every pair of them.
template <class F>
void for_sizes_and_shifts(F&& f) {
  for (const std::size_t n : kSizes)
    for (const std::size_t shift : kShifts) f(n, shift);
}

}  // namespace attn::test
