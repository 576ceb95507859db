#include "tensor/storage.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "tensor/rng.hpp"
#include "tensor/tensor.hpp"

using namespace attn;

namespace {

/// Takes and drops tensors as a training step would: batches of nearly equal size, several alive at once.
void step(Rng& rng) {
  std::vector<Tensor> alive;
  for (int i = 0; i < 20; ++i) {
    alive.emplace_back(Shape{64, 1 + rng.below(40)});
    alive.back().mutable_values()[0] = 1.0F;
    if (rng.below(3) == 0) alive.erase(alive.begin());
  }
}

}  // namespace

TEST_CASE("storage: every buffer starts at a multiple of 64 bytes") {
  for (const std::size_t floats : {0U, 1U, 15U, 16U, 17U, 100U, 4097U}) {
    const Storage storage(floats);
    REQUIRE(storage.data() != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(storage.data()) % 64 == 0);
  }
}

TEST_CASE("storage: all floats asked for can be written, for every size around the borders of the lists") {
  for (std::size_t floats = 1; floats <= 700; ++floats) {
    Storage a(floats), b(floats);
    for (std::size_t i = 0; i < floats; ++i) a.data()[i] = 1.0F, b.data()[i] = 2.0F;
    bool intact = true;
    for (std::size_t i = 0; i < floats; ++i) intact = intact && a.data()[i] == 1.0F;
    CHECK(intact);
  }
}

TEST_CASE("storage: what was released serves the next request of about its size") {
  { const Storage storage(12345); }
  const std::size_t before = pool_bytes();
  const Storage again(12340);
  CHECK(pool_bytes() == before);
}

TEST_CASE("storage: repeated steps ask nothing more of the system") {
  const auto epoch = [] {
    Rng rng(1);
    for (int i = 0; i < 200; ++i) step(rng);
    return pool_bytes();
  };
  const std::size_t settled = epoch();
  for (int i = 0; i < 10; ++i) CHECK(epoch() == settled);
}

TEST_CASE("storage: copies share the floats, moves and assignments hand them on, and the last one returns the buffer") {
  Storage a(100);
  CHECK(a.unique());
  {
    const Storage b = a;
    CHECK(b.data() == a.data());
    CHECK_FALSE(a.unique());
  }
  CHECK(a.unique());
  const float* data = a.data();
  Storage c = std::move(a);
  CHECK(c.data() == data);
  CHECK(c.unique());
  Storage& alias = c;
  c = alias;  // to itself
  CHECK(c.data() == data);
  CHECK(c.unique());
  c = Storage();
  CHECK(c.data() == nullptr);
  CHECK_FALSE(c.unique());
}

TEST_CASE("storage: its version is another whenever it may have been written, and no other's") {
  Tensor a = Tensor::full({4}, 1.0F), other = Tensor::full({4}, 1.0F);
  const Tensor& read = a;
  const std::uint64_t first = a.version();
  CHECK(first != other.version());
  CHECK(read.data()[0] == 1.0F);
  CHECK(read.values()[0] == 1.0F);
  CHECK(a.version() == first);  // reading changes nothing
  const Tensor handle = a;
  a.data()[0] = 2.0F;
  CHECK(a.version() > first);
  CHECK(handle.version() == a.version());  // the same floats
  const std::uint64_t second = a.version();
  a.mutable_values()[1] = 3.0F;
  CHECK(a.version() > second);
  CHECK(a.copy().version() != a.version());
  CHECK(Tensor().version() == 0);
}
