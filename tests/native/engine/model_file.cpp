#include "engine/model_file.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "engine/json.hpp"

using namespace attn;
using namespace attn::engine;

namespace {

std::string file_with(const std::string& header, const std::string& body = "") {
  const std::uint64_t length = header.size();
  std::string out(8, '\0');
  std::memcpy(out.data(), &length, 8);
  return out + header + body;
}

std::string refusal(const std::string& bytes) {
  try {
    read_model_file(bytes);
  } catch (const DataError& e) {
    return e.what();
  }
  return "";
}

bool says(const std::string& bytes, const char* words) {
  const std::string message = refusal(bytes);
  INFO(message);
  return message.find(words) != std::string::npos;
}

std::string entry(const char* dtype, const char* shape, int begin, int end) {
  return std::string("{\"w\":{\"dtype\":\"") + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":[" +
         std::to_string(begin) + "," + std::to_string(end) + "]}}";
}

}  // namespace

TEST_CASE("model file: what is written is read back, bit for bit") {
  ModelFile file;
  file.metadata["model"] = "bahdanau";
  file.tensors.emplace_back("a.weight", Tensor::of({2, 2}, {1.0F, -2.5F, 1e-30F, 3.0F}));
  file.tensors.emplace_back("b", Tensor::of({1}, {0.1F}));
  const std::string bytes = write_model_file(file);
  CHECK(bytes.size() % 4 == 0);
  const ModelFile back = read_model_file(bytes);
  CHECK(back.metadata.at("model") == "bahdanau");
  REQUIRE(back.tensors.size() == 2);
  CHECK(back.tensors[0].first == "a.weight");
  CHECK(std::memcmp(back.tensors[0].second.data(), file.tensors[0].second.data(), 16) == 0);
}

TEST_CASE("model file: truncated and foreign files are refused, wherever they are cut") {
  ModelFile file;
  file.tensors.emplace_back("w", Tensor::full({3, 5}, 1.0F));
  const std::string bytes = write_model_file(file);
  for (std::size_t size = 0; size < bytes.size(); ++size) CHECK(!refusal(bytes.substr(0, size)).empty());
  CHECK(says("PK\x03\x04 some other format, a zip file perhaps", "header would be longer"));
  CHECK(says(file_with("[1,2]"), "no JSON object"));
  CHECK(says(file_with("{\"w\": 3}"), "tensor w"));
  CHECK(says(file_with("{}"), "no tensor"));
}

TEST_CASE("model file: sizes, offsets, types and values are checked before anything is allocated") {
  CHECK(refusal(file_with(entry("F32", "[2]", 0, 8), std::string(8, '\0'))).empty());
  CHECK(says(file_with(entry("I64", "[1]", 0, 8), "12345678"), "w is \"I64\"; F32, F64, F16 and BF16 are read"));
  CHECK(says(file_with(entry("F32", "[4000000000,4000000000]", 0, 4), "1234"), "impossible size"));
  CHECK(says(file_with(entry("F32", "[-1]", 0, 4), "1234"), "no whole number"));
  CHECK(says(file_with(entry("F32", "[1,1,1,1,1,1,1]", 0, 4), "1234"), "more than 6 axes"));
  CHECK(says(file_with(entry("F32", "[2]", 0, 4), "1234"), "needs 8 bytes"));
  CHECK(says(file_with(entry("F32", "[1]", 8, 4), "12345678"), "outside"));
  CHECK(says(file_with(entry("F32", "[1]", 4, 8), "1234"), "outside"));
  CHECK(says(file_with(entry("F32", "[1]", 0, 4), std::string("\x00\x00\xC0\x7F", 4)), "not finite"));
  const std::string first = entry("F32", "[2]", 0, 8), second = entry("F32", "[2]", 0, 8).replace(2, 1, "x");
  CHECK(says(file_with(first.substr(0, first.size() - 1) + "," + second.substr(1), std::string(8, '\0')),
             "tensor x shares its bytes"));
}

TEST_CASE("model file: values of every floating type are read as they are, subnormal and negative zero too") {
  const auto read = [](const char* type, const char* shape, int bytes, const std::string& body) {
    return read_model_file(file_with(entry(type, shape, 0, bytes), body)).tensors.at(0).second;
  };
  // From IEEE 754: 1, −2, the largest, the smallest normal, the smallest subnormal, 1/3, −0.
  const std::string half("\x00\x3C\x00\xC0\xFF\x7B\x00\x04\x01\x00\x55\x35\x00\x80", 14);
  const Tensor f16 = read("F16", "[7]", 14, half);
  const float expected[] = {1.0F, -2.0F, 65504.0F, 6.103515625e-05F, 5.9604644775390625e-08F, 0.333251953125F, -0.0F};
  for (std::size_t i = 0; i < 7; ++i) CHECK(f16.values()[i] == expected[i]);
  CHECK(std::signbit(f16.values()[6]));
  const Tensor bf16 = read("BF16", "[3]", 6, std::string("\x80\x3F\x00\xC0\x49\x40", 6));
  CHECK(bf16.values()[0] == 1.0F);
  CHECK(bf16.values()[1] == -2.0F);
  CHECK(bf16.values()[2] == 3.140625F);
  const double third = 1.0 / 3.0;
  std::string wide(8, '\0');
  std::memcpy(wide.data(), &third, 8);
  CHECK(read("F64", "[]", 8, wide).item() == static_cast<float>(third));
  CHECK(says(file_with(entry("F16", "[1]", 0, 2), std::string("\x00\x7C", 2)), "not finite"));
  CHECK(says(file_with(entry("F16", "[1]", 0, 2), std::string("\x01\xFC", 2)), "not finite"));
  CHECK(says(file_with(entry("BF16", "[1]", 0, 2), std::string("\x80\x7F", 2)), "not finite"));
  CHECK(says(file_with(entry("F16", "[2]", 0, 2), "12"), "needs 4 bytes"));
}

TEST_CASE(
    "model file: as PyTorch's safetensors writes it: little metadata, tensors in any order, gaps padded by spaces") {
  const std::string header =
      "{\"z.bias\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[8,12]},\"__metadata__\":{\"format\":\"pt\"},"
      "\"a.weight\":{\"dtype\":\"F32\",\"shape\":[2,1],\"data_offsets\":[0,8]}}    ";
  const float values[] = {1.0F, 2.0F, 3.0F};
  const ModelFile file = read_model_file(file_with(header, std::string(reinterpret_cast<const char*>(values), 12)));
  CHECK(file.metadata.at("format") == "pt");
  REQUIRE(file.tensors.size() == 2);
  CHECK(file.tensors[0].first == "a.weight");
  CHECK(file.tensors[0].second.values()[1] == 2.0F);
  CHECK(file.tensors[1].second.values()[0] == 3.0F);
}
