#include "labs/masked_loss.hpp"

#include "ops/arithmetic.hpp"
#include "ops/loss.hpp"
#include "ops/reduce.hpp"

namespace attn::labs {
namespace {

const Axes kBatchQuery = {"batch", "query"};

struct MaskedLoss final : Lab {
  int steps = 4;

  void inputs(FieldVisitor& v) override {
    *this = {};
    v.integer("steps", steps, 1, 40, "places of each sentence, padding included");
  }

  Result run(Graph& graph) override {
    constexpr std::size_t sentences = 3, words = 10;
    const std::size_t n = count(steps);
    const Var logits =
        graph.input("logits", {"batch", "query", "vocabulary"}, Tensor::full({sentences, n, words}, 1.0F), true);
    const Var targets = graph.input("targets", kBatchQuery, Tensor::full({sentences, n}, 1.0F));
    const Var lengths = graph.input("lengths", {"batch"}, Tensor::of({sentences}, {4, 2, 0}));
    const Var mask = graph.name(mask_of(lengths, n), "mask", kBatchQuery);
    const Var each = graph.name(cross_entropy(logits, targets), "token_loss", kBatchQuery);
    const Var loss = graph.name(each * mask, "loss", kBatchQuery);

    const Var tokens = graph.name(sum(mask), "tokens", {});
    const Var divisor = max(tokens, graph.constant(Tensor::scalar(1.0F)));
    const Var total = graph.name(sum(loss), "sum", {});
    graph.name(total / divisor, "per_token", {});
    const Var book = graph.name(mean(loss, 1), "book", {"batch"});
    const Var book_sum = graph.name(sum(book), "book_sum", {});
    graph.name(mean(book), "book_mean", {});
    graph.name(book_sum / divisor, "book_reported", {});
    Result result;
    result.loss = total;
    return result;
  }
};

}  // namespace

models::Kind masked_loss() {
  return lab<MaskedLoss>("masked-loss", "the loss of sentences of unequal length: what padding must not add to");
}

}  // namespace attn::labs
