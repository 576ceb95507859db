#pragma once

#include "labs/lab.hpp"

namespace attn::labs {

/// A file of pairs at a glance: how long its sentences are, and what a rarer word costs in vocabulary and is worth in text.
/// Opened with pairs. Config: examples, book_text, as the translators have them.
/// Records: pairs []; length [length] = 1 2 …, to the longest sentence; min_frequency [frequency] = 1 … 10, and of either
///   language, source and target: .count [length]: sentences of so many tokens, <eos> not counted; .tokens []: of all
///   sentences; .vocabulary [frequency]: words seen at least so often, and the four reserved tokens; .unknown [frequency]: the
///   share of the tokens that would be read as <unk>.
models::Kind corpus();

}  // namespace attn::labs
