#pragma once

#include "labs/lab.hpp"

namespace attn::labs {

/// Five things on a desk: newspaper, paper, cup, notebook, book. What catches the eye (saliency), and what one is after (a
/// query that meets each thing's keys), share out one look.
/// Inputs: red_cup; intention none, read, drink, write; strength of it.
/// Records: saliency [key]; keys [key, purpose]: how well each thing serves reading, drinking, writing; query [purpose];
///   involuntary.weights [key]: softmax of the saliency;
///   match [key]: query · key; attention.scores [key]: saliency + match; attention.weights [key]: their softmax;
///   pooling.weights [key]: equal, whatever is asked; values [key]: what each thing gives, as a number;
///   involuntary.output, attention.output, pooling.output []: Σ weights · values; each with .total [], the weights' sum;
///   by_hand.shares [key], a budget to share out (an input to edit); by_hand.total [], by_hand.left []: 1 − total;
///   by_hand.elsewhere []: half of Σ |shares − attention.weights|, the part of the look that softmax puts elsewhere.
models::Kind cues();

/// A query slides along a line of key–value pairs: the nearer to a key, the nearer the output to its value.
/// Inputs: query, width.
/// Records: keys, values [key]; query []; distance, scores, weights [key]; output []; pooling.weights [key] and
/// pooling.output [], which know no query; curve.query [query], curve.weights [query, key], curve.output [query]: the same
/// for queries along the whole line.
models::Kind lookup();

/// Softmax along the right axis (each query's row) and the wrong one.
/// Inputs: size, seed, scores random or identity.
/// Records: scores [query, key]; rows.weights, columns.weights [query, key]; of each .row_sums [query] and .column_sums
/// [key]; turned [key, query]: the rows' weights with the axes exchanged.
models::Kind softmax_axis();

}  // namespace attn::labs
