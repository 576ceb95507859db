#pragma once

#include "labs/lab.hpp"

namespace attn::labs {

/// The loss of a batch of sentences of unequal length: padding is computed, and then must not count.
/// Input: steps, the room of each sentence, padding included.
/// Records: logits [batch, query, vocabulary], ones; targets [batch, query], ones; lengths [batch] = 4, 2, 0, where one that is
///   longer than the room counts what is there (all three to edit); mask [batch, query]: 1 for a word, 0 for padding;
///   token_loss [batch, query]: cross-entropy of every place, padding too, in nats; loss [batch, query] = token_loss · mask;
///   tokens []: how many words there are; sum []: Σ loss; per_token [] = sum / tokens, 0 if there is no word;
///   book [batch]: the book's loss, each sentence's mean over all steps, padding counted (2.3026, 1.1513, 0); book_sum [] and
///   book_mean []: of the sentences; book_reported [] = book_sum / tokens: divided a second time (fault B6), it is
///   per_token / steps.
/// The loss is sum; the backward pass may start from any of the others instead.
models::Kind masked_loss();

}  // namespace attn::labs
