#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/json.hpp"

namespace attn::cli {

/// The words behind a command: `--name value` (or `--flag`), and the others in order.
struct Arguments {
  std::vector<std::string> others;
  std::map<std::string, std::vector<std::string>> options;
  std::vector<std::string> flags;

  /// `valued` and `flags` are the names that the command knows. Throws ConfigError for any other, or a missing value.
  Arguments(const std::vector<std::string>& words, const std::vector<std::string>& valued,
            const std::vector<std::string>& flags);

  bool flag(const std::string& name) const;
  /// The last value of an option, or `fallback`.
  std::string value(const std::string& name, const std::string& fallback = "") const;
  /// Throws ConfigError if it is not there.
  std::string required(const std::string& name) const;
  std::vector<std::string> values(const std::string& name) const;
};

/// {"k": v} from words of the form k=v; a value is read as JSON where it is JSON, as text otherwise.
engine::Json assignments(const std::vector<std::string>& words);

/// Throws DataError naming the file.
std::string read_file(const std::string& path);
/// Writes beside the file and renames, so that it is there whole or not at all.
void write_file(const std::string& path, const std::string& bytes);

}  // namespace attn::cli
