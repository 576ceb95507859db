#pragma once

#include "labs/lab.hpp"

namespace attn::labs {

/// The lowest loss that any translator can reach on a corpus in which one sentence has several translations: the best it
/// can say after a source and a prefix is how often each next word follows there.
/// Opened with pairs. Config: examples, min_frequency, num_steps, book_text, as the translators have them.
/// Records, for each word of each target, its end included: times [token]: how often this word follows its source and
///   prefix; of [token]: how often that prefix stands behind that source; probability [token] = times / of; loss [token] =
///   −ln probability; floor []: their mean, nats a token; book_floor []: as the book reports it, a mean over num_steps
///   divided by tokens once more (fault B6): floor / num_steps. distinct_sources, several []: sources, and those that have
///   more than one translation; unknown.source, unknown.target []: share of words read as <unk>.
models::Kind loss_floor();

}  // namespace attn::labs
