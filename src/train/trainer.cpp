#include "train/trainer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "tensor/arena.hpp"

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
  if (!std::isfinite(batch.loss)) return diverge("diverged.loss", "the loss"), 0.0;
  graph.backward(batch.objective);
  progress_.gradient_norm = clip_gradients(parameters_, settings_.clip > 0.0 ? settings_.clip : INFINITY);
  if (!std::isfinite(progress_.gradient_norm)) return diverge("diverged.gradient", "a gradient"), 0.0;
  graph.clear();  // its leaves would otherwise keep the parameters from being written in place
  optimizer_->step();
  loss_ += batch.loss;
  items_ += batch.items;
  ++progress_.batch;
  settle();
  offer_moment();
  if (progress_.batch == task_.batches()) finish_epoch();
  return batch.tokens;
}

/// Some later batch is larger than all of the first ones: they leave room for it.
void Trainer::settle() {
  if (settling_ == 0) return;
  --settling_;
  tensor_arena().leave_room();
  node_arena().leave_room();
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

void Trainer::diverge(const char* code, const char* what) {
  for (Parameter* p : parameters_) p->gradient = {};
  progress_.state = Progress::State::diverged;
  progress_.why = {
      code,
      {{"what", what}, {"epoch", std::to_string(progress_.epoch + 1)}, {"batch", std::to_string(progress_.batch + 1)}}};
  progress_.message =
      filled("{what} is no longer a finite number, in epoch {epoch}, batch {batch}; the learning rate may be too high",
             progress_.why.values);
}

// ---- going on another day

namespace {

void check_order(const std::vector<std::size_t>& order, std::size_t size) {
  if (order.size() != size)
    throw DataError("its order has " + std::to_string(order.size()) + " examples, the data have " +
                    std::to_string(size));
  std::vector<bool> seen(size, false);
  for (const std::size_t i : order) {
    if (i >= size || seen[i]) throw DataError("its order of the examples is no permutation");
    seen[i] = true;
  }
}

void check_numbers(const Trainer::Snapshot& s) {
  std::vector<double> numbers = {s.loss, s.items, s.tokens, s.seconds, s.rng.spare};
  for (const auto& epoch : s.history)
    for (const auto& [name, value] : epoch) numbers.push_back(value);
  if (!std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); }))
    throw DataError("a number of its progress is not finite");
  if (s.batch == 0 && (s.loss != 0.0 || s.items != 0.0))
    throw DataError("it stands before an epoch, and has a loss of it already");
  if (s.items < 0.0 || s.tokens < 0.0 || s.seconds < 0.0) throw DataError("its progress has a negative count");
}

}  // namespace

Trainer::Snapshot Trainer::snapshot() const {
  if (progress_.state == Progress::State::diverged)
    throw ConfigError("save: the run has diverged, and cannot go on: " + progress_.message);
  return {progress_.epoch,   progress_.batch,   loss_,         items_,       progress_.tokens,
          progress_.seconds, progress_.history, task_.order(), rng_.state(), optimizer_->memory()};
}

void Trainer::check_place(const Snapshot& s) const {
  if (s.epoch < 0 || s.epoch > settings_.epochs || s.batch >= task_.batches() ||
      (s.epoch == settings_.epochs && s.batch != 0))
    throw DataError("it stands at epoch " + std::to_string(s.epoch) + ", batch " + std::to_string(s.batch) +
                    "; this training has " + std::to_string(settings_.epochs) + " epochs of " +
                    std::to_string(task_.batches()) + " batches");
  if (s.history.size() != static_cast<std::size_t>(s.epoch)) throw DataError("its history has not an entry an epoch");
}

void Trainer::check_memory(const Snapshot& s) const {
  const Optimizer::Memory mine = optimizer_->memory();
  const auto steps = static_cast<double>(s.epoch) * static_cast<double>(task_.batches()) + static_cast<double>(s.batch);
  if (s.memory.steps != (optimizer_->remembers() ? steps : 0.0))
    throw DataError("its optimiser made " + std::to_string(s.memory.steps) + " steps, its progress another number");
  for (const auto& [name, like] : mine.tensors) {
    const auto found = s.memory.tensors.find(name);
    if (found == s.memory.tensors.end()) throw DataError("its optimiser has no " + name);
    if (found->second.shape() != like.shape())
      throw DataError("its " + name + " has shape " + found->second.shape().str() + ", not " + like.shape().str());
  }
  for (const auto& [name, tensor] : s.memory.tensors)
    if (!mine.tensors.contains(name)) throw DataError("its optimiser has " + name + ", which is not known here");
  optimizer_->check(s.memory);
}

void Trainer::restore(const Snapshot& s) {
  check_place(s);
  check_numbers(s);
  check_order(s.order, task_.order().size());
  check_memory(s);
  optimizer_->restore(s.memory);
  task_.set_order(s.order);
  rng_.restore(s.rng);
  loss_ = s.loss;
  items_ = s.items;
  progress_ = {};
  progress_.epoch = s.epoch;
  progress_.batch = s.batch;
  progress_.tokens = s.tokens;
  progress_.seconds = s.seconds;
  progress_.history = s.history;
  if (s.epoch == settings_.epochs) progress_.state = Progress::State::done;
  moments_ = Moments(parameters_);
  offer_moment();
}

}  // namespace attn::train
