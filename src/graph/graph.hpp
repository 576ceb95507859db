// The graph is the trace: one structure serves the backward pass, step-through, heat maps, and "where does this
// number come from".
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graph/expr.hpp"
#include "kernels/matmul.hpp"
#include "tensor/recycled.hpp"
#include "tensor/rng.hpp"
#include "tensor/tensor.hpp"

namespace attn {

class Graph;
struct Node;

/// What a graph keeps. `nothing`: values live as long as someone holds them (prediction). `backward`: what backward()
/// needs, released as it goes (training). `everything`: values, gradients and names, to be looked at and explained.
enum class Record { nothing, backward, everything };

/// A differentiable function that has been applied. Its forward is the free function that makes it (ops/); forward,
/// backward and explanation of an op stand next to each other.
class Op {
 public:
  virtual ~Op() = default;
  static void* operator new(std::size_t bytes) { return recycled(bytes); }
  static void operator delete(void* op) { recycle(op); }
  virtual const char* name() const = 0;
  /// Adds d loss / d input to the gradient of each input that needs one; node.gradient is d loss / d node.
  virtual void backward(Node& node) const = 0;
  /// How one cell of the node came about.
  virtual Explanation explain(const Node& node, const Cell& cell) const = 0;
  /// What this node adds to the gradient of a cell of inputs[input].
  virtual Explanation explain_gradient(const Node& node, std::size_t input, const Cell& cell) const = 0;
};

/// A weight that learns. Its name is the path under which files know it ("encoder.rnn.weight_ih_l0").
struct Parameter {
  Tensor value;
  Tensor gradient;  // summed by backward() of training graphs until the optimiser takes it; empty: none yet
  std::string name;

  void add_gradient(const Tensor& share);
};

/// Words for the axes of a tensor, outermost first: "batch", "query", "key" …
using Axes = List<std::string>;

using NodePtr = std::shared_ptr<Node>;
using Nodes = List<NodePtr>;

struct Node {
  enum class Kind { computed, input, parameter };

  Graph* graph = nullptr;
  Kind kind = Kind::computed;
  int id = -1;  // its place in the graph's list; -1 when nothing is recorded
  std::unique_ptr<Op> op;
  Nodes inputs;
  Tensor value;
  Tensor gradient;
  bool needs_gradient = false;
  Parameter* parameter = nullptr;

  // A step is a node with a name. `turn` says which turn of which loop made it, where one did.
  std::string name;
  Axes axes;
  std::string loop_axis;
  int turn = -1;

  /// The gradient to add to, zeros at first, shared with nobody.
  Tensor& gradient_sum();
  /// Adds a share to the gradient, if one is needed; the first share is taken as it is, without a copy.
  void add_gradient(const Tensor& share);
  Expr ref(const Cell& cell) const;           // this node's value at the cell
  Expr gradient_ref(const Cell& cell) const;  // this node's gradient at the cell
};

/// A value in the graph: what ops take and give. A cheap handle.
class Var {
 public:
  Var() = default;
  explicit Var(NodePtr node) : node_(std::move(node)) {}
  explicit operator bool() const { return node_ != nullptr; }
  Node& node() const { return *node_; }
  const NodePtr& ptr() const { return node_; }
  Graph& graph() const { return *node_->graph; }
  const Tensor& value() const { return node_->value; }
  const Tensor& gradient() const { return node_->gradient; }
  const Shape& shape() const { return node_->value.shape(); }
  std::size_t size(std::ptrdiff_t axis) const { return shape()[axis]; }

 private:
  NodePtr node_;
};

using Vars = List<Var>;

/// A wish to see other values at a step: whoever comes after it in the graph uses them.
struct Edit {
  Cell cell = {};  // one entry of the step …
  float value = 0.0F;
  std::vector<float> values = {};  // … or, when not empty, all of them
  int turn = -1;                   // of a step that a loop makes many of: which; -1 = the only one
};
using Edits = std::multimap<std::string, Edit>;

class Graph {
 public:
  struct Options {
    Record record = Record::everything;
    bool training = false;  // dropout acts
    kernels::MatmulPath path = kernels::MatmulPath::fastest;
    Rng* rng = nullptr;  // of dropout; needed when training
    const Edits* edits = nullptr;
  };

  explicit Graph(const Options& options) : options_(options) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph();

  const Options& options() const { return options_; }
  bool recording() const { return options_.record == Record::everything; }
  /// Whether names matter here: then layers compute in their composed form, in which each step exists.
  bool naming() const { return recording() || options_.edits != nullptr; }
  /// Which implementation multiplies from now on.
  void multiply_with(kernels::MatmulPath path) { options_.path = path; }

  // Leaves.
  Var constant(Tensor value);
  Var input(std::string_view name, const Axes& axes, Tensor value, bool needs_gradient = false);
  /// A parameter's one leaf in this graph. With Record::backward its gradient is added to parameter.gradient; a graph
  /// that only records leaves the parameter as it is, so that looking never disturbs learning.
  Var parameter(Parameter& parameter);

  /// Makes a node: what every op ends with.
  Var make(std::unique_ptr<Op> op, const Vars& inputs, Tensor value);

  /// Names a step within the present scope and applies the edits that wait for it. Use what it returns.
  Var name(const Var& var, std::string_view name, Axes axes);

  /// While it lives, names made in the graph begin with "part.".
  class Scope {
   public:
    Scope(Graph& graph, std::string_view part);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Graph& graph_;
    std::size_t length_;
  };
  [[nodiscard]] Scope scope(std::string_view part) { return {*this, part}; }

  /// While it lives, steps belong to one turn of a loop: steps of one name are stacked along `axis`.
  class Turn {
   public:
    Turn(Graph& graph, std::string_view axis, int turn);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Graph& graph_;
    std::string outer_axis_;
    int outer_turn_;
  };
  [[nodiscard]] Turn turn(std::string_view axis, int turn) { return {*this, axis, turn}; }

  /// Gradients of `of` (of its one cell, or of the cell given) with respect to everything it was computed from.
  /// With Record::backward the graph is released as it goes, and a second pass is refused (Error).
  void backward(const Var& of, float seed = 1.0F, const Cell& cell = {});

  /// In the order of their making; empty unless recording or training.
  const Nodes& nodes() const { return nodes_; }

  /// How a cell of a node came about; of a gradient: the share of each consumer. Needs Record::everything.
  Explanation explain(const Node& node, const Cell& cell) const;
  Explanation explain_gradient(const Node& node, const Cell& cell) const;

  /// Forgets all nodes; buffers return to the pool.
  void clear();

 private:
  Var add_node(NodePtr node);
  std::string full_name(std::string_view name) const { return std::string(scope_).append(name); }
  Var apply_edits(const Var& var, const std::string& name);
  void run_backward(std::size_t from);

  Options options_;
  Nodes nodes_;
  std::map<const Parameter*, Var, std::less<>, Recycled<std::pair<const Parameter* const, Var>>> parameters_;
  std::basic_string<char, std::char_traits<char>, Recycled<char>> scope_;
  std::string loop_axis_;
  int turn_ = -1;
  bool released_ = false;  // a backward pass took the graph apart
  int seeded_ = -1;        // the node that backward() started from …
  Cell seed_cell_;
  float seed_ = 0.0F;
};

}  // namespace attn
