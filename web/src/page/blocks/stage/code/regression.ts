// Lines of kernel regression.

import { cpp, lines, ofEach, py, type Table } from './lines';

const modules = py('modules');
const models = py('model_goldens');
const forms = py('regression_steps');

const regression = cpp('models/kernel_regression');
const pooling = cpp('models/regression_forms');
const SQUARE = lines(
  modules('scores = -((distances * self.w) ** 2) / 2'),
  pooling('const Var scores = scale(square(distance), -0.5F'),
);
const PLACES = lines(
  forms('distance = torch.arange(-60, 61) / 20'),
  pooling('grid.data()[i] = (static_cast<float>(i) - 60.0F) / 20.0F'),
);

export const REGRESSION: Table = {
  'data.x_train': lines(
    models('x = golden.float32(torch.tensor([5.0 * rng.uniform()'),
    regression('rng.fill_uniform(x_train, 0.0F, 5.0F);'),
  ),
  'data.y_train': lines(
    models('return x, golden.float32(truth(x) + noise * noises), x_test'),
    regression('y_train.data()[i] = static_cast<float>(function('),
  ),
  'data.x_test': lines(
    models('x_test = golden.float32(torch.arange(50) / 10)'),
    regression('x_test.data()[i] = static_cast<float>(x);'),
  ),
  'data.truth': lines(
    models('truth = lambda x: 2 * torch.sin(x) + x ** 0.8'),
    regression('return 2.0 * std::sin(x) + (edition'),
  ),
  distance: lines(
    modules('distances = queries[:, None] - keys'),
    regression('const Var distance = reshape(queries, {queries.size(0), 1}) - reshape(keys'),
  ),
  'train.distance': lines(
    modules('distances = queries[:, None] - keys'),
    pooling('const Var distance = reshape(keys, {n, 1}) - gathered(keys);'),
  ),
  'average.scores': lines(
    forms('forms = {"average": gaussian(0.0)'),
    regression('g.name(g.constant(Tensor::zeros(d.shape())), "scores"'),
  ),
  'learned.w': lines(
    modules('self.w = nn.Parameter(torch.rand(1))'),
    regression('const Var w = graph.name(graph.parameter(w_), "learned.w"'),
  ),
  ...ofEach(['fixed', 'learned', 'kernel'], { scores: SQUARE }),
  ...ofEach(['average', 'fixed', 'learned', 'kernel'], {
    weights: lines(
      modules('self.weights = scores.softmax(dim=1)'),
      pooling('Weighing softmax_weights(const Var& scores)'),
    ),
    prediction: lines(
      modules('return (self.weights * values).sum(dim=1)'),
      pooling('const Var column = matmul(rows, reshape(pairing.values'),
    ),
    error: lines(
      forms('return {"error": (((form["prediction"] - wanted) * counted) ** 2).sum()'),
      pooling('const Var error = mean_of_squares(prediction - pairing.wanted'),
    ),
  }),
  ...ofEach(
    ['average', 'fixed', 'learned', 'kernel'].map((form) => `roughness.${form}`),
    {
      '': lines(
        forms('return (((bend * counted) ** 2).sum() / counted.sum()).sqrt()'),
        pooling('prediction.graph().name(sqrt(mean_of_squares(slope, counted)), name, {});'),
      ),
    },
  ),
  'kernel-regression:loss': lines(
    models('loss = ((net(x, keys, values) - y) ** 2).sum()'),
    regression('result.loss = graph.name(sum(square('),
  ),
  'kernel.u': lines(
    forms('u = (queries[:, None] - keys) / width'),
    pooling('const Var u = graph.name(scale(distance, factor, "1/width"), "u", kPairs);'),
  ),
  'kernel.similarity': lines(
    forms('return {"u": u, "u^2": u ** 2, "1 - u^2"'),
    pooling('const Var similarity = graph.name(all, "similarity", axes);'),
  ),
  'kernel.similarity exp': lines(
    forms('return out | {"u": u, "similarity": out["scores"].exp()}'),
    pooling('graph.name(exp(scores), "similarity", kPairs);'),
  ),
  'kernel.total': lines(
    forms('total = epanechnikov(u)["similarity"].sum(dim=1)'),
    pooling('const Var total = graph.name(sum(similarity, -1), "total"'),
  ),
  'kernel.has_data': lines(
    forms('has_data = (total > 0).to(total.dtype)'),
    pooling('const Var has_data = graph.name(step(total)'),
  ),
  'kernel.covered': lines(
    forms('return epanechnikov(u) | {"total": total'),
    pooling('graph.name(mean(weighing.has_data), "covered", {});'),
  ),
  'kernel.weights div': lines(
    forms('weights = epanechnikov(u)["similarity"] / (total + 1 - has_data)[:, None]'),
    pooling('const Var weights = similarity / reshape(divisor'),
  ),
  'kernel.shape.distance': PLACES,
  'kernel.shape.u': lines(
    forms('u = distance / width'),
    pooling('const Var u = graph.name(scale(distance, static_cast<float>(1.0 / choice.width)'),
  ),
  'kernel.shape.similarity': lines(
    forms('"similarity": torch.exp(-u ** 2 / 2)}'),
    pooling('const Var similarity = graph.name(all, "similarity", axes);'),
  ),
};
