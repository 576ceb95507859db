#include "tensor/arena.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

#include "tensor/rng.hpp"

using namespace attn;

namespace {

struct Taken {
  unsigned char* memory;
  std::size_t bytes;
  unsigned char mark;
};

bool intact(const Taken& taken) {
  for (std::size_t i = 0; i < taken.bytes; ++i)
    if (taken.memory[i] != taken.mark) return false;
  return true;
}

/// Sizes of all magnitudes, small ones more often.
std::size_t any_size(Rng& rng) { return rng.below((std::size_t{1} << rng.below(17)) + 1); }

std::size_t some_size(Rng& rng) { return 1 + rng.below(5000); }

/// Takes and gives back in no order; each block keeps its bytes until it is given back.
void churn(Arena& arena, std::size_t granule, std::uint64_t seed, std::size_t (*size)(Rng&)) {
  Rng rng(seed);
  std::vector<Taken> out;
  for (int i = 0; i < 2000; ++i) {
    if (out.size() < 200 && rng.below(5) < 3) {
      const std::size_t bytes = size(rng);
      Taken taken{static_cast<unsigned char*>(arena.take(bytes)), bytes, static_cast<unsigned char>(rng.below(256))};
      REQUIRE(reinterpret_cast<std::uintptr_t>(taken.memory) % granule == 0);
      std::memset(taken.memory, taken.mark, bytes);
      out.push_back(taken);
    } else if (!out.empty()) {
      std::swap(out[rng.below(out.size())], out.back());
      REQUIRE(intact(out.back()));
      arena.give_back(out.back().memory);
      out.pop_back();
    }
  }
  for (const Taken& taken : out) {
    CHECK(intact(taken));
    arena.give_back(taken.memory);
  }
}

}  // namespace

TEST_CASE("arena: blocks are aligned, never overlap, and keep what is written until they are given back") {
  for (const std::size_t granule : {16U, 64U}) {
    Arena arena(granule);
    for (std::uint64_t seed = 0; seed < 10; ++seed) churn(arena, granule, seed, any_size);
    CHECK(arena.used() == 0);
  }
}

TEST_CASE("arena: neighbours that are free become one, whatever the order in which they came back") {
  Arena arena(64);
  arena.give_back(arena.take(10'000'000));  // one piece
  const std::size_t asked = arena.asked();
  for (const int order : {0, 1, 2}) {
    std::vector<void*> out;
    for (int i = 0; i < 90; ++i) out.push_back(arena.take(100'000));
    for (std::size_t i = 0; i < out.size(); ++i)
      arena.give_back(order == 0 ? out[i] : order == 1 ? out[out.size() - 1 - i] : out[i * 37 % out.size()]);
    CHECK(arena.used() == 0);
    arena.give_back(arena.take(9'900'000));
    CHECK(arena.asked() == asked);
  }
}

TEST_CASE("arena: work of sizes that differ each time asks for nothing more once it has left room") {
  Arena arena(16);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    churn(arena, 16, seed, some_size);
    arena.leave_room();
  }
  const std::size_t asked = arena.asked();
  for (std::uint64_t seed = 5; seed < 100; ++seed) churn(arena, 16, seed, some_size);
  CHECK(arena.asked() == asked);
}

TEST_CASE("arena: a size that no machine has is refused, and the arena goes on") {
  Arena arena(64);
  CHECK_THROWS_AS(arena.take(SIZE_MAX - 10), std::bad_alloc);
  CHECK_THROWS_AS(arena.take(SIZE_MAX / 2), std::bad_alloc);
  arena.give_back(arena.take(1000));
  CHECK(arena.used() == 0);
}

TEST_CASE("arena: nothing at all is a block too") {
  Arena arena(16);
  void *a = arena.take(0), *b = arena.take(0);
  CHECK(a != b);
  arena.give_back(a);
  arena.give_back(b);
}
