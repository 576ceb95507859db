#include "train/trainer.hpp"

#include <chrono>
#include <cmath>

namespace attn::train {
namespace {

double now_ms() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Trainer::Trainer(Task& task, Parameters parameters, std::unique_ptr<Optimizer> optimizer, const Settings& settings)
    : task_(task),
      parameters_(std::move(parameters)),
      optimizer_(std::move(optimizer)),
      settings_(settings),
      rng_(settings.seed),
      moments_(parameters_) {
  moments_.offer(0.0);
}

const Progress& Trainer::advance(double budget_ms) {
  const double start = now_ms();
  double tokens = 0.0;
  while (progress_.state == Progress::State::training) {
    tokens += step();
    if (now_ms() - start >= budget_ms) break;
  }
  const double seconds = (now_ms() - start) / 1000.0;
  progress_.tokens_per_s = seconds > 0.0 ? tokens / seconds : 0.0;
  progress_.tokens += tokens;
  progress_.seconds += seconds;
  return progress_;
}

double Trainer::step() {
  if (progress_.batch == 0) task_.begin_epoch(rng_);
  Graph graph({.record = Record::backward, .training = true, .path = settings_.path, .rng = &rng_});
  const Task::Batch batch = task_.forward(graph, progress_.batch);
  if (!std::isfinite(batch.loss)) return diverge("the loss"), 0.0;
  graph.backward(batch.objective);
  progress_.gradient_norm = clip_gradients(parameters_, settings_.clip > 0.0 ? settings_.clip : INFINITY);
  if (!std::isfinite(progress_.gradient_norm)) return diverge("a gradient"), 0.0;
  graph.clear();  // its leaves would otherwise keep the parameters from being written in place
  optimizer_->step();
  loss_ += batch.loss;
  items_ += batch.items;
  ++progress_.batch;
  offer_moment();
  if (progress_.batch == task_.batches()) finish_epoch();
  return batch.tokens;
}

void Trainer::offer_moment() {
  moments_.offer(progress_.epoch + static_cast<double>(progress_.batch) / static_cast<double>(task_.batches()));
}

void Trainer::finish_epoch() {
  progress_.history.push_back(task_.metrics(loss_, items_));
  loss_ = items_ = 0.0;
  progress_.batch = 0;
  if (++progress_.epoch == settings_.epochs) progress_.state = Progress::State::done;
}

void Trainer::diverge(const std::string& what) {
  for (Parameter* p : parameters_) p->gradient = {};
  progress_.state = Progress::State::diverged;
  progress_.message = what + " is no longer a finite number, in epoch " + std::to_string(progress_.epoch + 1) +
                      ", batch " + std::to_string(progress_.batch + 1) + "; the learning rate may be too high";
}

}  // namespace attn::train
