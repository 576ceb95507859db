#include "engine/model_file.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "engine/json.hpp"
#include "tensor/refusal.hpp"

namespace attn::engine {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors is little-endian");

constexpr std::size_t kMaxHeader = std::size_t{16} << 20;
constexpr std::size_t kMaxTensors = 4096;

[[noreturn]] void refuse(const std::string& why) { throw DataError(why); }

Json read_header(std::string_view bytes, std::string_view& body) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) refuse("it has " + std::to_string(bytes.size()) + " bytes");
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > kMaxHeader || length > bytes.size() - sizeof length) refuse("its header would be longer than the file");
  Json header = Json::parse(bytes.substr(sizeof length, length), nullptr, false);
  if (!header.is_object()) refuse("its header is no JSON object");
  body = bytes.substr(sizeof length + length);
  return header;
}

std::size_t whole(const Json& value, const std::string& name, const char* what) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<std::size_t>::max())
    refuse(std::string(what) + " of tensor " + name + " is no whole number");
  return value.get<std::size_t>();
}

/// Sizes of a tensor, checked so that their product cannot overflow.
Shape read_shape(const Json& entry, const std::string& name) {
  const auto& sizes = entry.at("shape");
  if (!sizes.is_array() || sizes.size() > Shape::kMaxRank)
    refuse("tensor " + name + " has a shape of more than 6 axes, or none");
  std::vector<std::size_t> out;
  std::size_t elements = 1;
  for (const Json& size : sizes) {
    out.push_back(whole(size, name, "a size"));
    if (out.back() == 0 || out.back() > Shape::kMaxElements / elements)
      refuse("tensor " + name + " has an impossible size " + shown(size));
    elements *= out.back();
  }
  return Shape(out);
}

// ---- values of each type, little-endian

float from_f32(const char* bytes) {
  float out;
  std::memcpy(&out, bytes, sizeof out);
  return out;
}

float from_f64(const char* bytes) {
  double out;
  std::memcpy(&out, bytes, sizeof out);
  return static_cast<float>(out);
}

std::uint16_t two_bytes(const char* bytes) {
  std::uint16_t out;
  std::memcpy(&out, bytes, sizeof out);
  return out;
}

/// The upper half of a float32.
float from_bf16(const char* bytes) { return std::bit_cast<float>(static_cast<std::uint32_t>(two_bytes(bytes)) << 16U); }

/// IEEE 754 binary16: 5 bits of exponent (bias 15), 10 of fraction.
float from_f16(const char* bytes) {
  const std::uint16_t half = two_bytes(bytes);
  const int exponent = (half >> 10U) & 31, fraction = half & 1023;
  const auto sign = static_cast<float>((half & 0x8000U) != 0 ? -1 : 1);
  if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
}

struct Type {
  const char* name;
  std::size_t bytes;
  float (*read)(const char*);
};

const Type& type_of(const Json& entry, const std::string& name) {
  static constexpr Type kTypes[] = {
      {"F32", 4, from_f32}, {"F64", 8, from_f64}, {"F16", 2, from_f16}, {"BF16", 2, from_bf16}};
  for (const Type& type : kTypes)
    if (entry["dtype"] == type.name) return type;
  refuse("tensor " + name + " is " + shown(entry["dtype"]) + "; F32, F64, F16 and BF16 are read");
}

Tensor read_values(std::string_view bytes, const Type& type, const Shape& shape, const std::string& name) {
  Tensor out(shape);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out.data()[i] = type.read(bytes.data() + i * type.bytes);
    if (!std::isfinite(out.data()[i])) refuse("tensor " + name + " holds a value that is not finite");
  }
  return out;
}

/// `unread`: bytes of the file that no tensor has taken; with it, tensors that share their bytes cannot ask for more memory
/// than the file has.
Tensor read_tensor(const Json& entry, const std::string& name, std::string_view body, std::size_t& unread) {
  if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") || !entry.contains("data_offsets"))
    refuse("tensor " + name + " has no dtype, shape or data_offsets");
  const Json& offsets = entry["data_offsets"];
  if (!offsets.is_array() || offsets.size() != 2) refuse("tensor " + name + " has no two data_offsets");
  const std::size_t begin = whole(offsets[0], name, "an offset"), end = whole(offsets[1], name, "an offset");
  const Type& type = type_of(entry, name);
  const Shape shape = read_shape(entry, name);
  const std::size_t size = shape.elements() * type.bytes;
  if (begin > end || end > body.size()) refuse("tensor " + name + " lies outside the file; is it cut off?");
  if (end - begin != size)
    refuse("tensor " + name + " of shape " + shape.str() + " needs " + std::to_string(size) + " bytes, not " +
           std::to_string(end - begin));
  if (size > unread) refuse("tensor " + name + " shares its bytes with another");
  unread -= size;
  return read_values(body.substr(begin, size), type, shape, name);
}

void read_metadata(const Json& entries, ModelFile& out) {
  if (!entries.is_object()) refuse("its metadata is no object");
  for (const auto& [key, value] : entries.items()) {
    if (!value.is_string()) refuse("its metadata field " + key + " is no string");
    out.metadata[key] = value.get<std::string>();
  }
}

}  // namespace

ModelFile read_safetensors(std::string_view bytes) {
  std::string_view body;
  const Json header = read_header(bytes, body);
  if (header.size() > kMaxTensors) refuse("it has " + std::to_string(header.size()) + " tensors");
  ModelFile out;
  std::size_t unread = body.size();
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__")
      read_metadata(entry, out);
    else
      out.tensors.emplace_back(name, read_tensor(entry, name, body, unread));
  }
  return out;
}

ModelFile read_model_file(std::string_view bytes) {
  try {
    ModelFile out = read_safetensors(bytes);
    if (out.metadata.contains("checkpoint"))
      refuse("it is a checkpoint, which goes with a file of weights; give that one first");
    if (out.tensors.empty()) refuse("it holds no tensor");
    return out;
  } catch (const DataError& e) {
    throw refused<DataError>("file.weights", "this is no usable file of weights: {why}", {{"why", e.what()}});
  }
}

std::string write_model_file(const ModelFile& file) {
  Json header = {{"__metadata__", file.metadata}};
  std::size_t offset = 0;
  for (const auto& [name, tensor] : file.tensors) {
    const std::size_t size = tensor.size() * sizeof(float);
    header[name] = {{"dtype", "F32"},
                    {"shape", std::vector<std::size_t>(tensor.shape().begin(), tensor.shape().end())},
                    {"data_offsets", {offset, offset + size}}};
    offset += size;
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');  // the format asks for aligned data
  const std::uint64_t length = text.size();
  std::string out(sizeof length, '\0');
  std::memcpy(out.data(), &length, sizeof length);
  out += text;
  for (const auto& [name, tensor] : file.tensors)
    out.append(reinterpret_cast<const char*>(tensor.data()), tensor.size() * sizeof(float));
  return out;
}

}  // namespace attn::engine
