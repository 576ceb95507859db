#include "train/optimizer.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace attn;
using namespace attn::train;

namespace {

Parameter parameter(std::initializer_list<float> value, std::initializer_list<float> gradient) {
  Parameter p;
  p.value = Tensor::of({value.size()}, value);
  p.gradient = Tensor::of({gradient.size()}, gradient);
  return p;
}

}  // namespace

TEST_CASE("clipping: all gradients together are scaled to the limit, and smaller ones are left alone") {
  Parameter a = parameter({0, 0}, {3, 0}), b = parameter({0}, {4});
  CHECK(clip_gradients({&a, &b}, 1.0) == doctest::Approx(5.0));
  CHECK(a.gradient.values()[0] == doctest::Approx(0.6F));
  CHECK(b.gradient.values()[0] == doctest::Approx(0.8F));
  CHECK(clip_gradients({&a, &b}, 2.0) == doctest::Approx(1.0));
  CHECK(b.gradient.values()[0] == doctest::Approx(0.8F));
}

TEST_CASE("clipping: a gradient that is not finite is told, not spread") {
  Parameter a = parameter({0, 0}, {NAN, 1});
  CHECK(!std::isfinite(clip_gradients({&a}, 1.0)));
  CHECK(a.gradient.values()[1] == 1.0F);
}

TEST_CASE("sgd: w - rate g, and the gradient is taken") {
  Parameter a = parameter({1, 2}, {10, -10});
  Sgd({&a}, 0.1F).step();
  CHECK(a.value.values()[0] == doctest::Approx(0.0F));
  CHECK(a.value.values()[1] == doctest::Approx(3.0F));
  CHECK(!a.gradient);
}

TEST_CASE("adam: the first step moves each weight by the rate against the sign of its gradient") {
  Parameter a = parameter({1, 1, 1}, {1e-3F, -5, 0});
  Adam adam({&a}, 0.01F);
  adam.step();
  CHECK(a.value.values()[0] == doctest::Approx(0.99F).epsilon(1e-4));
  CHECK(a.value.values()[1] == doctest::Approx(1.01F).epsilon(1e-4));
  CHECK(a.value.values()[2] == 1.0F);
}

TEST_CASE("optimisers: a kept copy of a parameter is not changed by a step") {
  Parameter a = parameter({1}, {1});
  const Tensor kept = a.value;
  Sgd({&a}, 0.5F).step();
  CHECK(kept.values()[0] == 1.0F);
  CHECK(a.value.values()[0] == 0.5F);
}

TEST_CASE("optimisers: a parameter without a gradient stays as it is") {
  Parameter a = parameter({1}, {1});
  a.gradient = {};
  Sgd({&a}, 0.5F).step();
  Adam({&a}, 0.5F).step();
  CHECK(a.value.values()[0] == 1.0F);
}
