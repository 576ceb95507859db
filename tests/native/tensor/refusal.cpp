#include "tensor/refusal.hpp"

#include <doctest/doctest.h>

using namespace attn;

TEST_CASE("refusals: a sentence is filled with its values; what has none stays, and values are not read again") {
  CHECK(filled("{a} and {b}", {{"a", "{b}"}, {"b", "2"}}) == "{b} and 2");
  CHECK(filled("no {such} value, an open {", {}) == "no {such} value, an open {");
  CHECK(filled("", {}) == "");
}

TEST_CASE("refusals: one is an error of its type, and brings its reason along") {
  try {
    throw refused<ShapeError>("bmm.batch", "{left} against {right}", {{"left", "2"}, {"right", "3"}});
  } catch (const Error& e) {
    CHECK(std::string(e.what()) == "2 against 3");
    CHECK(std::string(e.type()) == "ShapeError");
    const auto* reason = dynamic_cast<const Reason*>(&e);
    REQUIRE(reason != nullptr);
    CHECK(reason->code == "bmm.batch");
    CHECK(reason->values.at("right") == "3");
  }
}
