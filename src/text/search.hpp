#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tensor/rng.hpp"

namespace attn::text {

/// What a search asks of whoever writes: which word may come next. A prefix is the words written so far, the mark of the
/// beginning not counted. Whoever answers may keep a state for each prefix (a search asks after a prefix only once it has
/// asked after the prefix without its last word), so that no two branches ever share one.
class NextWord {
 public:
  virtual ~NextWord() = default;
  /// log p of every word of the vocabulary after the prefix, in nats; −∞ for one that cannot come.
  virtual std::vector<double> after(std::span<const int> prefix) = 0;
  /// These prefixes go on; what was kept for any other is no longer needed.
  virtual void keep(std::span<const std::vector<int>> prefixes) { static_cast<void>(prefixes); }
};

/// One word that might have been written at a step, behind a branch of the step before it.
struct Candidate {
  int parent;         // index in the step before; -1 at the first step
  int id;             // the word
  double log_p;       // of the word after its branch
  double total;       // of all words up to it: Σ log p
  double score;       // total / L^α, L words, the end's included
  double chance;      // of being drawn, where words are drawn; else p of the word
  bool kept = false;  // among the k best (or drawn)
  bool ended = false;
};

/// A sequence and what is thought of it.
struct Written {
  std::vector<int> ids;       // the end's included, where it was reached
  std::vector<double> log_p;  // of each
  double total = 0.0, score = 0.0;
  bool ended = false;
};

struct Searched {
  Written best;
  std::vector<Written> candidates;           // all that competed at the end, the best first
  std::vector<std::vector<Candidate>> tree;  // each step's words, for looking at: those kept and the likeliest others
};

inline constexpr std::size_t kMaxBeam = 10000;

/// Beam search: of all words behind the k branches, the k sequences of highest Σ log p go on; one that ends makes room. At
/// last the highest score (1/L^α) Σ log p wins. Logarithms are negative, so a larger α favours long sequences (fault B21).
///   k = 1 is greedy search; a k of |V|^T tries everything. Equal sums: the earlier branch, then the smaller id.
struct BeamOptions {
  std::size_t k = 1;
  double alpha = 0.75;
  std::size_t steps = 10;  // words at most, the end's included
  int end = 3;             // the word that ends a sequence
  /// As in the chapter's figure, every prefix that was among the k best competes (k · T of them). Otherwise those that ended
  /// do, or, if none did, those of the last step: a first word alone has few factors and would mostly win.
  bool prefixes = false;
  std::size_t shown = 8;  // words a branch in the tree besides those kept; 0: all
};

/// Throws ConfigError unless 1 <= k <= kMaxBeam, steps >= 1, alpha is finite and not negative; Error if the first step has no
/// possible word, or an answer is no list of log-probabilities.
Searched beam_search(NextWord& next, const BeamOptions& options);

/// Words drawn by chance: p^(1/temperature), normalised over the top_k likeliest (0: all). A temperature towards 0 is greedy
/// search, a large one draws blindly.
struct SampleOptions {
  double temperature = 1.0;
  std::size_t top_k = 0;
  std::size_t steps = 10;
  int end = 3;
  std::size_t shown = 8;
};

/// The score is the mean log p of a word (α = 1), under the model itself. One number is drawn a word.
/// Throws ConfigError unless temperature > 0 and finite, steps >= 1; Error as beam_search does.
Searched sample(NextWord& next, const SampleOptions& options, Rng& rng);

}  // namespace attn::text
