// What a run of a translator does; its data, network and recipe are made in translator.cpp.
#include <algorithm>
#include <cctype>
#include <numeric>
#include <set>

#include "models/decoding.hpp"
#include "models/translator.hpp"
#include "ops/arithmetic.hpp"
#include "ops/functions.hpp"
#include "ops/layout.hpp"
#include "ops/loss.hpp"
#include "ops/reduce.hpp"
#include "ops/softmax.hpp"
#include "tensor/refusal.hpp"
#include "text/bleu.hpp"
#include "text/preprocess.hpp"
#include "text/utf8.hpp"

namespace attn::models {

using text::Vocabulary;

void TranslatorInputs::fields(FieldVisitor& v) {
  v.text("sentence", sentence, "what to translate");
  v.text("target", target, "words to write, whatever the model would say (teacher forcing); empty: its own");
  v.choice("search", search, {"greedy", "beam", "sample"}, "how words are chosen");
  v.integer("beam_size", beam_size, 1, 20, "beam: sequences that go on");
  v.number("alpha", alpha, 0.0, 5.0, "beam: a score is the sum of log-probabilities over length^alpha");
  v.number("temperature", temperature, 0.01, 100.0, "sample: under 1 bolder, over 1 blinder");
  v.integer("top_k", top_k, 0, 100000, "sample: of so many likeliest words; 0: of all");
  v.integer("sample_seed", sample_seed, 0, 1 << 30, "sample: of the draws");
  v.text("heads_off", heads_off, "heads to switch off, such as \"encoder.0.attention.1 decoder.1.cross.3\"");
  v.boolean("switches", switches, "show the switch of each head, although all are on");
  v.boolean("both_ways", both_ways, "a Transformer with a target: besides the one pass, the same words one by one");
  v.choice("evaluate", evaluate, {"nothing", "training", "pairs"},
           "instead of translating: loss and BLEU over the training pairs, or over `pairs`");
  v.text("pairs", pairs, "evaluate: text of a file of pairs");
}

// ---- reading

struct Translator::Sentence {
  text::Tokens tokens;
  text::Encoded encoded;
};

Translator::Sentence Translator::read(const std::string& typed, const Vocabulary& vocabulary) const {
  Sentence out;
  out.tokens = text::split(text::preprocess_typed(typed));
  if (out.tokens.empty()) throw refused<DataError>("sentence.empty", "the sentence has no words");
  out.encoded = text::encode(out.tokens, vocabulary, static_cast<std::size_t>(config_.num_steps));
  return out;
}

Decoding Translator::encode_sentence(Graph& graph, const Sentence& sentence) {
  const auto& ids = sentence.encoded.ids;
  const std::size_t steps = config_.book_padding ? static_cast<std::size_t>(config_.num_steps) : ids.size();
  Tensor source = Tensor::full({1, steps}, Vocabulary::kPad);
  fill_row(source, 0, ids);
  const Var words = graph.input("source.ids", {"batch", "key"}, source);
  const Var lengths = graph.input("source.lengths", {"batch"}, Tensor::of({1}, {static_cast<float>(ids.size())}));
  return net_->start(net_->encode(words, lengths));
}

namespace {

std::vector<ReadToken> read_tokens(const text::Tokens& tokens, const std::vector<int>& ids) {
  std::vector<ReadToken> out;
  for (std::size_t i = 0; i + 1 < ids.size(); ++i) out.push_back({tokens[i], ids[i], ids[i] != Vocabulary::kUnknown});
  out.push_back({"<eos>", Vocabulary::kEnd, true});
  return out;
}

std::vector<std::string> texts(const auto& tokens) {
  std::vector<std::string> out;
  for (const auto& token : tokens) out.push_back(token.text);
  return out;
}

/// Words of ids up to <eos>.
std::string sentence_of(const std::vector<int>& ids, const Vocabulary& vocabulary) {
  std::string out;
  for (const int id : ids) {
    if (id == Vocabulary::kEnd) break;
    out += (out.empty() ? "" : " ") + vocabulary.word(id);
  }
  return out;
}

Tensor row_of(const std::vector<int>& ids) {
  Tensor out({1, ids.size()});
  fill_row(out, 0, ids);
  return out;
}

}  // namespace

// ---- heads that are switched off

/// While it lives, the named heads add nothing, and if `shown` all heads have switches among the steps. Throws ConfigError for
/// one that is not there.
class Translator::Switches {
 public:
  Switches(TranslationNet& net, const std::string& names, bool shown) {
    if (shown)
      for (const AttentionStep& a : net.attention())
        if (nn::MultiHeadAttention* layer = net.multi_head(a.step.substr(0, a.step.rfind('.')))) {
          layer->switchable = true;
          layers_.push_back(layer);
        }
    try {
      for (std::size_t at = 0, end; (at = names.find_first_not_of(kSpace, at)) != std::string::npos; at = end) {
        end = std::min(names.find_first_of(kSpace, at), names.size());
        add(net, names.substr(at, end - at));
      }
    } catch (...) {
      restore();
      throw;
    }
  }
  ~Switches() { restore(); }
  Switches(const Switches&) = delete;
  Switches& operator=(const Switches&) = delete;

 private:
  static constexpr const char* kSpace = " \t\n\r";
  void add(TranslationNet& net, const std::string& name) {
    const std::size_t dot = std::min(name.rfind('.'), name.size());
    const std::string digits = name.substr(std::min(dot + 1, name.size()));
    nn::MultiHeadAttention* layer = net.multi_head(name.substr(0, dot));
    const bool number = !digits.empty() && digits.size() < 4 && std::ranges::all_of(digits, ::isdigit);
    if (layer == nullptr || !number || std::stoul(digits) >= layer->heads)
      throw ConfigError("heads_off: this model has no head \"" + name + "\"");
    layer->off.insert(std::stoul(digits));
    layers_.push_back(layer);
  }
  void restore() {
    for (nn::MultiHeadAttention* layer : layers_) {
      layer->off.clear();
      layer->switchable = false;
    }
  }
  std::vector<nn::MultiHeadAttention*> layers_;
};

// ---- writing

WrittenToken Translator::written(std::span<const float> p, int id) const {
  constexpr std::size_t kBest = 5;
  std::vector<int> ids(p.size());
  std::iota(ids.begin(), ids.end(), 0);
  const std::size_t count = std::min(kBest, ids.size());
  std::partial_sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(count), ids.end(),
                    [&](int a, int b) { return p[static_cast<std::size_t>(a)] > p[static_cast<std::size_t>(b)]; });
  WrittenToken out{vocabularies_.target.word(id), p[static_cast<std::size_t>(id)], {}};
  for (std::size_t i = 0; i < count; ++i)
    out.best.push_back({vocabularies_.target.word(ids[i]), p[static_cast<std::size_t>(ids[i])]});
  return out;
}

/// The ids that the search chose; its branches go into `out`.
std::vector<int> Translator::search(const Sentence& sentence, const Graph::Options& options, Translation& out) {
  Graph graph({.record = Record::nothing, .path = options.path, .edits = options.edits});
  Branches branches(*net_, graph, encode_sentence(graph, sentence));
  const auto steps = static_cast<std::size_t>(config_.num_steps);
  text::Searched found;
  if (inputs_.search == "sample") {
    Rng rng(static_cast<std::uint64_t>(inputs_.sample_seed));
    found = text::sample(branches, {inputs_.temperature, static_cast<std::size_t>(inputs_.top_k), steps}, rng);
  } else {
    const std::size_t k = inputs_.search == "beam" ? static_cast<std::size_t>(inputs_.beam_size) : 1;
    found = text::beam_search(branches, {.k = k, .alpha = inputs_.alpha, .steps = steps});
  }
  for (const auto& step : found.tree) {
    auto& words = out.tree.emplace_back();
    for (const text::Candidate& c : step) words.push_back({c, vocabularies_.target.word(c.id)});
  }
  for (const text::Written& w : found.candidates)
    out.hypotheses.push_back({sentence_of(w.ids, vocabularies_.target), w.total, w.score, w.ended});
  return found.best.ids;
}

/// One word after the other; the losses against them, if they are wanted.
Vars Translator::write(Graph& graph, const std::vector<int>& ids, Decoding state, bool wanted, Translation& out) {
  Vars losses;
  int previous = Vocabulary::kBegin;
  for (std::size_t t = 0; t < ids.size(); ++t) {
    const auto turn = graph.turn("time", static_cast<int>(t));
    const Var word = graph.input("decoder.previous", {"batch"}, Tensor::of({1}, {static_cast<float>(previous)}));
    const Var logits = net_->step(word, state);
    const Var probabilities = graph.name(softmax(logits), "decoder.probabilities", {"batch", "vocabulary"});
    out.target.push_back(written(probabilities.value().values(), ids[t]));
    previous = ids[t];
    if (!wanted) continue;
    const Var right = graph.input("decoder.wanted", {"batch"}, Tensor::of({1}, {static_cast<float>(previous)}));
    losses.push_back(graph.name(cross_entropy(logits, right), "decoder.loss", {"batch"}));
  }
  return losses;
}

/// All words in one pass, as in training.
Vars Translator::write_at_once(Graph& graph, const std::vector<int>& ids, Decoding state, Translation& out,
                               Var& logits) {
  std::vector<int> before = {Vocabulary::kBegin};
  before.insert(before.end(), ids.begin(), ids.end() - 1);
  const Var words = graph.input("decoder.previous", {"batch", "query"}, row_of(before));
  logits = net_->teacher_forced(words, state);
  const Var probabilities = graph.name(softmax(logits), "decoder.probabilities", {"batch", "query", "vocabulary"});
  const std::size_t width = vocabularies_.target.size();
  for (std::size_t t = 0; t < ids.size(); ++t)
    out.target.push_back(written(probabilities.value().values().subspan(t * width, width), ids[t]));
  const Var right = graph.input("decoder.wanted", {"batch", "query"}, row_of(ids));
  return {graph.name(cross_entropy(logits, right), "decoder.loss", {"batch", "query"})};
}

/// The same words one by one, in a graph of their own, since their steps have the names of the one pass; what was changed in
/// the source and in the weights is changed there, too.
void Translator::write_both_ways(Graph& graph, const Sentence& sentence, const std::vector<int>& ids,
                                 const Var& at_once) {
  std::set<std::string> parameters;
  net_->visit([&parameters](const std::string&, const Parameter& p) { parameters.insert(p.name); });
  Edits edits;
  if (graph.options().edits != nullptr)
    for (const auto& edit : *graph.options().edits)
      if (!edit.first.starts_with("decoder.") || parameters.contains(edit.first)) edits.insert(edit);
  Graph quick({.record = Record::nothing, .path = graph.options().path, .edits = edits.empty() ? nullptr : &edits});
  Decoding state = encode_sentence(quick, sentence);
  const std::size_t words = vocabularies_.target.size();
  Tensor found({ids.size(), words});
  int previous = Vocabulary::kBegin;
  for (std::size_t t = 0; t < ids.size(); ++t) {
    const Var logits = net_->step(quick.constant(Tensor::of({1}, {static_cast<float>(previous)})), state);
    std::ranges::copy(logits.value().values(), found.data() + t * words);
    previous = ids[t];
  }
  const auto scope = graph.scope("word_by_word");
  const Axes axes = {"query", "vocabulary"};
  const Var logits = graph.input("logits", axes, std::move(found));
  graph.name(softmax(logits), "probabilities", axes);
  const Var difference =
      graph.name(sqrt(sum(square(logits - reshape(at_once, logits.shape())), -1)), "difference", {"query"});
  Var largest = select(difference, 0, 0);
  for (std::size_t t = 1; t < ids.size(); ++t) largest = max(largest, select(difference, 0, t));
  graph.name(largest, "largest", {});
}

std::vector<Labels> Translator::labels(const Translation& t, bool in_one_pass) const {
  const std::vector<std::string> source = texts(t.source), target = texts(t.target);
  std::vector<std::string> before = {"<bos>"};
  if (!target.empty()) before.insert(before.end(), target.begin(), target.end() - 1);
  std::vector<Labels> out = {
      {"", "key", source}, {"", "time", target}, {"", "vocabulary", vocabularies_.target.words()}};
  out.push_back({"encoder.", "query", source});
  if (in_one_pass)
    for (const char* steps : {"decoder.", "word_by_word."}) out.push_back({steps, "query", before});
  for (const AttentionStep& a : net_->attention())
    if (a.use == "self") out.push_back({a.step.substr(0, a.step.rfind('.') + 1), "key", before});
  return out;
}

Result Translator::translate(Graph& graph) {
  const Sentence sentence = read(inputs_.sentence, vocabularies_.source);
  const bool given = !inputs_.target.empty(), at_once = given && net_->in_one_pass();
  if (inputs_.both_ways && !at_once)
    throw refused<ConfigError>("both-ways", "both_ways: a Transformer is needed, and a target");
  Translation out;
  out.source = read_tokens(sentence.tokens, sentence.encoded.ids);
  out.cut = sentence.encoded.cut;
  const std::vector<int> ids =
      given ? read(inputs_.target, vocabularies_.target).encoded.ids : search(sentence, graph.options(), out);
  const std::size_t before = kernels::multiply_adds();
  Decoding state = encode_sentence(graph, sentence);
  Var logits;
  const Vars losses = at_once ? write_at_once(graph, ids, std::move(state), out, logits)
                              : write(graph, ids, std::move(state), given, out);
  const auto products = static_cast<double>(kernels::multiply_adds() - before);
  if (inputs_.both_ways) write_both_ways(graph, sentence, ids, logits);
  out.text = sentence_of(ids, vocabularies_.target);
  out.ended = !ids.empty() && ids.back() == Vocabulary::kEnd;
  Result result;
  if (!losses.empty()) result.loss = graph.name(mean(stack(losses, 0)), "loss", {});
  result.labels = labels(out, at_once);
  result.translation = std::move(out);
  result.metrics["multiply_adds"] = products;
  return result;
}

// ---- measuring

namespace {

bool is_punctuation(const std::string& word) {
  return std::ranges::none_of(text::code_points(word), [](char32_t c) {
    const bool ascii = (c >= U'0' && c <= U'9') || (c >= U'A' && c <= U'Z') || (c >= U'a' && c <= U'z');
    const bool sign =
        c < 0xC0 || (c >= 0x2000 && c < 0x2070) || (c >= 0x3000 && c < 0x3040) || (c >= 0xFF00 && c < 0xFF10);
    return ascii || !sign;
  });
}

/// Which words are written right, by their kind.
class Hits {
 public:
  explicit Hits(const text::Vocabulary& words) {
    constexpr std::size_t kFrequent = 20;
    std::size_t frequent = 0;
    for (std::size_t id = 0; id < words.size(); ++id) {
      if (id == Vocabulary::kEnd)
        kinds_.push_back(kEnd);
      else if (id < Vocabulary::kEnd)  // <unk>; the others are never wanted
        kinds_.push_back(kUnknown);
      else if (is_punctuation(words.word(static_cast<int>(id))))
        kinds_.push_back(kPunctuation);
      else
        kinds_.push_back(frequent++ < kFrequent ? kFrequently : kOther);
    }
  }
  void add(const Tensor& logits, const Tensor& wanted) {
    const std::vector<int> written = largest_of_rows(logits);
    for (std::size_t i = 0; i < written.size(); ++i) {
      const auto right = static_cast<std::size_t>(wanted.values()[i]);
      ++of_[kinds_[right]];
      hits_[kinds_[right]] += static_cast<std::size_t>(written[i]) == right ? 1.0 : 0.0;
    }
  }
  std::map<std::string, double> metrics() const {
    constexpr const char* kNames[] = {"end", "punctuation", "frequent", "other", "unknown"};
    std::map<std::string, double> out;
    double all = 0.0, right = 0.0;
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      out[std::string("of.") + kNames[kind]] = of_[kind];
      if (kind == kUnknown || of_[kind] == 0.0) continue;
      out[std::string("right.") + kNames[kind]] = hits_[kind] / of_[kind];
      all += of_[kind];
      right += hits_[kind];
    }
    if (all > 0.0) out["right"] = right / all;
    return out;
  }

 private:
  enum Kind : std::size_t { kEnd, kPunctuation, kFrequently, kOther, kUnknown, kKinds };
  std::vector<Kind> kinds_;  // of each id
  double of_[kKinds] = {}, hits_[kKinds] = {};
};

}  // namespace

TranslationData Translator::evaluated_data() const {
  return {TranslationData::Options{.batch_size = static_cast<std::size_t>(config_.batch_size),
                                   .num_steps = static_cast<std::size_t>(config_.num_steps),
                                   .trimmed = !config_.book_padding,
                                   .book_text = config_.book_text},
          text::read_pairs(inputs_.pairs, {.book = config_.book_text}), vocabularies_};
}

/// Over batches of pairs, outside training: the loss with the right words given, and the BLEU of the words it writes itself.
Result Translator::evaluate(Graph& graph) {
  if (inputs_.evaluate == "training" && !data_) throw ConfigError("evaluate: this translator has no training pairs");
  std::optional<TranslationData> given;
  if (inputs_.evaluate == "pairs") given.emplace(evaluated_data());
  const TranslationData& data = given ? *given : *data_;
  double loss = 0.0, tokens = 0.0, bleu = 0.0, exact = 0.0;
  Hits hits(vocabularies_.target);
  const std::size_t before = kernels::multiply_adds();
  for (std::size_t i = 0; i < data.batches(); ++i) {
    Graph pass({.record = Record::nothing, .path = graph.options().path});
    const TranslationData::Batch batch = data.batch(i);
    const Var found = logits(pass, batch, true);
    loss += sum(cross_entropy(found, pass.constant(batch.wanted))).value().item();
    hits.add(found.value(), batch.wanted);
    tokens += batch.tokens;
    Decoding state = net_->start(net_->encode(pass.constant(batch.source), pass.constant(batch.source_lengths)));
    const std::size_t size = batch.source.size(0);
    const FreeRun run =
        free_run(*net_, pass, std::move(state), size, static_cast<std::size_t>(config_.num_steps), true);
    for (std::size_t b = 0; b < size; ++b) {
      std::vector<int> ids;
      for (const auto& step : run.ids) ids.push_back(step[b]);
      const std::string said = sentence_of(ids, vocabularies_.target);
      const text::Tokens& wanted = data.pair(i, b).target;
      bleu += text::bleu(text::split(said), wanted);
      exact += text::split(said) == wanted ? 1.0 : 0.0;
    }
  }
  const double pairs = static_cast<double>(data.pairs().pairs.size());
  Result result;
  result.metrics = metrics(loss, tokens);
  result.metrics.insert({{"bleu", bleu / pairs},
                         {"exact", exact / pairs},
                         {"pairs", pairs},
                         {"tokens", tokens},
                         {"multiply_adds", static_cast<double>(kernels::multiply_adds() - before)}});
  result.metrics.merge(hits.metrics());
  const auto scope = graph.scope("evaluated");
  for (const auto& [step, value] : {std::pair{"loss", loss / tokens}, {"bleu", bleu / pairs}, {"exact", exact / pairs}})
    graph.input(step, {}, Tensor::scalar(static_cast<float>(value)));
  return result;
}

Result Translator::run(Graph& graph) {
  const Switches switches(*net_, inputs_.heads_off, inputs_.switches);
  return inputs_.evaluate == "nothing" ? translate(graph) : evaluate(graph);
}

}  // namespace attn::models
