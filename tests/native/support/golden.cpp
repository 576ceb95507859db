#include "support/golden.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace attn::test {
namespace {

const std::string kGoldens = "tests/parity/goldens/";

std::filesystem::path in_repository(const std::string& path) { return std::filesystem::path(ATTN_SOURCE_DIR) / path; }

}  // namespace

std::string source_text(const std::string& path) {
  std::ifstream file(in_repository(path), std::ios::binary);
  if (!file) throw std::runtime_error("there is no file " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> source_files(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(in_repository(folder)))
    if (entry.is_regular_file()) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

Json golden(const std::string& path) {
  const std::string text = source_text(kGoldens + path);
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    throw std::runtime_error("golden " + path + ": " + error.what());
  }
}

Tensor tensor_of(const Json& json) {
  const auto shape = json.at("shape").get<std::vector<std::size_t>>();
  return Tensor::of(Shape(shape), json.at("values").get<std::vector<float>>());
}

OpGolden op_golden(const std::string& name) {
  const Json json = golden("ops/" + name + ".json");
  OpGolden out;
  for (const Json& input : json.at("inputs")) out.inputs.push_back(tensor_of(input));
  out.output = tensor_of(json.at("output"));
  out.upstream = tensor_of(json.at("upstream"));
  for (const auto& [index, gradient] : json.at("gradients").items())
    out.gradients[std::stoul(index)] = tensor_of(gradient);
  return out;
}

std::vector<std::string> op_golden_names() {
  std::vector<std::string> names;
  for (const std::string& file : source_files(kGoldens + "ops")) names.push_back(file.substr(0, file.find(".json")));
  return names;
}

}  // namespace attn::test
