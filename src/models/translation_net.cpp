#include "models/translation_net.hpp"

#include "ops/embedding.hpp"
#include "ops/layout.hpp"

namespace attn::models {

Var wanted_rows(const Var& x, const Var& rows) {
  return rows ? embedding(rows, reshape(x, {x.size(0) * x.size(1), x.size(2)})) : x;
}

}  // namespace attn::models
