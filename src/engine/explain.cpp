#include "engine/explain.hpp"

#include <algorithm>
#include <cmath>

#include "graph/edit.hpp"

namespace attn::engine {
namespace {

/// A number that unnamed nodes only moved is shown where it came from.
const Node* follow(const Graph& graph, const Node* node, Cell& cell) {
  for (const Node* from = node; from != nullptr; from = node->name.empty() ? moved_from(graph, *node, cell) : nullptr)
    node = from;
  return node;
}

void add_place(Json& out, const Node& node) {
  out["node"] = node.id;
  if (!node.name.empty()) out["step"] = node.name;
  if (node.turn >= 0) out["time"] = node.turn;
}

Json to_json(const Graph& graph, const Expr& e) {
  Json out = {{"op", to_string(e.kind)}, {"value", e.value}};
  switch (e.kind) {
    case Expr::Kind::ref: {
      Cell cell = e.cell;
      const Node* node = graph.nodes()[static_cast<std::size_t>(e.node)].get();
      if (!e.gradient) node = follow(graph, node, cell);
      add_place(out, *node);
      out["cell"] = cell;
      if (e.gradient) out["gradient"] = true;
      return out;
    }
    case Expr::Kind::constant:
      if (!e.symbol.empty()) out["symbol"] = e.symbol;
      return out;
    case Expr::Kind::name:
      out["name"] = e.symbol;
      return out;
    case Expr::Kind::via:
      add_place(out, *graph.nodes()[static_cast<std::size_t>(e.node)]);
      break;
    default:
      break;
  }
  out["of"] = Json::array();
  for (const Expr& part : e.of) out["of"].push_back(to_json(graph, part));
  return out;
}

const char* kind_name(const Node& node, const Cell& cell) {
  if (is_edited(node, cell)) return "edited";
  switch (node.kind) {
    case Node::Kind::input:
      return "input";
    case Node::Kind::parameter:
      return "parameter";
    default:
      return "computed";
  }
}

}  // namespace

const Node* moved_from(const Graph& graph, const Node& node, Cell& cell) {
  if (!node.op) return nullptr;
  const Explanation why = graph.explain(node, cell);
  if (why.expr.kind != Expr::Kind::ref || why.expr.gradient || !why.where.empty()) return nullptr;
  cell = why.expr.cell;
  return graph.nodes()[static_cast<std::size_t>(why.expr.node)].get();
}

const Node* maker(const Graph& graph, const Node& step, Cell& cell) {
  Cell at = cell;
  const Node* from = moved_from(graph, step, at);
  if (from == nullptr || !from->name.empty() || !from->op) return &step;
  from = follow(graph, from, at);
  if (!from->name.empty() || !from->op) return &step;
  cell = at;
  return from;
}

std::string op_name(const Graph& graph, const Node& node) {
  // An edited step keeps the name of the op whose result was changed.
  if (is_edited(node)) return op_name(graph, *node.inputs[0]);
  Cell first(node.value.rank(), 0);
  const Node* by = maker(graph, node, first);
  if (by->op) return by->op->name();
  return by->kind == Node::Kind::parameter ? "parameter" : "input";
}

std::pair<const Node*, Cell> locate(const std::vector<Step>& steps, const Graph& graph, const Json& request) {
  Cell cell = request.at("cell").get<Cell>();
  if (request.contains("node")) {
    const int id = request["node"].get<int>();
    if (id < 0 || id >= static_cast<int>(graph.nodes().size()))
      throw ConfigError("explain: this run has no node " + std::to_string(id));
    return {graph.nodes()[static_cast<std::size_t>(id)].get(), cell};
  }
  const auto name = request.at("step").get<std::string>();
  const auto step = std::ranges::find(steps, name, &Step::name);
  if (step == steps.end()) throw ConfigError("explain: this run has no step \"" + name + "\"");
  if (!step->stacked) return {step->nodes.back(), cell};
  if (cell.empty() || cell[0] >= step->nodes.size())
    throw ShapeError("explain: " + name + " has shape " + step->shape().str() + "; the cell lies outside");
  return {step->nodes[cell[0]], Cell(cell.begin() + 1, cell.end())};
}

Json explanation_json(const Graph& graph, const Node& node, const Cell& cell, bool gradient,
                      const models::Result& result) {
  if (!graph.recording()) throw ConfigError("explain: this run recorded nothing; ask for steps with `want`");
  const float stored = gradient ? (node.gradient ? node.gradient.at(cell) : 0.0F) : node.value.at(cell);
  Step as_step{node.name, {&node}, false};
  const char* kind = gradient ? "computed" : kind_name(node, cell);
  Json out = {{"op", op_name(graph, node)},
              {"cell", cell},
              {"gradient", gradient},
              {"stored", stored},
              {"kind", kind},
              {"axes", axes_json(node.name, as_step.axes(), node.value.shape(), result)},
              {"where", Json::array()}};
  add_place(out, node);
  if (std::string_view(kind) != "computed") return out;
  Cell made = cell;
  const Node* by = gradient ? &node : maker(graph, node, made);
  const Explanation why = gradient ? graph.explain_gradient(node, cell) : graph.explain(*by, made);
  for (const auto& part : why.where) out["where"].push_back({{"name", part.name}, {"expr", to_json(graph, part.expr)}});
  out["expr"] = to_json(graph, why.expr);
  return out;
}

namespace {

/// A number as it was typed, and what its last digit stands for: 0.25 and 0.01.
struct Typed {
  double value, unit;
};

Typed read_guess(const std::string& guess) {
  std::size_t read = 0;
  double value = 0.0;
  try {
    value = std::stod(guess, &read);
  } catch (const std::exception&) {
    read = 0;
  }
  if (read == 0 || read != guess.size() || !std::isfinite(value))
    throw ConfigError("guess: \"" + guess + "\" is no number");
  const std::size_t exponent = guess.find_first_of("eE"), point = guess.find('.');
  const std::size_t digits_end = std::min(exponent, guess.size());
  const int decimals = point < digits_end ? static_cast<int>(digits_end - point) - 1 : 0;
  const int power = exponent < guess.size() ? std::stoi(guess.substr(exponent + 1)) : 0;
  return {value, std::pow(10.0, power - decimals)};
}

bool is_right(const Typed& typed, double stored) {
  constexpr double kHalf = 0.5 * (1.0 + 1e-9);  // a tie may be rounded either way
  constexpr double kFloat = 1e-6;               // what float32 leaves of a sum that should be a round number
  const double off = std::abs(typed.value - stored);
  if (off > kHalf * typed.unit + kFloat * std::abs(stored)) return false;
  if (typed.value == 0.0) return std::abs(stored) <= kFloat || typed.unit < 0.05;
  return off <= 0.05 * std::abs(typed.value) * (1.0 + 1e-9);
}

}  // namespace

Json marked(const std::string& guess, double stored) {
  const Typed typed = read_guess(guess);
  return {{"right", is_right(typed, stored)}, {"off", typed.value - stored}};
}

}  // namespace attn::engine
