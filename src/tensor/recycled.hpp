#pragma once

#include <cstddef>
#include <vector>

namespace attn {

/// Memory for the small things that a training step makes and drops by the thousand: nodes, ops, lists of inputs. What is
/// given back waits in this thread's arena for whoever asks next: after the first steps nothing is asked of the system.
void* recycled(std::size_t bytes);  // for any type without an alignment of its own
void recycle(void* memory) noexcept;

/// What has been asked of the system for it so far, in bytes, by this thread.
std::size_t recycled_bytes();

/// An allocator for containers of such things.
template <class T>
struct Recycled {
  using value_type = T;
  Recycled() = default;
  template <class U>
  Recycled(const Recycled<U>&) {}  // NOLINT(google-explicit-constructor): as the standard wants it
  T* allocate(std::size_t n) { return static_cast<T*>(recycled(n * sizeof(T))); }
  void deallocate(T* memory, std::size_t) noexcept { recycle(memory); }
  friend bool operator==(Recycled, Recycled) { return true; }
};

template <class T>
using List = std::vector<T, Recycled<T>>;

}  // namespace attn
