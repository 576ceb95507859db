#include "text/search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "tensor/error.hpp"

using namespace attn;
using namespace attn::text;

namespace {

using Prefix = std::vector<int>;
constexpr int kA = 0, kB = 1, kC = 2, kEos = 3;

/// Probabilities from a function of the prefix. It keeps a state for each prefix, and notices who asks out of turn.
class Told final : public NextWord {
 public:
  explicit Told(std::function<std::vector<double>(const Prefix&)> f) : f_(std::move(f)) { states_.insert(Prefix{}); }

  std::vector<double> after(std::span<const int> span) override {
    const Prefix prefix(span.begin(), span.end());
    REQUIRE(states_.contains(prefix.empty() ? Prefix{} : Prefix(prefix.begin(), prefix.end() - 1)));
    states_.insert(prefix);
    ++asked;
    std::vector<double> out;
    for (const double p : f_(prefix)) out.push_back(std::log(p));
    return out;
  }
  void keep(std::span<const Prefix> prefixes) override {
    std::set<Prefix> kept;
    for (const Prefix& prefix : prefixes) kept.insert(Prefix(prefix.begin(), prefix.end() - 1));
    for (const Prefix& prefix : kept) REQUIRE(states_.contains(prefix));
    states_ = std::move(kept);
  }
  int asked = 0;

 private:
  std::function<std::vector<double>(const Prefix&)> f_;
  std::set<Prefix> states_;
};

/// The chapter's two tables: steps 3 and 4 are other ones if the second word was C. Columns A, B, C, <eos>.
std::vector<double> chapter(const Prefix& prefix) {
  const bool other = prefix.size() >= 2 && prefix[1] == kC;
  const std::map<std::size_t, std::vector<double>> first = {
      {0, {.5, .2, .2, .1}}, {1, {.1, .4, .3, .2}}, {2, {.2, .2, .4, .2}}, {3, {.0, .2, .2, .6}}};
  const std::map<std::size_t, std::vector<double>> second = {{2, {.1, .6, .2, .1}}, {3, {.1, .2, .1, .6}}};
  return other ? second.at(prefix.size()) : first.at(prefix.size());
}

/// Probabilities that depend on everything written before, and no two alike.
std::vector<double> tangled(const Prefix& prefix, std::size_t vocabulary) {
  std::uint64_t seed = 17;
  for (const int id : prefix) seed = seed * 31 + static_cast<std::uint64_t>(id) + 1;
  Rng rng(seed);
  std::vector<double> out;
  double sum = 0.0;
  for (std::size_t i = 0; i < vocabulary; ++i) sum += out.emplace_back(0.05 + static_cast<double>(rng.uniform()));
  for (double& p : out) p /= sum;
  return out;
}

BeamOptions beam(std::size_t k, std::size_t steps, double alpha = 0.75) {
  return {.k = k, .alpha = alpha, .steps = steps, .end = kEos};
}

template <class E>
std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const E& e) {
    return e.what();
  }
  return "";
}

/// The best of everything that can be written, by trying it all.
void try_all(const std::function<std::vector<double>(const Prefix&)>& f, std::size_t steps, double alpha,
             const Written& so_far, Written& best) {
  if (so_far.ended) {
    if (best.ids.empty() || so_far.score > best.score) best = so_far;
    return;
  }
  if (so_far.ids.size() == steps) return;
  const std::vector<double> p = f(so_far.ids);
  for (std::size_t id = 0; id < p.size(); ++id) {
    Written next = so_far;
    next.ids.push_back(static_cast<int>(id));
    next.total += std::log(p[id]);
    next.score = next.total / std::pow(static_cast<double>(next.ids.size()), alpha);
    next.ended = static_cast<int>(id) == kEos;
    try_all(f, steps, alpha, next, best);
  }
}

}  // namespace

TEST_CASE("search: greedily the chapter's tables give A B C <eos> at .048, a beam of two finds A C B <eos> at .054") {
  Told next(chapter);
  const Searched greedy = beam_search(next, beam(1, 4));
  CHECK(greedy.best.ids == Prefix{kA, kB, kC, kEos});
  CHECK(std::exp(greedy.best.total) == doctest::Approx(.048).epsilon(1e-12));
  CHECK(greedy.best.ended);
  Told again(chapter);
  const Searched two = beam_search(again, beam(2, 4));
  CHECK(two.best.ids == Prefix{kA, kC, kB, kEos});
  CHECK(std::exp(two.best.total) == doctest::Approx(.054).epsilon(1e-12));
  CHECK(two.best.score == doctest::Approx(std::log(.054) / std::pow(4.0, .75)).epsilon(1e-12));
  REQUIRE(two.best.log_p.size() == 4);
  CHECK(std::exp(two.best.log_p[2]) == doctest::Approx(.6));
}

TEST_CASE("search: two branches over three steps are six candidates, every kept prefix one of them") {
  // A, C; AB, CE; ABD, CED, as the chapter draws it, over a vocabulary A … E without an end.
  const auto drawn = [](const Prefix& prefix) {
    const std::map<Prefix, std::vector<double>> table = {{{}, {.4, .1, .3, .1, .1}},
                                                         {{0}, {.1, .5, .2, .1, .1}},
                                                         {{2}, {.1, .1, .1, .1, .6}},
                                                         {{0, 1}, {.1, .1, .1, .6, .1}},
                                                         {{2, 4}, {.1, .1, .1, .6, .1}}};
    return table.at(prefix);
  };
  Told next(drawn);
  BeamOptions options{.k = 2, .steps = 3, .end = -1, .prefixes = true};
  const Searched found = beam_search(next, options);
  std::set<Prefix> candidates;
  for (const Written& c : found.candidates) candidates.insert(c.ids);
  CHECK(candidates == std::set<Prefix>{{0}, {2}, {0, 1}, {2, 4}, {0, 1, 3}, {2, 4, 3}});
  CHECK(next.asked == 1 + 2 + 2);
  for (std::size_t i = 1; i < found.candidates.size(); ++i)
    CHECK(found.candidates[i - 1].score >= found.candidates[i].score);
}

TEST_CASE("search: a larger alpha favours the longer sequence, since logarithms are negative (B21)") {
  // Two words of log p −1 each, or four that sum to −3.
  const auto two_ways = [](const Prefix& prefix) {
    const double other = std::exp(-.75), one = std::exp(-1.0);
    if (prefix.empty()) return std::vector<double>{one, other, 0, 0};
    if (prefix[0] == kA) return std::vector<double>{0, 0, 0, one};
    return prefix.size() < 3 ? std::vector<double>{0, other, 0, 0} : std::vector<double>{0, 0, 0, other};
  };
  const auto score_of = [&](double alpha, std::size_t length) {
    Told next(two_ways);
    const Searched found = beam_search(next, beam(2, 4, alpha));
    for (const Written& c : found.candidates)
      if (c.ids.size() == length) return c.score;
    return std::nan("");
  };
  CHECK(score_of(.75, 2) == doctest::Approx(-1.19).epsilon(.005));
  CHECK(score_of(.75, 4) == doctest::Approx(-1.06).epsilon(.005));
  Told plain(two_ways), normed(two_ways);
  CHECK(beam_search(plain, beam(2, 4, 0.0)).best.ids.size() == 2);
  CHECK(beam_search(normed, beam(2, 4, .75)).best.ids.size() == 4);
}

TEST_CASE("search: a beam of one is greedy search, whatever the model says") {
  for (std::size_t vocabulary : {4, 7, 30}) {
    const auto f = [vocabulary](const Prefix& prefix) { return tangled(prefix, vocabulary); };
    Prefix greedy;
    while (greedy.size() < 12 && (greedy.empty() || greedy.back() != kEos)) {
      const std::vector<double> p = f(greedy);
      greedy.push_back(static_cast<int>(std::ranges::max_element(p) - p.begin()));
    }
    Told next(f);
    CHECK(beam_search(next, beam(1, 12)).best.ids == greedy);
  }
}

TEST_CASE("search: a beam of |V|^T tries everything, and a k above the vocabulary is no error") {
  const auto f = [](const Prefix& prefix) { return tangled(prefix, 5); };
  Written best;
  try_all(f, 4, .75, {}, best);
  Told next(f);
  const Searched all = beam_search(next, beam(5 * 5 * 5 * 5, 4));
  CHECK(all.best.ids == best.ids);
  CHECK(all.best.score == doctest::Approx(best.score).epsilon(1e-12));
  CHECK(all.candidates.size() == 1 + 4 + 16 + 64);  // all that ends within four words
  Told wide(f);
  CHECK(beam_search(wide, beam(6, 4)).tree[0].size() == 5);
}

TEST_CASE("search: of equal sequences the earlier branch and the smaller id come first, each time") {
  const auto equal = [](const Prefix&) { return std::vector<double>(5, .2); };
  Told next(equal);
  const Searched found = beam_search(next, beam(3, 2, 0.0));
  std::vector<int> kept;
  for (const Candidate& c : found.tree[1])
    if (c.kept) kept.push_back(c.parent * 10 + c.id);
  CHECK(kept == std::vector<int>{0, 1, 2});
  CHECK(found.best.ids == Prefix{0, 0});
}

TEST_CASE("search: sequences that ended compete; only if none did, those that ran out of steps") {
  const auto sure = [](const Prefix&) { return std::vector<double>{.9, .05, .04, .01}; };
  Told next(sure);
  const Searched found = beam_search(next, beam(2, 3));
  CHECK_FALSE(found.best.ended);
  CHECK(found.best.ids == Prefix{kA, kA, kA});
  CHECK(found.candidates.size() == 2);
  Told wide(sure);
  CHECK(beam_search(wide, beam(4, 3)).best.ids == Prefix{kEos});  // the only kind that ended, and the likeliest of it
}

TEST_CASE("search: the tree shows each word with its branch, sum and score, and the words that were not kept") {
  Told next(chapter);
  const Searched found = beam_search(next, beam(2, 4));
  REQUIRE(found.tree.size() == 4);
  CHECK(found.tree[0].size() == 4);
  CHECK(found.tree[1].size() == 8);
  for (std::size_t t = 0; t < found.tree.size(); ++t) {
    CHECK(std::ranges::count(found.tree[t], true, &Candidate::kept) == 2);
    for (const Candidate& c : found.tree[t]) {
      const double before = t == 0 ? 0.0 : found.tree[t - 1].at(static_cast<std::size_t>(c.parent)).total;
      CHECK(c.total == doctest::Approx(before + c.log_p));
      CHECK(c.score == doctest::Approx(c.total / std::pow(static_cast<double>(t + 1), .75)));
      CHECK(c.ended == (c.id == kEos));
      CHECK((t == 0 ? c.parent == -1 : found.tree[t - 1].at(static_cast<std::size_t>(c.parent)).kept));
    }
  }
}

TEST_CASE("search: of a large vocabulary the tree shows the likeliest words of each branch, and those kept") {
  Told next([](const Prefix& prefix) { return tangled(prefix, 200); });
  BeamOptions options = beam(3, 3);
  options.shown = 2;
  const Searched found = beam_search(next, options);
  CHECK(found.tree[0].size() == 3);
  CHECK(found.tree[1].size() <= 9);
  CHECK(found.tree[1].size() >= 6);
}

TEST_CASE("search: a word that cannot come is never written, and a branch without one ends the search") {
  const auto stuck = [](const Prefix& prefix) {
    return prefix.size() < 2 ? std::vector<double>{1, 0, 0, 0} : std::vector<double>(4, 0.0);
  };
  Told next(stuck), drawing(stuck);
  CHECK(beam_search(next, beam(4, 9)).best.ids == Prefix{kA, kA});
  Rng rng(1);
  CHECK(sample(drawing, {.steps = 9}, rng).best.ids == Prefix{kA, kA});
}

TEST_CASE("sampling: words come as often as they are likely, temperature sharpens or flattens") {
  const auto once = [](const Prefix&) { return std::vector<double>{.5, .3, .15, .05}; };
  const auto shares = [&](const SampleOptions& options) {
    Rng rng(3);
    std::vector<double> out(4, 0.0);
    for (int i = 0; i < 20000; ++i) {
      Told next(once);
      out[static_cast<std::size_t>(sample(next, options, rng).best.ids[0])] += 1.0 / 20000;
    }
    return out;
  };
  // A share of 20,000 draws has a standard deviation of at most 0.0036: four of them.
  const auto close = [](double a, double b) { return std::abs(a - b) < .0145; };
  const auto plain = shares({.steps = 1});
  CHECK(close(plain[0], .5));
  CHECK(close(plain[1], .3));
  CHECK(close(plain[3], .05));
  const auto sharp = shares({.temperature = .5, .steps = 1});  // p², normalised
  CHECK(close(sharp[0], .25 / .365));
  CHECK(close(sharp[3], .0025 / .365));
  const auto flat = shares({.temperature = 1e6, .steps = 1});
  for (const double share : flat) CHECK(close(share, .25));
  const auto cold = shares({.temperature = 1e-9, .steps = 1});
  CHECK(cold[0] == doctest::Approx(1.0));
  const auto top = shares({.top_k = 2, .steps = 1});
  CHECK(close(top[0], .625));
  CHECK(top[2] + top[3] == 0.0);
}

TEST_CASE(
    "sampling: the same seed writes the same, the score is the mean log p of the model, the tree has the chances") {
  const auto f = [](const Prefix& prefix) { return tangled(prefix, 12); };
  const SampleOptions options{.temperature = 1.5, .top_k = 5, .steps = 8, .end = kEos, .shown = 3};
  Told one(f), two(f);
  Rng a(9), b(9);
  const Searched found = sample(one, options, a);
  CHECK(found.best.ids == sample(two, options, b).best.ids);
  double total = 0.0;
  Prefix prefix;
  for (const int id : found.best.ids) {
    total += std::log(f(prefix)[static_cast<std::size_t>(id)]);
    prefix.push_back(id);
  }
  CHECK(found.best.total == doctest::Approx(total));
  CHECK(found.best.score == doctest::Approx(total / static_cast<double>(prefix.size())));
  for (const auto& step : found.tree) {
    CHECK(step.size() >= 3);
    CHECK(step.size() <= 4);
    CHECK(std::ranges::count(step, true, &Candidate::kept) == 1);
    for (const Candidate& c : step) CHECK((c.chance > 0.0 && c.chance <= 1.0));
  }
}

TEST_CASE("search: settings out of range and answers that are no log-probabilities are named") {
  Told next(chapter);
  Rng rng(1);
  const auto beamed = [&](const BeamOptions& o) { return refusal<ConfigError>([&] { beam_search(next, o); }); };
  const auto drawn = [&](const SampleOptions& o) { return refusal<ConfigError>([&] { sample(next, o, rng); }); };
  CHECK(beamed({.k = 0}) == "beam search: k is a whole number from 1 to 10000, not 0");
  CHECK(beamed({.k = 10001}).find("not 10001") != std::string::npos);
  CHECK(beamed({.alpha = -1}).find("alpha") != std::string::npos);
  CHECK(beamed({.alpha = NAN}).find("alpha") != std::string::npos);
  CHECK(beamed({.steps = 0}).find("steps") != std::string::npos);
  CHECK(drawn({.temperature = 0}) == "sampling: temperature is a number above 0");
  CHECK(drawn({.temperature = INFINITY}).find("temperature") != std::string::npos);
  CHECK(drawn({.steps = 0}).find("steps") != std::string::npos);
  for (const auto& answer : {std::vector<double>{}, std::vector<double>{NAN}, std::vector<double>{2.0}}) {
    Told wrong([&](const Prefix&) { return answer; });
    CHECK(refusal<Error>([&] { beam_search(wrong, {}); }).find("no log-probabilities") != std::string::npos);
  }
  Told nothing([](const Prefix&) { return std::vector<double>(4, 0.0); });
  CHECK(refusal<Error>([&] { beam_search(nothing, {}); }) == "search: no word can come first");
  CHECK(refusal<Error>([&] { sample(nothing, {}, rng); }) == "search: no word can come first");
}
