#include "graph/graph.hpp"

#include <algorithm>

#include "graph/edit.hpp"
#include "kernels/reduce.hpp"

namespace attn {

Tensor& Node::gradient_sum() {
  if (!gradient) gradient = Tensor::zeros(value.shape());
  if (!gradient.unique()) gradient = gradient.copy();
  return gradient;
}

void Node::add_gradient(const Tensor& share) {
  if (!needs_gradient) return;
  if (!gradient)
    gradient = share;  // copied only if a second share comes
  else
    kernels::add_to(share.data(), gradient_sum().data(), share.size());
}

Expr Node::ref(const Cell& cell) const {
  Expr e = expr::constant(value.at(cell));
  e.kind = Expr::Kind::ref;
  e.node = id;
  e.cell = cell;
  return e;
}

Expr Node::gradient_ref(const Cell& cell) const {
  Expr e = ref(cell);
  e.gradient = true;
  e.value = gradient ? gradient.at(cell) : 0.0;
  return e;
}

void Parameter::add_gradient(const Tensor& share) {
  if (!gradient)
    gradient = share.unique() ? share : share.copy();
  else
    kernels::add_to(share.data(), gradient.data(), share.size());
}

namespace {

void rename(Expr& e, const std::map<std::string, std::string>& names) {
  if (e.kind == Expr::Kind::name)
    if (const auto found = names.find(e.symbol); found != names.end()) e.symbol = found->second;
  for (Expr& part : e.of) rename(part, names);
}

/// Moves a share's parts to those of the shares before it. Where two consumers name a part alike ("mean"), the later one
/// becomes "mean (2)", also where its share uses it.
void move_parts(Explanation& share, std::vector<Explanation::Part>& to) {
  const auto taken = [&to](const std::string& name) {
    return std::ranges::find(to, name, &Explanation::Part::name) != to.end();
  };
  std::map<std::string, std::string> names;
  for (Explanation::Part& part : share.where) {
    rename(part.expr, names);
    std::string name = part.name;
    for (int n = 2; taken(name); ++n) name = part.name + " (" + std::to_string(n) + ")";
    if (name != part.name) names[part.name] = name;
    to.push_back({std::move(name), std::move(part.expr)});
  }
  rename(share.expr, names);
}

}  // namespace

Graph::~Graph() { clear(); }

Var Graph::add_node(NodePtr node) {
  node->graph = this;
  if (options_.record != Record::nothing) {
    node->id = static_cast<int>(nodes_.size());
    nodes_.push_back(node);
  }
  return Var(std::move(node));
}

Var Graph::constant(Tensor value) {
  auto node = std::allocate_shared<Node>(Recycled<Node>());
  node->kind = Node::Kind::input;
  node->value = std::move(value);
  return add_node(std::move(node));
}

Var Graph::input(std::string_view name, const Axes& axes, Tensor value, bool needs_gradient) {
  Var var = constant(std::move(value));
  var.node().needs_gradient = needs_gradient;
  return this->name(var, name, axes);
}

Var Graph::parameter(Parameter& parameter) {
  if (const auto known = parameters_.find(&parameter); known != parameters_.end()) return known->second;
  auto node = std::allocate_shared<Node>(Recycled<Node>());
  node->kind = Node::Kind::parameter;
  node->value = parameter.value;
  node->parameter = &parameter;
  node->needs_gradient = options_.record != Record::nothing;
  if (naming()) node->name = parameter.name;
  const Var leaf = add_node(std::move(node));
  const Var out = apply_edits(leaf, parameter.name);
  if (out.ptr() != leaf.ptr()) leaf.node().name.clear();  // the step of that name is the edited one
  return parameters_[&parameter] = out;
}

Var Graph::make(std::unique_ptr<Op> op, const Vars& inputs, Tensor value) {
  auto node = std::allocate_shared<Node>(Recycled<Node>());
  node->value = std::move(value);
  node->op = std::move(op);
  if (options_.record != Record::nothing)
    for (const Var& input : inputs) {
      node->needs_gradient |= input.node().needs_gradient;
      node->inputs.push_back(input.ptr());
    }
  if (options_.record == Record::backward && !node->needs_gradient) node->inputs.clear();
  return add_node(std::move(node));
}

Var Graph::name(const Var& var, std::string_view name, Axes axes) {
  if (!naming()) return var;
  const std::string full = full_name(name);
  const Var out = apply_edits(var, full);
  Node& node = out.node();
  node.name = full;
  node.axes = std::move(axes);
  node.loop_axis = loop_axis_;
  node.turn = turn_;
  return out;
}

Var Graph::apply_edits(const Var& var, const std::string& name) {
  if (options_.edits == nullptr) return var;
  const auto [first, last] = options_.edits->equal_range(name);
  std::vector<const Edit*> mine;
  for (auto it = first; it != last; ++it)
    if (it->second.turn < 0 || it->second.turn == turn_) mine.push_back(&it->second);
  return mine.empty() ? var : edited(var, name, mine);
}

Graph::Scope::Scope(Graph& graph, std::string_view part) : graph_(graph), length_(graph.scope_.size()) {
  graph_.scope_.append(part).append(".");
}
Graph::Scope::~Scope() { graph_.scope_.resize(length_); }

Graph::Turn::Turn(Graph& graph, std::string_view axis, int turn)
    : graph_(graph),
      outer_axis_(std::exchange(graph.loop_axis_, axis)),
      outer_turn_(std::exchange(graph.turn_, turn)) {}
Graph::Turn::~Turn() {
  graph_.loop_axis_ = outer_axis_;
  graph_.turn_ = outer_turn_;
}

void Graph::backward(const Var& of, float seed, const Cell& cell) {
  if (options_.record == Record::nothing) throw Error("backward: this graph has recorded nothing");
  if (released_)
    throw Error("backward: this graph was released by a pass before; only one that records all goes twice");
  if (cell.empty() && of.value().size() != 1)
    throw ShapeError("backward: starts from one number; name a cell of a tensor of shape " + of.shape().str());
  for (const NodePtr& node : nodes_) node->gradient = {};
  seed_cell_ = cell.empty() ? cell_at(of.shape(), 0) : cell;
  seed_ = seed;
  seeded_ = of.node().id;
  Tensor& start = of.node().gradient_sum();
  start.data()[of.value().offset(seed_cell_)] = seed;
  released_ = options_.record == Record::backward;
  run_backward(static_cast<std::size_t>(seeded_));
}

void Graph::run_backward(std::size_t from) {
  for (std::size_t i = from + 1; i-- > 0;) {
    Node& node = *nodes_[i];
    if (!node.gradient || !node.needs_gradient) continue;
    if (node.op) node.op->backward(node);
    if (options_.record == Record::backward) {  // nothing that comes earlier needs it any more
      if (node.parameter) node.parameter->add_gradient(node.gradient);
      node.gradient = {};
      node.inputs.clear();
      node.op.reset();
    }
  }
}

Explanation Graph::explain(const Node& node, const Cell& cell) const {
  node.value.offset(cell);  // throws for a cell outside
  return node.op ? node.op->explain(node, cell) : Explanation(node.ref(cell));
}

Explanation Graph::explain_gradient(const Node& node, const Cell& cell) const {
  node.value.offset(cell);
  Explanation out;
  std::vector<Expr> shares;
  if (node.id == seeded_ && cell == seed_cell_) shares.push_back(expr::constant(seed_));
  for (const NodePtr& consumer : nodes_)
    for (std::size_t i = 0; i < consumer->inputs.size(); ++i) {
      if (consumer->inputs[i].get() != &node || !consumer->gradient) continue;
      if (!node.needs_gradient) continue;  // an id, a length, a target: its consumers have no share for it
      Explanation share = consumer->op->explain_gradient(*consumer, i, cell);
      move_parts(share, out.where);
      shares.push_back(expr::via(consumer->id, std::move(share.expr)));
    }
  out.expr = shares.empty() ? expr::constant(0.0) : expr::add(std::move(shares));
  return out;
}

void Graph::clear() {
  // From the last to the first, each letting go of its inputs: a long chain is then never released by recursion, not even
  // by a handle that outlives the graph.
  parameters_.clear();
  while (!nodes_.empty()) {
    nodes_.back()->inputs.clear();
    nodes_.pop_back();
  }
  scope_.clear();
  released_ = false;
  seeded_ = -1;
}

}  // namespace attn
