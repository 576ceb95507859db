#include "text/search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "tensor/error.hpp"

namespace attn::text {
namespace {

std::vector<double> ask(NextWord& next, const std::vector<int>& prefix) {
  std::vector<double> log_p = next.after(prefix);
  if (log_p.empty() || std::ranges::any_of(log_p, [](double x) { return std::isnan(x) || x > 1e-6; }))
    throw Error("search: what came back for the next word are no log-probabilities");
  return log_p;
}

/// Ids of possible words, the likeliest first; of equal ones the smaller id.
std::vector<int> by_likelihood(const std::vector<double>& log_p) {
  std::vector<int> ids;
  for (std::size_t i = 0; i < log_p.size(); ++i)
    if (std::isfinite(log_p[i])) ids.push_back(static_cast<int>(i));
  std::ranges::stable_sort(ids, std::greater<>(), [&](int id) { return log_p[static_cast<std::size_t>(id)]; });
  return ids;
}

double scored(double total, std::size_t length, double alpha) {
  return total / std::pow(static_cast<double>(length), alpha);
}

/// A sequence that may go on, and where its last word stands in the tree.
struct Branch {
  Written so_far;
  int place = -1;
};

Written longer(const Written& so_far, const Candidate& word) {
  Written out = so_far;
  out.ids.push_back(word.id);
  out.log_p.push_back(word.log_p);
  out.total = word.total;
  out.score = word.score;
  out.ended = word.ended;
  return out;
}

void rank(std::vector<Written>& candidates) { std::ranges::stable_sort(candidates, std::greater<>(), &Written::score); }

[[noreturn]] void refuse_nothing() { throw Error("search: no word can come first"); }

// ---- beam search

class Beam {
 public:
  Beam(NextWord& next, const BeamOptions& options) : next_(next), options_(options) {}

  Searched search() {
    for (std::size_t step = 0; step < options_.steps && !branches_.empty(); ++step) {
      std::vector<Word> words = extensions();
      if (words.empty()) break;  // no branch can go on
      grow(std::move(words));
    }
    if (out_.tree.empty()) refuse_nothing();
    finish();
    return std::move(out_);
  }

 private:
  /// A word behind a branch, with its rank among the words of that branch.
  struct Word {
    Candidate candidate;
    std::size_t branch, rank;
  };

  std::vector<Word> extensions() {
    std::vector<Word> out;
    for (std::size_t b = 0; b < branches_.size(); ++b) {
      const Written& so_far = branches_[b].so_far;
      const std::vector<double> log_p = ask(next_, so_far.ids);
      const std::vector<int> ids = by_likelihood(log_p);
      for (std::size_t r = 0; r < ids.size(); ++r) {
        const double lp = log_p[static_cast<std::size_t>(ids[r])], total = so_far.total + lp;
        const double score = scored(total, so_far.ids.size() + 1, options_.alpha);
        out.push_back(
            {{branches_[b].place, ids[r], lp, total, score, std::exp(lp), false, ids[r] == options_.end}, b, r});
      }
    }
    std::ranges::stable_sort(out, std::greater<>(), [](const Word& w) { return w.candidate.total; });
    return out;
  }

  /// Takes the k best further, and notes in the tree what is worth a look.
  void grow(std::vector<Word> words) {
    std::vector<Branch> grown;
    std::vector<Candidate> shown;
    for (std::size_t i = 0; i < words.size(); ++i) {
      Candidate& word = words[i].candidate;
      word.kept = i < options_.k;
      if (!word.kept && options_.shown != 0 && words[i].rank >= options_.shown) continue;
      if (word.kept) take(longer(branches_[words[i].branch].so_far, word), shown.size(), grown);
      shown.push_back(word);
    }
    out_.tree.push_back(std::move(shown));
    branches_ = std::move(grown);
    tell();
  }

  void take(Written sequence, std::size_t place, std::vector<Branch>& grown) {
    if (sequence.ended || options_.prefixes) out_.candidates.push_back(sequence);
    if (!sequence.ended) grown.push_back({std::move(sequence), static_cast<int>(place)});
  }

  void tell() const {
    std::vector<std::vector<int>> prefixes;
    for (const Branch& branch : branches_) prefixes.push_back(branch.so_far.ids);
    next_.keep(prefixes);
  }

  void finish() {
    if (out_.candidates.empty())
      for (Branch& branch : branches_) out_.candidates.push_back(std::move(branch.so_far));
    rank(out_.candidates);
    out_.best = out_.candidates.front();
  }

  NextWord& next_;
  const BeamOptions& options_;
  std::vector<Branch> branches_ = {Branch{}};
  Searched out_;
};

// ---- sampling

/// The chance of each of the ids (the likeliest first) at a temperature. The largest exponent is 0, so nothing overflows.
std::vector<double> chances(const std::vector<double>& log_p, const std::vector<int>& ids, double temperature) {
  std::vector<double> out;
  const double largest = log_p[static_cast<std::size_t>(ids.front())];
  for (const int id : ids) out.push_back(std::exp((log_p[static_cast<std::size_t>(id)] - largest) / temperature));
  const double sum = std::accumulate(out.begin(), out.end(), 0.0);
  for (double& p : out) p /= sum;
  return out;
}

std::size_t draw(const std::vector<double>& chances, Rng& rng) {
  double left = rng.uniform();
  for (std::size_t i = 0; i + 1 < chances.size(); ++i) {
    if (left < chances[i]) return i;
    left -= chances[i];
  }
  return chances.size() - 1;
}

/// The words of one step for the tree: the likeliest, and the one that was drawn.
struct Draw {
  std::vector<Candidate> shown;
  int place = 0;  // of the drawn one
};

Draw draw_word(const Written& so_far, int parent, const std::vector<double>& log_p, const SampleOptions& options,
               Rng& rng) {
  std::vector<int> ids = by_likelihood(log_p);
  if (ids.empty()) return {};
  if (options.top_k != 0 && ids.size() > options.top_k) ids.resize(options.top_k);
  const std::vector<double> chance = chances(log_p, ids, options.temperature);
  const std::size_t drawn = draw(chance, rng);
  Draw out;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (options.shown != 0 && i >= options.shown && i != drawn) continue;
    if (i == drawn) out.place = static_cast<int>(out.shown.size());
    const double lp = log_p[static_cast<std::size_t>(ids[i])], total = so_far.total + lp;
    out.shown.push_back({parent, ids[i], lp, total, scored(total, so_far.ids.size() + 1, 1.0), chance[i], i == drawn,
                         ids[i] == options.end});
  }
  return out;
}

void check_steps(std::size_t steps) {
  if (steps == 0) throw ConfigError("search: steps is a whole number from 1");
}

}  // namespace

Searched beam_search(NextWord& next, const BeamOptions& options) {
  if (options.k == 0 || options.k > kMaxBeam)
    throw ConfigError("beam search: k is a whole number from 1 to " + std::to_string(kMaxBeam) + ", not " +
                      std::to_string(options.k));
  if (!(std::isfinite(options.alpha) && options.alpha >= 0.0))
    throw ConfigError("beam search: alpha is a number from 0");
  check_steps(options.steps);
  return Beam(next, options).search();
}

Searched sample(NextWord& next, const SampleOptions& options, Rng& rng) {
  if (!(std::isfinite(options.temperature) && options.temperature > 0.0))
    throw ConfigError("sampling: temperature is a number above 0");
  check_steps(options.steps);
  Searched out;
  for (int place = -1; out.best.ids.size() < options.steps && !out.best.ended;) {
    Draw step = draw_word(out.best, place, ask(next, out.best.ids), options, rng);
    if (step.shown.empty()) break;  // nothing can come after this
    place = step.place;
    out.best = longer(out.best, step.shown[static_cast<std::size_t>(place)]);
    out.tree.push_back(std::move(step.shown));
    next.keep(std::vector<std::vector<int>>{out.best.ids});
  }
  if (out.tree.empty()) refuse_nothing();
  out.candidates = {out.best};
  return out;
}

}  // namespace attn::text
