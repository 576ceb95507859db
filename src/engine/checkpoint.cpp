#include "engine/checkpoint.hpp"

#include <cmath>
#include <limits>

#include "engine/model_file.hpp"
#include "tensor/refusal.hpp"

namespace attn::engine {
namespace {

constexpr const char* kVersion = "1";

// ---- fields that come from outside

const Json& field(const Json& object, const char* name) {
  if (!object.is_object() || !object.contains(name)) throw DataError(std::string("it has no ") + name);
  return object[name];
}

std::uint64_t whole(const Json& value, std::uint64_t most, const char* name) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most)
    throw DataError(std::string("its ") + name + " is no whole number from 0 to " + std::to_string(most));
  return value.get<std::uint64_t>();
}

int count(const Json& object, const char* name) {
  return static_cast<int>(whole(field(object, name), std::numeric_limits<int>::max(), name));
}

double number(const Json& value, const char* name) {
  if (!value.is_number()) throw DataError(std::string("its ") + name + " is no number");
  return value.get<double>();
}

std::string text(const ModelFile& file, const char* name) {
  const auto found = file.metadata.find(name);
  if (found == file.metadata.end()) throw DataError(std::string("it has no ") + name);
  return found->second;
}

Json json(const ModelFile& file, const char* name) {
  Json out = Json::parse(text(file, name), nullptr, false);
  if (out.is_discarded()) throw DataError(std::string("its ") + name + " is no JSON");
  return out;
}

// ---- parts

Json rng_json(const Rng::State& rng) {
  return {{"state", rng.state}, {"spare", rng.spare}, {"has_spare", rng.has_spare}};
}

Rng::State read_rng(const Json& rng) {
  const Json& has_spare = field(rng, "has_spare");
  if (!has_spare.is_boolean()) throw DataError("its has_spare is neither true nor false");
  const double spare = number(field(rng, "spare"), "spare");
  if (!(std::abs(spare) < 100.0)) throw DataError("its spare is no normal number");  // of 24 bits: 6 at the most
  return {whole(field(rng, "state"), std::numeric_limits<std::uint64_t>::max(), "state"), static_cast<float>(spare),
          has_spare.get<bool>()};
}

Json progress_json(const train::Trainer::Snapshot& s) {
  return {{"epoch", s.epoch},   {"batch", s.batch},     {"loss", s.loss},      {"items", s.items},
          {"tokens", s.tokens}, {"seconds", s.seconds}, {"history", s.history}};
}

void read_progress(const Json& progress, train::Trainer::Snapshot& out) {
  out.epoch = count(progress, "epoch");
  out.batch = static_cast<std::size_t>(count(progress, "batch"));
  out.loss = number(field(progress, "loss"), "loss");
  out.items = number(field(progress, "items"), "items");
  out.tokens = number(field(progress, "tokens"), "tokens");
  out.seconds = number(field(progress, "seconds"), "seconds");
  const Json& history = field(progress, "history");
  if (!history.is_array()) throw DataError("its history is no list");
  for (const Json& epoch : history) {
    if (!epoch.is_object()) throw DataError("an entry of its history is no object");
    auto& entry = out.history.emplace_back();
    for (const auto& [name, value] : epoch.items()) entry[name] = number(value, "history");
  }
}

std::vector<std::size_t> read_order(const Json& order) {
  if (!order.is_array()) throw DataError("its order is no list");
  std::vector<std::size_t> out;
  for (const Json& i : order)
    out.push_back(static_cast<std::size_t>(whole(i, std::numeric_limits<int>::max(), "order")));
  return out;
}

Checkpoint read(std::string_view bytes) {
  ModelFile file = read_safetensors(bytes);
  if (!file.metadata.contains("checkpoint"))
    throw DataError("it has no optimiser's memory; a file of weights alone does not say how to go on");
  if (file.metadata["checkpoint"] != kVersion)
    throw DataError("it is of version " + file.metadata["checkpoint"] + "; " + kVersion + " is read");
  Checkpoint out{text(file, "model"), json(file, "config"), text(file, "weights"), text(file, "data"), {}};
  if (!out.config.is_object()) throw DataError("its config is no object");
  read_progress(json(file, "progress"), out.training);
  out.training.rng = read_rng(json(file, "rng"));
  out.training.order = read_order(json(file, "order"));
  out.training.memory.steps =
      static_cast<int>(whole(json(file, "steps"), std::numeric_limits<int>::max(), "number of steps"));
  for (auto& [name, tensor] : file.tensors) out.training.memory.tensors[name] = std::move(tensor);
  return out;
}

}  // namespace

std::string write_checkpoint(const Checkpoint& c) {
  ModelFile file;
  file.metadata = {{"checkpoint", kVersion},
                   {"model", c.model},
                   {"config", c.config.dump()},
                   {"weights", c.weights},
                   {"data", c.data},
                   {"progress", progress_json(c.training).dump()},
                   {"rng", rng_json(c.training.rng).dump()},
                   {"order", Json(c.training.order).dump()},
                   {"steps", std::to_string(c.training.memory.steps)}};
  file.tensors.assign(c.training.memory.tensors.begin(), c.training.memory.tensors.end());
  return write_model_file(file);
}

Checkpoint read_checkpoint(std::string_view bytes) {
  try {
    return read(bytes);
  } catch (const DataError& e) {
    throw refused<DataError>("file.checkpoint", "this is no usable checkpoint: {why}", {{"why", e.what()}});
  }
}

void Checksum::add(std::string_view bytes) {
  for (const char c : bytes) sum_ = (sum_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
}

void Checksum::add(const Tensor& tensor) {
  add(tensor.shape().str());
  add({reinterpret_cast<const char*>(tensor.data()), tensor.size() * sizeof(float)});
}

std::string Checksum::str() const {
  std::string out(16, '0');
  for (int i = 0; i < 16; ++i) out[static_cast<std::size_t>(i)] = "0123456789abcdef"[(sum_ >> (60 - 4 * i)) & 15];
  return out;
}

}  // namespace attn::engine
