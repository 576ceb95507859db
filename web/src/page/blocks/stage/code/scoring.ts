// Lines of the lab of scoring functions.

import { cpp, lines, py, type Table } from './lines';

const modules = py('modules');
const transformer = py('transformer');
const attention = cpp('nn/attention');
const lab = cpp('labs/scoring');

const PRODUCTS = transformer('scores = queries @ keys.transpose(-2, -1)');

export const SCORING: Table = {
  'scoring:dot.raw': lines(PRODUCTS, lab('const Var raw = graph.name(matmul_transposed(')),
  'scoring:dot.scores': lines(PRODUCTS, lab('const Var context = attend(scale(raw, factor')),
  'scoring:dot.weights': lines(
    transformer('self.weights = masked_softmax('),
    lab('const Var weights = graph.name(masked_softmax('),
  ),
  'scoring:dot.context': lines(
    transformer('return self.dropout(self.weights) @ values'),
    lab('return graph.name(matmul(weights, given.values)'),
  ),
  'scoring:additive.weights': lines(
    modules('self.weights = masked_softmax('),
    attention('const Var weights = graph.name(masked_softmax(', 'additive_attention'),
  ),
  'scoring:additive.context': lines(
    modules('return self.dropout(self.weights) @ values'),
    attention(
      'return graph.name(matmul(attn::dropout(weights, dropout), values)',
      'additive_attention',
    ),
  ),
};
