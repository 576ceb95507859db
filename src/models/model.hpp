// What the engine needs to know of a model or lab. A new one is a file pair and one line in engine/registry.cpp.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nn/module.hpp"
#include "text/pairs.hpp"
#include "text/search.hpp"
#include "text/vocabulary.hpp"
#include "train/trainer.hpp"

namespace attn::models {

/// Walks the fields of a config or of a run's inputs: one list serves defaults, checks, help, the shell's options and the
/// page's controls. A reader throws ConfigError naming the field and its range.
class FieldVisitor {
 public:
  virtual ~FieldVisitor() = default;
  virtual void integer(const char* name, int& value, int min, int max, const char* help) = 0;
  virtual void number(const char* name, double& value, double min, double max, const char* help) = 0;
  virtual void boolean(const char* name, bool& value, const char* help) = 0;
  virtual void choice(const char* name, std::string& value, const std::vector<std::string>& choices,
                      const char* help) = 0;
  virtual void text(const char* name, std::string& value, const char* help) = 0;
};

/// One token of a sentence as the model reads it.
struct ReadToken {
  std::string text;
  int id;
  bool known;  // false: it is read as <unk>
};

/// One token that the model wrote, with the most probable candidates of that step, falling.
struct WrittenToken {
  struct Candidate {
    std::string text;
    double probability;
  };
  std::string text;
  double probability;
  std::vector<Candidate> best;
};

/// A word that a search looked at, and what came of it: see text::Candidate.
struct Branch {
  text::Candidate word;
  std::string text;
};

/// A whole sequence that a search thought of, the best first.
struct Hypothesis {
  std::string text;
  double log_p, score;
  bool ended;
};

struct Translation {
  std::vector<ReadToken> source;  // <eos> included
  std::size_t cut = 0;            // words that did not fit
  std::vector<WrittenToken> target;
  std::string text;                       // without <eos>
  bool ended = false;                     // <eos> was reached within the length limit
  std::vector<std::vector<Branch>> tree;  // of each step; empty where the words were given
  std::vector<Hypothesis> hypotheses;
};

/// Words that stand on an axis of every step whose name begins with `steps`, or is it exactly; none: the axis has no words.
struct Labels {
  std::string steps;
  std::string axis;
  std::vector<std::string> words;
  bool exactly = false;
  bool named = false;  // names of ours and no text: a page says them in its language
};

/// Numbers as words on an axis, with at most two decimals: "2.2".
std::vector<std::string> as_labels(const Tensor& numbers);

/// What a run leaves besides the steps in its graph.
struct Result {
  std::optional<Translation> translation;
  std::optional<Var> loss;                // where the backward pass starts by default
  std::vector<Labels> labels;             // words on axes; of several that fit a step, the last
  std::map<std::string, double> metrics;  // what a run measured besides its steps
};

/// A step that holds attention weights [..., query, key], and what attends to what in it.
struct AttentionStep {
  std::string step;  // "decoder.0.cross.weights"
  std::string use;   // "encoder", "self" or "cross"
  int layer = 0;
};

/// Vocabularies of a translator.
struct Vocabularies {
  text::Vocabulary source, target;
};

/// What becomes of pairs when they are read as a translator does.
struct Reading {
  std::size_t cut = 0;                                // pairs of which a sentence does not fit
  double unknown_source = 0.0, unknown_target = 0.0;  // share of the words that are read as <unk>
};

class Model {
 public:
  virtual ~Model() = default;
  virtual void visit(const nn::Visitor&) {}
  virtual void config(FieldVisitor& visitor) = 0;
  /// The inputs of a run, each time from their defaults.
  virtual void inputs(FieldVisitor& visitor) = 0;
  /// One computation, recorded as the graph's options say.
  virtual Result run(Graph& graph) = 0;
  /// What training does; null for what cannot learn (or has no data).
  virtual train::Task* task() { return nullptr; }
  virtual std::unique_ptr<train::Optimizer> optimizer(train::Parameters) { return nullptr; }
  virtual train::Settings settings() const { return {}; }
  virtual const Vocabularies* vocabularies() const { return nullptr; }
  virtual const text::Pairs* pairs() const { return nullptr; }
  /// Of these pairs; nothing if they are not turned into ids.
  virtual Reading reading() const { return {}; }
  /// The steps that hold attention weights; none for a model without attention, such as plain seq2seq.
  virtual std::vector<AttentionStep> attention() const { return {}; }

  std::vector<Parameter*> parameters();
};

/// What a model is opened with.
struct Opening {
  std::optional<std::string> pairs;          // text of a file of pairs
  std::optional<Vocabularies> vocabularies;  // of a file of weights
};

/// A kind of model, before one is opened.
struct Kind {
  const char* name;
  bool is_lab;
  const char* help;
  std::vector<std::string> metrics;      // what training reports; the first is the one to plot
  bool needs_pairs;                      // pairs to learn from, or weights that bring their vocabularies
  std::unique_ptr<Model> (*describe)();  // one that only knows its fields
  /// `assign` fills the config in before the model is built. Throws ConfigError, DataError.
  std::unique_ptr<Model> (*open)(FieldVisitor& assign, Opening opening);
};

}  // namespace attn::models
