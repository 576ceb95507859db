#include "tensor/recycled.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <set>

#include "tensor/rng.hpp"

using namespace attn;

TEST_CASE(
    "recycled: all bytes asked for can be written, at addresses for any type, for every size around the classes") {
  for (std::size_t bytes = 0; bytes <= 3000; ++bytes) {
    void *a = recycled(bytes), *b = recycled(bytes);
    CHECK(reinterpret_cast<std::uintptr_t>(a) % 16 == 0);
    std::memset(a, 1, bytes);
    std::memset(b, 2, bytes);
    CHECK((bytes == 0 || static_cast<unsigned char*>(a)[bytes - 1] == 1));
    recycle(b);
    recycle(a);
  }
}

TEST_CASE("recycled: what was given back serves the next request, and one that is somewhat smaller") {
  recycle(recycled(100000));
  const std::size_t before = recycled_bytes();
  recycle(recycled(90000));
  CHECK(recycled_bytes() == before);
}

TEST_CASE("recycled: the same work again and again soon asks nothing more of the system") {
  const auto work = [] {
    Rng rng(3);
    List<List<int>> lists;
    for (int i = 0; i < 200; ++i) {
      lists.emplace_back(rng.below(300), 1);
      if (rng.below(2) == 0) lists.erase(lists.begin());
    }
  };
  work();
  const std::size_t before = recycled_bytes();
  work();
  CHECK(recycled_bytes() == before);
}

TEST_CASE("recycled: blocks that are out at the same time never overlap") {
  std::set<void*> out;
  for (int i = 0; i < 100; ++i) CHECK(out.insert(recycled(64)).second);
  for (void* memory : out) recycle(memory);
}
