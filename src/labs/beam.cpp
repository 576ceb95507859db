#include "labs/beam.hpp"

#include <algorithm>
#include <cmath>

#include "ops/arithmetic.hpp"
#include "ops/functions.hpp"
#include "ops/layout.hpp"
#include "ops/reduce.hpp"
#include "text/preprocess.hpp"
#include "text/search.hpp"

namespace attn::labs {
namespace {

Var number(Graph& graph, double value) { return graph.constant(Tensor::scalar(static_cast<float>(value))); }

/// Tables of probabilities as the search and the graph see them.
class Tables : public text::NextWord {
 public:
  /// Where the probabilities of the word behind a prefix stand: a row of a table.
  virtual Var row(std::span<const int> prefix) const = 0;
  std::vector<double> after(std::span<const int> prefix) override {
    std::vector<double> out;
    for (const float p : row(prefix).value().values()) {
      if (!(p >= 0.0F && p <= 1.0F)) throw DataError("beam: " + std::to_string(p) + " is no probability");
      out.push_back(std::log(static_cast<double>(p)));
    }
    return out;
  }
};

class FourSteps final : public Tables {
 public:
  static constexpr int kEnd = 3;
  explicit FourSteps(Graph& graph)
      : table_(graph.input(
            "table_unless_C", {"time", "word"},
            Tensor::of({4, 4}, {.5F, .2F, .2F, .1F, .1F, .4F, .3F, .2F, .2F, .2F, .4F, .2F, 0, .2F, .2F, .6F}))),
        after_c_(graph.input(
            "table_after_C", {"time", "word"},
            Tensor::of({4, 4}, {.5F, .2F, .2F, .1F, .1F, .4F, .3F, .2F, .1F, .6F, .2F, .1F, .1F, .2F, .1F, .6F}))) {}
  Var row(std::span<const int> prefix) const override {
    const bool second_is_c = prefix.size() > 1 && prefix[1] == 2;
    return select(second_is_c ? after_c_ : table_, 0, prefix.size());
  }

 private:
  Var table_, after_c_;
};

class FiveWords final : public Tables {
 public:
  explicit FiveWords(Graph& graph)
      : first_(graph.input("first", {"word"}, Tensor::of({5}, {.4F, .1F, .3F, .1F, .1F}))),
        next_(graph.input("next", {"from", "word"},
                          Tensor::of({5, 5}, {.1F, .5F, .1F, .2F, .1F, .1F, .1F, .1F, .5F, .2F, .1F, .1F, .1F,
                                              .1F, .6F, .2F, .2F, .2F, .2F, .2F, .1F, .1F, .1F, .6F, .1F}))) {}
  Var row(std::span<const int> prefix) const override {
    return prefix.empty() ? first_ : select(next_, 0, static_cast<std::size_t>(prefix.back()));
  }

 private:
  Var first_, next_;
};

/// total / length^α. Records: divisor, score.
Var score(const Var& total, const Var& length, double alpha, const Axes& axes) {
  Graph& graph = total.graph();
  const Var divisor = graph.name(pow(length, number(graph, alpha)), "divisor", axes);
  return graph.name(total / divisor, "score", axes);
}

struct Beam final : Lab {
  std::string tables = "four-steps";
  int beam = 2;
  double alpha = 0.75;
  bool all_prefixes = false;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.choice("tables", tables, {"four-steps", "five-words"}, "A B C eos over four steps, or A to E over three");
    v.integer("beam", beam, 1, 50, "sequences that go on at each step; 1 is greedy search");
    v.number("alpha", alpha, 0.0, 3.0, "scores are divided by length^alpha");
    v.boolean("all_prefixes", all_prefixes, "every prefix that went on competes, not the finished ones alone");
  }

  bool four() const { return tables == "four-steps"; }
  std::string word(int id) const {
    static const char* const kFour[] = {"A", "B", "C", "eos"};
    static const char* const kFive[] = {"A", "B", "C", "D", "E"};
    return four() ? kFour[id] : kFive[id];
  }
  std::string sentence(const std::vector<int>& ids) const {
    std::string out;
    for (const int id : ids) out.append(out.empty() ? "" : " ").append(word(id));
    return out;
  }

  /// Records: what Records says of a sequence.
  void show(Graph& graph, const char* name, const Tables& from, const std::vector<int>& ids) const {
    const auto scope = graph.scope(name);
    Vars chosen;
    for (std::size_t t = 0; t < ids.size(); ++t)
      chosen.push_back(select(from.row(std::span(ids).first(t)), 0, static_cast<std::size_t>(ids[t])));
    const Var probability = graph.name(stack(chosen, 0), "probability", {"time"});
    const Var log_p = graph.name(log(probability), "log_p", {"time"});
    const Var total = graph.name(sum(log_p), "total", {});
    graph.name(exp(total), "product", {});
    score(total, number(graph, static_cast<double>(ids.size())), alpha, {});
  }

  text::Searched search(Tables& from, std::size_t k, bool prefixes) const {
    return text::beam_search(from, {.k = k,
                                    .alpha = alpha,
                                    .steps = four() ? 4U : 3U,
                                    .end = four() ? FourSteps::kEnd : -1,
                                    .prefixes = prefixes,
                                    .shown = 0});
  }

  std::unique_ptr<Tables> make_tables(Graph& graph) const {
    if (four()) return std::make_unique<FourSteps>(graph);
    return std::make_unique<FiveWords>(graph);
  }

  /// The search as the translators tell theirs.
  models::Translation told(const text::Searched& found) const {
    models::Translation out;
    for (const text::Written& w : found.candidates)
      out.hypotheses.push_back({sentence(w.ids), w.total, w.score, w.ended});
    for (const auto& step : found.tree) {
      auto& words = out.tree.emplace_back();
      for (const text::Candidate& c : step) words.push_back({c, word(c.id)});
    }
    out.text = sentence(found.best.ids);
    out.ended = found.best.ended;
    return out;
  }

  Result run(Graph& graph) override {
    const std::unique_ptr<Tables> from = make_tables(graph);
    show(graph, "greedy", *from, search(*from, 1, false).best.ids);
    const text::Searched found = search(*from, count(beam), all_prefixes);
    models::Labels labels{"candidate", "candidate", {}};
    for (std::size_t i = 0; i < found.candidates.size(); ++i) {
      const auto turn = graph.turn("candidate", static_cast<int>(i));
      show(graph, "candidate", *from, found.candidates[i].ids);
      labels.words.push_back(sentence(found.candidates[i].ids));
    }
    std::vector<std::string> words;
    for (int id = 0; id < (four() ? 4 : 5); ++id) words.push_back(word(id));
    Result result;
    result.translation = told(found);
    result.labels = {std::move(labels), {"", "word", words}, {"", "from", words}};
    return result;
  }
};

struct LengthPenalty final : Lab {
  double alpha = 0.75;
  int vocabulary = 10000, steps = 10, beam = 2;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.number("alpha", alpha, 0.0, 3.0, "scores are divided by length^alpha");
    v.integer("vocabulary", vocabulary, 2, 1000000, "words to choose from");
    v.integer("steps", steps, 1, 100, "words of a sequence");
    v.integer("beam", beam, 1, 100, "sequences that go on");
  }

  Result run(Graph& graph) override {
    const Axes axes = {"candidate"};
    const Var total = graph.input("total", axes, Tensor::of({2}, {-2, -3}), true);
    const Var length = graph.input("length", axes, Tensor::of({2}, {2, 4}));
    const Var scores = score(total, length, alpha, axes);
    graph.name(step(select(scores, 0, 1) - select(scores, 0, 0)), "best", {});
    const double words = std::log10(static_cast<double>(vocabulary));
    graph.name(scale(number(graph, words), static_cast<float>(steps), "steps"), "cost.exhaustive", {});
    const Var greedy = number(graph, words) + number(graph, std::log10(static_cast<double>(steps)));
    graph.name(greedy, "cost.greedy", {});
    graph.name(greedy + number(graph, std::log10(static_cast<double>(beam))), "cost.beam", {});
    return {};
  }
};

struct Bleu final : Lab {
  std::string prediction = "il est riche .", label = "il est calme .";
  int k = 2;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.text("prediction", prediction, "what was written");
    v.text("label", label, "what it is compared with");
    v.integer("k", k, 1, 8, "n-grams of 1 to k words");
  }

  static text::Tokens words_of(const std::string& text) {
    return text::split(text::preprocess(text::preprocess_typed(text)));
  }

  static std::vector<std::string> ngrams(const text::Tokens& words, std::size_t n) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i + n <= words.size(); ++i) {
      std::string joined = words[i];
      for (std::size_t j = 1; j < n; ++j) joined += " " + words[i + j];
      out.push_back(std::move(joined));
    }
    return out;
  }

  /// 1 for each that finds a partner which no one before it took.
  static std::vector<double> partners(const std::vector<std::string>& mine, std::vector<std::string> theirs) {
    std::vector<double> out;
    for (const std::string& ngram : mine) {
      const auto found = std::ranges::find(theirs, ngram);
      out.push_back(found == theirs.end() ? 0.0 : 1.0);
      if (found != theirs.end()) theirs.erase(found);
    }
    return out;
  }

  /// precision^(1/2ⁿ). Records: what Records says with <n>.
  static Var factor(Graph& graph, const std::vector<std::string>& mine, const std::vector<std::string>& theirs, int n) {
    const auto name = [n](const char* what) { return std::string(what) + "." + std::to_string(n); };
    const Var matches = graph.input(name("matches"), {"ngram"}, row_of(partners(mine, theirs)));
    const Var matched = graph.name(sum(matches), name("matched"), {});
    const Var precision = graph.name(matched / number(graph, static_cast<double>(mine.size())), name("precision"), {});
    const Var weight = graph.name(pow(number(graph, 0.5), number(graph, n)), name("weight"), {});
    return graph.name(pow(precision, weight), name("factor"), {});
  }

  Result run(Graph& graph) override {
    const text::Tokens mine = words_of(prediction), theirs = words_of(label);
    const Var words = graph.input("words.prediction", {}, Tensor::scalar(static_cast<float>(mine.size())));
    const Var wanted = graph.input("words.label", {}, Tensor::scalar(static_cast<float>(theirs.size())));
    if (mine.empty()) {
      graph.input("bleu", {}, Tensor::scalar(0.0F));
      return {};
    }
    const Var ratio = graph.name(wanted / words, "ratio", {});
    Var score = graph.name(exp(min(number(graph, 0.0), number(graph, 1.0) - ratio)), "penalty", {});
    Result result;
    for (int n = 1; n <= k && count(n) <= mine.size(); ++n) {
      const std::vector<std::string> ngrams_of_mine = ngrams(mine, count(n));
      score = score * factor(graph, ngrams_of_mine, ngrams(theirs, count(n)), n);
      result.labels.push_back({"matches." + std::to_string(n), "ngram", ngrams_of_mine});
    }
    graph.name(score, "bleu", {});
    return result;
  }
};

}  // namespace

models::Kind beam() { return lab<Beam>("beam", "beam search on small tables, as a tree; the length penalty"); }
models::Kind length_penalty() {
  return lab<LengthPenalty>("length-penalty", "what dividing by length^alpha does, and what searching costs");
}
models::Kind bleu() { return lab<Bleu>("bleu", "BLEU, n-gram by n-gram"); }

}  // namespace attn::labs
