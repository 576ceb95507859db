// What holds for every lab.
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "labs/lab_run.hpp"
#include "support/explained.hpp"

using namespace attn;
using namespace attn::test;

namespace {

void for_each_lab(void (*f)(const std::string& lab, LabRun& run)) {
  for (const models::Kind& kind : engine::kinds()) {
    if (!kind.is_lab || kind.needs_pairs) continue;
    INFO(std::string(kind.name));
    LabRun run(kind.name);
    f(kind.name, run);
  }
}

std::vector<const Node*> named(const LabRun& run) {
  std::vector<const Node*> out;
  for (const NodePtr& node : run.graph->nodes())
    if (!node->name.empty()) out.push_back(node.get());
  return out;
}

}  // namespace

TEST_CASE("labs: untouched, each shows steps of finite numbers, each axis with a word") {
  for_each_lab([](const std::string&, LabRun& run) {
    CHECK(named(run).size() > 1);
    for (const Node* node : named(run)) {
      INFO(node->name, " ", node->value.shape().str());
      if (node->kind != Node::Kind::parameter) CHECK(node->axes.size() == node->value.rank());
      for (const float x : node->value.values()) CHECK(std::isfinite(x));
    }
  });
}

TEST_CASE("labs: no two steps have one name, unless a loop made them") {
  for_each_lab([](const std::string&, LabRun& run) {
    std::set<std::pair<std::string, int>> names;
    for (const Node* node : named(run)) CHECK_MESSAGE(names.emplace(node->name, node->turn).second, node->name);
  });
}

TEST_CASE("labs: every number is explained, and so is every gradient where a lab has a loss") {
  for_each_lab([](const std::string& lab, LabRun& run) {
    check_values_explained(*run.graph, 3, "lab explanations", lab);
    if (!run.result.loss) return;
    run.graph->backward(*run.result.loss);
    check_gradients_explained(*run.graph, 3, "lab explanations of gradients", lab);
  });
}

TEST_CASE("labs: run twice, the same numbers") {
  for_each_lab([](const std::string& lab, LabRun& run) {
    const LabRun again(lab);
    for (const Node* node : named(run))
      if (node->turn < 0 && node->name.find("milliseconds") == std::string::npos)
        CHECK(std::ranges::equal(node->value.values(), again[node->name].values()));
  });
}
