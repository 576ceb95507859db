// Lines of the optimiser.

import { cpp, lines, py, type Table } from './lines';

const modules = py('modules');
const models = py('model_goldens');
const files = py('file_goldens');

const update = cpp('train/update');
const ADAM = files('optimizer.step()');
const NORM = modules('norm = torch.sqrt(sum((g ** 2).sum() for g in gradients))');
const CLIP = modules('g *= torch.clamp(limit / norm, max=1.0)');

export const UPDATE: Table = {
  'update.gradient': lines(
    modules('gradients = [p.grad for p in parameters if p.grad is not None]'),
    update('return afterwards("gradient", {weight}, weight.gradient(),'),
  ),
  'update.squares': lines(
    NORM,
    update('out.data()[row] = static_cast<float>(kernels::sum_of_squares('),
  ),
  'update.sum_of_squares': lines(
    NORM,
    update('for (const float x : squares.value().values()) total += x;'),
  ),
  'update.norm': lines(NORM, update('const double norm = gradient_norm(gradients);')),
  'update.clip': lines(CLIP, update('const auto factor = static_cast<float>(clip_factor(limit')),
  'update.clipped': lines(
    CLIP,
    update('kernels::scale(factor.value().item(), out.data(), out.size());'),
  ),
  'update.t': lines(ADAM, update('const Var t = graph.input("t"')),
  'update.correction1': lines(
    ADAM,
    update('const double value = 1.0 - std::pow(beta, t.value().item());'),
  ),
  'update.correction2': lines(
    ADAM,
    update('const double value = 1.0 - std::pow(beta, t.value().item());'),
  ),
  'update.m_before': lines(ADAM, update('const Var m_before = named(')),
  'update.v_before': lines(ADAM, update('const Var v_before = named(')),
  'update.m': lines(
    ADAM,
    update('static_cast<float>(beta * before.value().data()[i] + (1.0 - beta)'),
  ),
  'update.v': lines(
    ADAM,
    update('static_cast<float>(beta * before.value().data()[i] + (1.0 - beta)'),
  ),
  'update.m_hat': lines(
    ADAM,
    update('std::ranges::transform(moment.value().values(), out.data(), [divisor]'),
  ),
  'update.v_hat': lines(
    ADAM,
    update('std::ranges::transform(moment.value().values(), out.data(), [divisor]'),
  ),
  'update.value adam': lines(
    ADAM,
    update('out.data()[i] = static_cast<float>(weight.value().data()[i] -'),
  ),
  'update.value sgd': lines(
    models('optimizer = torch.optim.SGD(net.parameters(), lr=0.5)'),
    update('kernels::add_scaled(-rate_, c.gradient.value().data()'),
  ),
};
