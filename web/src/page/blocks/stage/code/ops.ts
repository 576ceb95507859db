// Lines of ops: what made a step that no model of the chapter has, and the way back.

import { cpp, lines, py, type Anchor, type Table } from './lines';

const files = py('file_goldens');

const family = (name: string) => cpp(`ops/${name}`);
const arithmetic = family('arithmetic');
const functions = family('functions');
const matmul = family('matmul');
const layout = family('layout');
const reduce = family('reduce');
const softmax = family('softmax');
const norms = family('norm');
const BACKWARD_CALL = files('loss.backward()');

/** An op's PyTorch expression, its forward and its backward lines. */
const OPS: Record<string, [forward: Anchor | Anchor[], backward: Anchor | Anchor[]]> = {
  add: [
    arithmetic('Tensor out = combine("add", Pairing::add'),
    arithmetic(
      'if (a.needs_gradient) a.add_gradient(detail::sum_to(node.gradient, a.value.shape()));',
    ),
  ],
  sub: [
    arithmetic('Tensor out = combine("sub", Pairing::subtract'),
    arithmetic('xt::noalias(array(negative)) = -array(db);'),
  ],
  mul: [
    arithmetic('Tensor out = combine("mul", Pairing::multiply'),
    arithmetic(
      'const Tensor share = combine("mul", Pairing::multiply, node.gradient, other.value);',
    ),
  ],
  div: [
    arithmetic('constexpr Pairwise kDiv{"div"'),
    arithmetic('return of == 0 ? 1.0F / b : -a / (b * b);'),
  ],
  max: [
    arithmetic('"max", [](float a, float b) { return a < b ? b : a; }'),
    arithmetic('return of == 0 ? taken(a, b) : taken(b, a);'),
  ],
  min: [
    arithmetic('"min", [](float a, float b) { return b < a ? b : a; }'),
    arithmetic('return of == 0 ? taken(-a, -b) : taken(-b, -a);'),
  ],
  pow: [
    arithmetic('constexpr Pairwise kPow{"pow"'),
    [
      arithmetic('if (of == 0) return b == 0.0F ? 0.0F : b * std::pow(a, b - 1.0F);'),
      arithmetic('return a > 0.0F ? std::pow(a, b) * std::log(a) : 0.0F;'),
    ],
  ],
  scale: [
    arithmetic('xt::noalias(array(out)) = array(x.value()) * factor;'),
    arithmetic('xt::noalias(array(dx)) = array(node.gradient) * factor;'),
  ],
  square: [
    arithmetic('xt::noalias(array(out)) = array(x.value()) * array(x.value());'),
    arithmetic(
      'xt::noalias(array(dx)) = 2.0F * array(node.inputs[0]->value) * array(node.gradient);',
    ),
  ],
  ...Object.fromEntries(
    ['Neg', 'Exp', 'Log', 'Sqrt', 'Sin', 'Cos', 'Tanh', 'Sigmoid', 'Relu', 'Abs', 'Step'].map(
      (name) => [
        name.toLowerCase(),
        [
          functions(`constexpr Function k${name}{`),
          [
            functions(`constexpr Function k${name}{`),
            functions('dx.data()[i] = dy[i] * f.slope(x[i], y[i]);'),
          ],
        ],
      ],
    ),
  ),
  matmul: [
    matmul('MatMul::forward(a.node(), b.node(), transposed, out)'),
    [
      matmul('product_of(dy, transposed ? right : right.transposed(), n, da)'),
      matmul('product_of(left.transposed(), dy, n, db)'),
    ],
  ],
  matmul_transposed: [
    matmul('MatMul::forward(a.node(), b.node(), transposed, out)'),
    [
      matmul('product_of(dy, transposed ? right : right.transposed(), n, da)'),
      matmul('product_of(dy.transposed(), left, n, db)'),
    ],
  ],
  linear: [
    matmul('MatMul::forward(l.x.node(), l.weight.node(), true, y'),
    [
      matmul('product_of(dy, transposed ? right : right.transposed(), n, da)'),
      matmul('product_of(dy.transposed(), left, n, db)'),
      matmul('if (node.inputs.size() == 3)'),
    ],
  ],
  reshape: [
    layout('return x.graph().make(std::make_unique<Reshape>(), {x}, x.value().reshaped(shape));'),
    layout('x.add_gradient(node.gradient.reshaped(x.value.shape()));'),
  ],
  transpose: [
    layout('xt::noalias(array(out)) = xt::transpose(array(x.value()), order);'),
    layout('xt::noalias(array(dx)) = xt::transpose(array(node.gradient), inverse());'),
  ],
  slice: [
    layout('range.read(x.value(), out);'),
    layout('range.add(node.gradient, x.gradient_sum());'),
  ],
  select: [
    layout('range.read(x.value(), out);'),
    layout('range.add(node.gradient, x.gradient_sum());'),
  ],
  concat: [layout('range.write(part.value(), out);'), layout('range.read(node.gradient, share);')],
  stack: [layout('range.write(part.value(), out);'), layout('range.read(node.gradient, share);')],
  last_valid: [
    family('pick')('std::copy_n(x.value().data() + op->offset(x.value(), b), width'),
    family('pick')('kernels::add_to(node.gradient.data() + b * width, sum.data() + offset('),
  ],
  sum: [
    [reduce('const float total = kernels::sum('), reduce('kernels::add_to(x.data() + row * width')],
    [
      reduce('x.add_gradient(Tensor::full(x.value.shape(), factor * node.gradient.item()));'),
      reduce('kernels::add_scaled(factor(dx.shape()), node.gradient.data()'),
    ],
  ],
  mean: [
    [
      reduce('const float total = kernels::sum('),
      reduce('if (is_mean) kernels::scale(factor(x.shape())'),
    ],
    [
      reduce('x.add_gradient(Tensor::full(x.value.shape(), factor * node.gradient.item()));'),
      reduce('kernels::add_scaled(factor(dx.shape()), node.gradient.data()'),
    ],
  ],
  layer_norm: [
    norms('scales[g] = kernels::standardise_row('),
    [norms('kernels::affine_row_backward('), norms('kernels::standardise_row_backward(')],
  ],
  batch_norm: [
    norms('scales[g] = kernels::standardise_row('),
    [norms('kernels::affine_row_backward('), norms('kernels::standardise_row_backward(')],
  ],
  softmax: [
    softmax('kernels::softmax_row(in, out, keys, seen(row, keys));'),
    softmax('kernels::softmax_row_backward('),
  ],
  masked_softmax: [
    softmax('kernels::softmax_row(in, out, keys, seen(row, keys));'),
    [
      softmax('kernels::softmax_row_backward('),
      softmax('std::fill(dx.data() + at + seen(row, keys), dx.data() + at + keys, 0.0F);'),
    ],
  ],
  embedding: [
    family('embedding')('std::copy_n(weight.value().data() + rows[i] * width'),
    family('embedding')('kernels::add_to(node.gradient.data() + i * width'),
  ],
  cross_entropy: [
    family('loss')('out.data()[row] = kernels::log_sum_exp(x, width) - x[wanted[row]];'),
    [
      family('loss')('kernels::softmax_row(logits.value.data() + row * width'),
      family('loss')('out[targets[row]] -= 1.0F;'),
      family('loss')('for (std::size_t j = 0; j < width; ++j) out[j] *= dy;'),
    ],
  ],
  gru_gates: [
    family('gru')('kernels::gru_gates(from_input'),
    family('gru')('kernels::gru_gates_backward('),
  ],
  dropout: [
    family('dropout')('Tensor out = Dropout::product(x.value(), mask);'),
    family('dropout')('node.inputs[0]->add_gradient(product(node.gradient, mask));'),
  ],
  attention: [
    family('attention')('kernels::attention(path, seen()'),
    family('attention')('kernels::attention_backward('),
  ],
};

const goldens = py('op_goldens');
const modules = py('modules');

/** Ops that PyTorch has under no name of its own, or with more arguments: the lines that say them. */
const SAID: Record<string, Anchor | Anchor[]> = {
  last_valid: goldens('LAST = lambda'),
  layer_norm: goldens('layer_norm = lambda'),
  batch_norm: goldens('batch_norm = lambda'),
  embedding: goldens('LOOKUP = lambda'),
  cross_entropy: goldens('CROSS = lambda'),
  gru_gates: goldens('torch.gru_cell(i[None]'),
  dropout: goldens('return x * kept.reshape'),
  attention: [
    goldens('scores = split(q) @ T(split(k))'),
    goldens('out = drop(masked_softmax(scores'),
  ],
};

export const BY_OP: Table = {
  ...Object.fromEntries(
    Object.entries(OPS).flatMap(([op, [forward, backward]]) => [
      [`op ${op}`, lines(SAID[op] ?? goldens(`case("${op}",`), forward)],
      [`backward ${op}`, lines(BACKWARD_CALL, backward)],
    ]),
  ),
  // Where a module of ours says more than the test of the op.
  'op masked_softmax': lines(
    modules('weights = scores.masked_fill(~visible, hidden_score).softmax(dim=-1)'),
    OPS['masked_softmax']![0],
  ),
  // A leaf hands nothing on: its gradient is the sum of what its uses gave it.
  ...Object.fromEntries(
    ['parameter', 'input', 'edit'].map((leaf) => [
      `backward ${leaf}`,
      lines(
        BACKWARD_CALL,
        cpp('graph/graph')('kernels::add_to(share.data(), gradient_sum().data(), share.size());'),
      ),
    ]),
  ),
};
