// What reads bytes that nobody vouches for, in the form that a fuzzer wants.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn::fuzz {

/// One reader. A new one is a file with its Target and one line in targets.cpp.
struct Target {
  const char* name;
  /// Reads the bytes as the product does. The refusal that the reader promises is caught and returned ("" where the bytes are
  /// accepted); whatever else is thrown, and any rule broken (`require`), is a finding.
  std::string (*run)(std::string_view bytes);
  std::vector<std::string> (*seeds)();  // good inputs to begin with
  std::vector<std::string> words;       // what such files are made of
};

const std::vector<Target>& targets();

/// Throws ConfigError naming those there are.
const Target& target(const std::string& name);

/// Throws std::logic_error naming the rule that does not hold.
void require(bool holds, const char* rule);

}  // namespace attn::fuzz
