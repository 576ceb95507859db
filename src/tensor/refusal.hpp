// Refusals that learners meet: an error with what a page needs to say it in another language than English.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "tensor/error.hpp"

namespace attn {

/// Which refusal it is, and the values that its sentence names. A page has a sentence of its own under "refused.<code>", or
/// shows the English one.
struct Reason {
  std::string code;
  std::map<std::string, std::string> values;
};

/// "{name}" in the sentence replaced by the value of that name.
std::string filled(std::string_view sentence, const std::map<std::string, std::string>& values);

template <class E>
class Refused final : public E, public Reason {
 public:
  Refused(std::string_view sentence, Reason reason) : E(filled(sentence, reason.values)), Reason(std::move(reason)) {}
};

/// throw refused<ShapeError>("bmm.batch", "bmm: {left} matrices …", {{"left", "2"}}): every value of the sentence is named.
template <class E>
Refused<E> refused(const char* code, std::string_view sentence, std::map<std::string, std::string> values = {}) {
  return {sentence, {code, std::move(values)}};
}

}  // namespace attn
