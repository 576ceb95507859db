#pragma once

#include "labs/lab.hpp"

namespace attn::labs {

/// One attention layer in its three uses: each word looks at all words of its own sentence, only at those up to itself, or at
/// another sentence. What differs is where the keys come from and how many a query may see.
/// Inputs: mask full, causal or cross; words; source_words: of the other sentence; size; changed: a word of the sentence that
///   the keys come from, counted from 1, that is exchanged for another, 0: the last; seed. The weights depend on size and seed.
/// Records: words, source [time, feature]; W_q, W_k, W_v [from, to]; lengths [query], to edit: how many keys each query may see;
///   mask [query, key]: 1 where it does; queries, keys, values [time, feature]; scores, weights [query, key]; output [query,
///   feature]; another [feature], the word that comes in; moved.given [time, feature], the sentence with it; moved.scores,
///   .weights, .output; moved.change [query]: √Σ (output − moved.output)², exactly 0 where a query neither sees the word nor is it;
///   reach []: how many queries it changes.
/// Throws ConfigError for a word that is not there.
models::Kind attention_uses();

}  // namespace attn::labs
