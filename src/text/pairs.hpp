#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tensor/refusal.hpp"

namespace attn::text {

using Tokens = std::vector<std::string>;

struct Pair {
  Tokens source, target;
  std::size_t line = 0;  // of its file, from 1
};

/// What a file of tab-separated pairs holds. A bad line is named, not fatal.
struct Pairs {
  struct BadLine {
    std::size_t line;  // from 1
    std::string reason;
    Reason why = {};  // the same for a page: "line.column" …
  };
  static constexpr std::size_t kShown = 100;

  std::vector<Pair> pairs;
  std::vector<BadLine> bad_lines;  // the first kShown
  std::size_t bad_line_count = 0;
};

struct PairsOptions {
  std::size_t examples = 0;  // read so many pairs; 0: all
  bool book = false;         // the chapter's reader: one line more than asked for (fault B7), only lines of exactly two
                             // columns, no normalising of apostrophes and spaces (B15, B31)
};

inline constexpr std::size_t kMaxFileBytes = std::size_t{32} << 20;
inline constexpr std::size_t kMaxTokens = 1000;  // of one sentence

/// Reads `Go.` TAB `Va !` lines (UTF-8; LF or CRLF; a byte order mark is allowed; further columns, as in the files of
/// manythings.org, are ignored). Throws DataError naming size or line if the file is empty, larger than kMaxFileBytes, or
/// has no good line.
Pairs read_pairs(std::string_view text, const PairsOptions& options);

}  // namespace attn::text
