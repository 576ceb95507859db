// A short run of every fuzz target; `./run fuzz` makes long ones, with sanitizers.
#include <doctest/doctest.h>

#include <cstdio>
#include <set>

#include "fuzz/mutate.hpp"
#include "tensor/error.hpp"

using namespace attn;
using namespace attn::fuzz;

namespace {

constexpr int kInputs = 1500;

/// A reader with a rule that some inputs break.
Target brittle() {
  return {"brittle",
          [](std::string_view bytes) -> std::string {
            if (bytes.find("<bang>") != std::string_view::npos) throw std::logic_error("bang");
            return bytes.empty() ? "nothing" : "";
          },
          [] {
            return std::vector<std::string>{"abc 12", "{\"n\":3}"};
          },
          {"<bang>"}};
}

}  // namespace

TEST_CASE("fuzz: a short run over every reader finds nothing but the refusals that it promises") {
  for (const Target& target : targets()) {
    Fuzzer fuzzer(target, 1);
    for (int i = 0; i < kInputs; ++i) {
      INFO(target.name, ", input ", i);
      REQUIRE_NOTHROW(fuzzer.step());
    }
    CHECK(fuzzer.kept() > 2 * target.seeds().size());  // new refusals were met
  }
  std::printf("figure: fuzz executions = %d\n", static_cast<int>(targets().size()) * kInputs);
}

TEST_CASE("fuzz: the seeds of every target are accepted") {
  for (const Target& target : targets())
    for (const std::string& seed : target.seeds()) {
      INFO(target.name);
      CHECK(target.run(seed) == "");
    }
}

TEST_CASE("fuzz: a broken rule is found, and the same seed finds it in the same input") {
  const Target target = brittle();
  const auto found = [&](std::uint64_t seed) {
    Fuzzer fuzzer(target, seed);
    try {
      for (int i = 0; i < 2000; ++i) fuzzer.step();
    } catch (const std::logic_error&) {
      return fuzzer.input();
    }
    return std::string();
  };
  CHECK(found(3).find("<bang>") != std::string::npos);
  CHECK(found(3) == found(3));
  CHECK(found(3) != found(4));
}

TEST_CASE("fuzz: inputs vary in length and never grow without bound") {
  const Target target{"long",
                      [](std::string_view) { return std::string(); },
                      [] { return std::vector<std::string>{std::string(Fuzzer::kLongest, 'x')}; },
                      {"word"}};
  Fuzzer fuzzer(target, 5);
  std::set<std::size_t> lengths;
  for (int i = 0; i < 300; ++i) {
    fuzzer.step();
    lengths.insert(fuzzer.input().size());
    CHECK(fuzzer.input().size() <= Fuzzer::kLongest);
  }
  CHECK(lengths.size() > 20);
}

TEST_CASE("fuzz: a target that is not there is named with those that are") {
  try {
    target("pears");
    FAIL("it was found");
  } catch (const ConfigError& e) {
    CHECK(std::string(e.what()).starts_with("there is no fuzz target \"pears\"; there are pairs, "));
  }
}
