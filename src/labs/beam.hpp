#pragma once

#include "labs/lab.hpp"

namespace attn::labs {

/// Beam search on small tables of probabilities, as a tree.
/// Inputs: tables four-steps (A, B, C, eos; what follows depends on whether the second word was C) or five-words (A … E,
///   three steps, each word depending on the one before); beam; alpha; all_prefixes: every kept prefix competes, as in the
///   chapter's figure.
/// Records: four-steps: table_unless_C, table_after_C [time, word]; five-words: first [word], next [from, word]: p of each word, to
///   edit. greedy and, of each sequence that competes (turns along `candidate`, the best first), candidate: probability
///   [time], log_p [time], total [] = Σ log_p, product [] = e^total, divisor [] = length^α, score [] = total / divisor.
/// Leaves a translation: the tree of all branches and the hypotheses with their scores.
/// Throws DataError if an edited table has what is no probability.
models::Kind beam();

/// What length^α does to scores: two sequences, their Σ log p and lengths to edit.
/// Inputs: alpha; and, for the costs of searching, vocabulary, steps, beam.
/// Records: total, length, divisor, score [candidate]; best []: which has the higher score, 0 or 1; cost.exhaustive,
///   cost.greedy, cost.beam []: words looked at, as powers of ten.
models::Kind length_penalty();

/// BLEU, n-gram by n-gram.
/// Inputs: prediction, label; k.
/// Records: words.prediction, words.label []: how many; ratio [] = label / prediction; penalty [] = e^min(0, 1 − ratio);
///   for n = 1 … min(k, words): matches.<n> [ngram], 1 for each n-gram of the prediction that finds a partner not yet
///   taken; matched.<n> [] their sum, precision.<n> [], weight.<n> [] = 1/2ⁿ, factor.<n> [] = precision^weight; bleu [].
///   An empty prediction scores 0. Both texts are read as training text is.
models::Kind bleu();

}  // namespace attn::labs
