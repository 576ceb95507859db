#pragma once

#include "labs/lab.hpp"

namespace attn::labs {

/// Two heads whose weights are set by hand: one looks at the word before, one at the first word; and one head that tries both.
/// Inputs: words: how many; sharpness of the scores; words are numbered 1, 2 …, so an output says whom it has heard.
/// Records: content [key, value]: the number of each word; places [key, feature]: one 1 a word; previous, first: W_q [from,
///   to], scores, weights [query, key], output [query, value]; output [query, head]: what both heads heard, side by side;
///   single.scores (the sum of both), single.weights [query, key], single.output [query, value]: one head, which can only
///   mix the two; missed.previous, missed.first []: how far the single head's answers are from the two heads' (√Σ of
///   squares).
models::Kind heads();

/// The features of a batch shared out among heads, and put together again.
/// Inputs: batch, time, hidden, heads; the first lengths are 3 and 2 as in the chapter.
/// Records: input [batch, time, feature] = 0, 1, 2 …; cut [batch, time, head, feature]; moved [batch, head, time, feature];
///   split [row, time, feature], row b·heads + h is head h of example b; and back: apart [batch, head, time, feature],
///   returned [batch, time, head, feature], merged [batch, time, feature]; difference [] between input and merged, exactly 0.
///   lengths [batch]; repeated.lengths, tiled.lengths [row]: each length once a head,
///   or all of them again and again (fault B19); weights under equal scores: repeated.weights, tiled.weights [row, query,
///   key]; tiled.wrong [row]: 1 where the tiled length is another example's, tiled.errors []: how many are; chosen.lengths
///   [row], all words at first, to edit: chosen.weights, chosen.wrong, chosen.errors.
/// Throws ConfigError if the heads do not divide the features.
models::Kind split_heads();

}  // namespace attn::labs
