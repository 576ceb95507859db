#pragma once

#include "engine/json.hpp"
#include "graph/graph.hpp"

namespace attn::engine {

/// A named node, or all nodes of one name that the turns of a loop made, seen as one tensor with the loop's axis in front.
/// Where turns differ in shape (a growing cache), the smaller ones are padded with zeros.
struct Step {
  std::string name;
  std::vector<const Node*> nodes;
  bool stacked = false;

  Shape shape() const;
  Axes axes() const;
  void append_values(std::vector<float>& out) const { append(out, false); }
  void append_gradients(std::vector<float>& out) const { append(out, true); }
  /// Of weights: 1 for a cell that takes part, 0 for one that masked_softmax hid, or that a turn of a loop did not have yet.
  void append_mask(std::vector<float>& out) const;
  bool has_mask() const;
  bool has_gradient() const;
  bool edited() const;

 private:
  Shape node_shape() const;
  void append(std::vector<float>& out, bool gradient) const;
};

/// Words for the axes of a node; where nobody named them: "entry", "row" and "column", or their number.
Axes axes_of(const Node& node);

/// The steps of a recorded graph in the order in which they were first computed.
std::vector<Step> steps_of(const Graph& graph);

/// Whether a name is wanted: exactly, by "prefix*", or by "*".
bool wanted(const std::string& name, const std::vector<std::string>& want);

/// The words on an axis of a step, "<pad>" behind the last; none if it has none.
std::vector<std::string> labels_of(const std::string& step, const std::string& axis, std::size_t size,
                                   const models::Result& result);

/// Whether they are names that a page has words for.
bool named_labels(const std::string& step, const std::string& axis, std::size_t size, const models::Result& result);

/// Axes of a step as JSON: [{name, size, labels?, named?}].
Json axes_json(const std::string& step, const Axes& names, const Shape& shape, const models::Result& result);

}  // namespace attn::engine
