#include "labs/alignment.hpp"

#include "ops/arithmetic.hpp"
#include "ops/functions.hpp"
#include "ops/layout.hpp"
#include "ops/matmul.hpp"
#include "ops/reduce.hpp"
#include "ops/softmax.hpp"

namespace attn::labs {
namespace {

const std::vector<std::string> kEnglish = {"a", "red", "car", "stops", ".", "<eos>"};
const std::vector<std::string> kFrench = {"une", "voiture", "rouge", "s'arrête", ".", "<eos>"};
constexpr std::size_t kComesFrom[] = {0, 2, 1, 3, 4, 5};  // of each French word
constexpr std::size_t kWords = 6;

struct Alignment final : Lab {
  double width = 0.5;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.number("width", width, 0.1, 3.0, "how far around its centre the window looks");
  }

  static void find(const Var& scores, const Var& wanted) {
    Graph& graph = scores.graph();
    const Var weights = graph.name(softmax(scores), "weights", kQueryKey);
    const Var found = graph.name(sum(weights * wanted, -1), "found", {"query"});
    graph.name(sum(found), "total", {});
  }

  /// The sum of all moves so far: the row of each word has ones up to it.
  static Var so_far(const Var& moves) {
    Tensor before = Tensor::zeros({kWords, kWords});
    for (std::size_t i = 0; i < kWords; ++i) std::fill_n(before.data() + i * kWords, i + 1, 1.0F);
    return matmul(moves.graph().constant(before), reshape(moves, {kWords, 1}));
  }

  void monotone(Graph& graph, const Var& wanted) const {
    const auto scope = graph.scope("monotone");
    const Var advance = graph.input("advance", {"query"}, Tensor::of({kWords}, {0, 2, 0, 1, 1, 1}), true);
    const Var centre = graph.name(reshape(so_far(relu(advance)), {kWords}), "centre", {"query"});
    const Var distance = graph.constant(counting({kWords})) - reshape(centre, {kWords, 1});
    const Var u = scale(distance, static_cast<float>(1.0 / width), "1/width");
    find(graph.name(scale(square(u), -0.5F, "−1/2"), "scores", kQueryKey), wanted);
  }

  Result run(Graph& graph) override {
    Tensor right = Tensor::zeros({kWords, kWords});
    for (std::size_t i = 0; i < kWords; ++i) right.data()[i * kWords + kComesFrom[i]] = 1.0F;
    const Var wanted = graph.input("wanted", kQueryKey, right);
    monotone(graph, wanted);
    const auto scope = graph.scope("free");
    Tensor likely = right.copy();
    for (float& x : likely.mutable_values()) x *= 4.0F;
    find(graph.input("scores", kQueryKey, likely, true), wanted);
    Result result;
    result.labels = {{"", "query", kFrench}, {"", "key", kEnglish}};
    return result;
  }
};

}  // namespace

models::Kind alignment() {
  return lab<Alignment>("alignment", "two words change places: a window that only moves on, and scores for every pair");
}

}  // namespace attn::labs
