#pragma once

#include "labs/lab.hpp"

namespace attn::labs {

/// A pair of sentences of which two words have changed places, read in two ways: through a window that only moves on
/// (Graves 2013, section 5.1, one window of fixed width), and by scores for each pair of words (Bahdanau et al. 2015).
/// Input: width of the window.
/// Records: wanted [query, key], to edit: 1 where a French word comes from that English one;
///   monotone.advance [query], to edit: by how far the window moves on before each word, where less than 0 is read as 0;
///   monotone.centre [query]: where it stands then, the first word at 0; monotone.scores [query, key] =
///   −((key − centre) / width)² / 2; free.scores [query, key], to edit, 4 where a word is wanted; of both weights [query, key],
///   their softmax; found [query]: Σ weights · wanted, the part of the look that is on the right word; total []: Σ found.
models::Kind alignment();

}  // namespace attn::labs
