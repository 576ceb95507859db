#pragma once

#include <map>
#include <string>
#include <vector>

#include "tensor/refusal.hpp"
#include "train/moments.hpp"

namespace attn::train {

/// What a model must be able to do to be trained: batches of an epoch, one after the other.
class Task {
 public:
  virtual ~Task() = default;
  virtual std::size_t batches() const = 0;
  /// Puts the examples in the order of the coming epoch.
  virtual void begin_epoch(Rng& rng) = 0;

  struct Batch {
    Var objective;        // what backward() starts from
    double loss = 0.0;    // summed over the batch's items
    double items = 0.0;   // tokens or examples
    double tokens = 0.0;  // what tokens_per_s counts; 0 where there are none
  };
  virtual Batch forward(Graph& graph, std::size_t batch) = 0;
  /// The order of the examples, where there is one to keep; for checkpoints.
  virtual std::vector<std::size_t> order() const { return {}; }
  virtual void set_order(const std::vector<std::size_t>&) {}
  /// The metrics of an epoch from its summed loss and items, by name.
  virtual std::map<std::string, double> metrics(double loss, double items) const = 0;
};

struct Settings {
  int epochs = 1;
  double clip = 0.0;  // 0: no clipping
  std::uint64_t seed = 0;
  kernels::MatmulPath path = kernels::MatmulPath::fastest;
};

struct Progress {
  enum class State { training, done, diverged };
  State state = State::training;
  int epoch = 0;  // finished
  std::size_t batch = 0;
  double tokens_per_s = 0.0;                           // of the last slice
  double tokens = 0.0;                                 // of the whole run …
  double seconds = 0.0;                                // … and the time spent in it, pauses not counted
  double gradient_norm = 0.0;                          // of the last batch, before clipping
  std::vector<std::map<std::string, double>> history;  // of each finished epoch
  std::string message;                                 // why it has diverged
  Reason why = {};                                     // the same for a page
};

/// Trains in slices: to pause is not to ask for the next one. Nothing is lost between slices.
class Trainer {
 public:
  Trainer(Task& task, Parameters parameters, std::unique_ptr<Optimizer> optimizer, const Settings& settings);

  /// Trains for about budget_ms, at least one batch, at most to the end of the last epoch. A loss or gradient that is not
  /// finite ends the run as `diverged`, with the parameters as they were before that step.
  const Progress& advance(double budget_ms);
  const Progress& progress() const { return progress_; }
  Moments& moments() { return moments_; }
  const Optimizer& optimizer() const { return *optimizer_; }

  /// All that the rest of the run depends on besides the parameters and the settings: with them, another trainer goes on as
  /// if nothing had happened, bit for bit.
  struct Snapshot {
    int epoch = 0;
    std::size_t batch = 0;
    double loss = 0.0, items = 0.0;  // of the running epoch
    double tokens = 0.0, seconds = 0.0;
    std::vector<std::map<std::string, double>> history;
    std::vector<std::size_t> order;
    Rng::State rng{};
    Optimizer::Memory memory;
  };
  /// Throws ConfigError for a run that has diverged: it cannot go on.
  Snapshot snapshot() const;
  /// Goes on from there. The moments that were kept are not part of it and begin anew. Throws DataError naming what does not
  /// fit this task, its parameters or the settings; then nothing is changed.
  void restore(const Snapshot& snapshot);

 private:
  double step();  // returns its tokens
  void settle();
  void finish_epoch();
  void diverge(const char* code, const char* what);
  void offer_moment();
  void check_place(const Snapshot& snapshot) const;
  void check_memory(const Snapshot& snapshot) const;

  Task& task_;
  Parameters parameters_;
  std::unique_ptr<Optimizer> optimizer_;
  Settings settings_;
  Rng rng_;
  Moments moments_;
  Progress progress_;
  double loss_ = 0.0, items_ = 0.0;  // of the running epoch
  int settling_ = 50;                // steps after which memory no longer grows
};

}  // namespace attn::train
