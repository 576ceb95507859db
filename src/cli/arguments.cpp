#include "cli/arguments.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace attn::cli {
namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

Arguments::Arguments(const std::vector<std::string>& words, const std::vector<std::string>& valued,
                     const std::vector<std::string>& known) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) {
      others.push_back(words[i]);
      continue;
    }
    const std::string name = words[i].substr(2);
    if (has(known, name)) {
      flags.push_back(name);
    } else if (!has(valued, name)) {
      throw ConfigError("there is no option --" + name + " here");
    } else if (i + 1 == words.size()) {
      throw ConfigError("--" + name + " needs a value");
    } else {
      options[name].push_back(words[++i]);
    }
  }
}

bool Arguments::flag(const std::string& name) const { return has(flags, name); }

std::string Arguments::value(const std::string& name, const std::string& fallback) const {
  const auto found = options.find(name);
  return found == options.end() ? fallback : found->second.back();
}

std::string Arguments::required(const std::string& name) const {
  if (!options.contains(name)) throw ConfigError("--" + name + " is missing");
  return value(name);
}

std::vector<std::string> Arguments::values(const std::string& name) const {
  const auto found = options.find(name);
  return found == options.end() ? std::vector<std::string>() : found->second;
}

engine::Json assignments(const std::vector<std::string>& words) {
  engine::Json out = engine::Json::object();
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
      throw ConfigError("\"" + word + "\" is not of the form field=value");
    const std::string text = word.substr(equals + 1);
    engine::Json value = engine::Json::parse(text, nullptr, false);
    out[word.substr(0, equals)] = value.is_discarded() ? engine::Json(text) : value;
  }
  return out;
}

std::string read_file(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw DataError(path + " is a folder");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw DataError("cannot read " + path + ": " + std::strerror(errno));
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return std::move(bytes).str();
}

void write_file(const std::string& path, const std::string& bytes) {
  const std::string unfinished = path + ".part";
  std::ofstream out(unfinished, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out || std::rename(unfinished.c_str(), path.c_str()) != 0) {
    std::remove(unfinished.c_str());
    throw DataError("cannot write " + path + ": " + std::strerror(errno));
  }
}

}  // namespace attn::cli
