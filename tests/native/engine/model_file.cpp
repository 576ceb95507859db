#include "engine/model_file.hpp"

#include <doctest/doctest.h>

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
  CHECK(says(file_with(entry("F16", "[2]", 0, 4), "1234"), "F32 and F64"));
  CHECK(says(file_with(entry("F32", "[4000000000,4000000000]", 0, 4), "1234"), "impossible size"));
  CHECK(says(file_with(entry("F32", "[-1]", 0, 4), "1234"), "no whole number"));
  CHECK(says(file_with(entry("F32", "[1,1,1,1,1,1,1]", 0, 4), "1234"), "more than 6 axes"));
  CHECK(says(file_with(entry("F32", "[2]", 0, 4), "1234"), "needs 8 bytes"));
  CHECK(says(file_with(entry("F32", "[1]", 8, 4), "12345678"), "outside"));
  CHECK(says(file_with(entry("F32", "[1]", 4, 8), "1234"), "outside"));
  CHECK(says(file_with(entry("F32", "[1]", 0, 4), std::string("\x00\x00\xC0\x7F", 4)), "not finite"));
}
