#include "engine/registry.hpp"

#include "labs/alignment.hpp"
#include "labs/attention_uses.hpp"
#include "labs/beam.hpp"
#include "labs/corpus.hpp"
#include "labs/costs.hpp"
#include "labs/cues.hpp"
#include "labs/heads.hpp"
#include "labs/loss_floor.hpp"
#include "labs/masked_loss.hpp"
#include "labs/masks.hpp"
#include "labs/matmul.hpp"
#include "labs/multi_head.hpp"
#include "labs/norms.hpp"
#include "labs/permutation.hpp"
#include "labs/positions.hpp"
#include "labs/regression_seeds.hpp"
#include "labs/score_variance.hpp"
#include "labs/scoring.hpp"
#include "labs/sublayers.hpp"
#include "labs/trained_scorers.hpp"
#include "models/kernel_regression.hpp"
#include "models/translator.hpp"

namespace attn::engine {

// A line an entry, which clang-format would set in columns.
// clang-format off
const std::vector<models::Kind>& kinds() {
  static const std::vector<models::Kind> all = {
      models::KernelRegression::kind(),
      models::Translator::seq2seq(),
      models::Translator::bahdanau(),
      models::Translator::transformer(),
      labs::cues(),
      labs::lookup(),
      labs::softmax_axis(),
      labs::regression_seeds(),
      labs::regression_sizes(),
      labs::Matmul::kind(),
      labs::bmm(),
      labs::masks(),
      labs::mask_use(),
      labs::scoring(),
      labs::additive_concat(),
      labs::scoring_costs(),
      labs::trained_scorers(),
      labs::score_variance(),
      labs::beam(),
      labs::length_penalty(),
      labs::bleu(),
      labs::masked_loss(),
      labs::corpus(),
      labs::loss_floor(),
      labs::alignment(),
      labs::heads(),
      labs::split_heads(),
      labs::multi_head(),
      labs::permutation(),
      labs::positions(),
      labs::position_join(),
      labs::relative_positions(),
      labs::costs(),
      labs::cost_curves(),
      labs::attention_costs(),
      labs::attention_uses(),
      labs::ffn(),
      labs::add_norm(),
      labs::norms(),
      labs::embedding_scale(),
  };
  return all;
}
// clang-format on

const models::Kind& kind(const std::string& name) {
  std::string names;
  for (const models::Kind& k : kinds()) {
    if (name == k.name) return k;
    names += (names.empty() ? "" : ", ") + std::string(k.name);
  }
  throw ConfigError("there is no model \"" + name + "\"; there are " + names);
}

}  // namespace attn::engine
