#include "text/pairs.hpp"

#include <algorithm>
#include <optional>

#include "text/preprocess.hpp"
#include "text/utf8.hpp"

namespace attn::text {
namespace {

Pairs::BadLine bad(const char* code, std::string_view sentence, std::map<std::string, std::string> values = {}) {
  return {0, filled(sentence, values), {code, std::move(values)}};
}

/// Splits one line into a pair; says why where it cannot.
std::optional<Pairs::BadLine> read_line(std::string_view line, bool book, Pair& out) {
  if (line.find('\0') != std::string_view::npos) return bad("line.zero", "a zero byte: this is no text");
  if (!is_utf8(line)) return bad("line.utf8", "not UTF-8");
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos) return bad("line.column", "one column; a TAB separates source and target");
  const std::size_t end = line.find('\t', tab + 1);
  if (book && end != std::string_view::npos) return bad("line.columns", "more than two columns");
  const auto tokens = [book](std::string_view text) { return split(book ? preprocess(text) : preprocess_typed(text)); };
  out = {tokens(line.substr(0, tab)),
         tokens(line.substr(tab + 1, end == std::string_view::npos ? end : end - tab - 1))};
  if (out.source.empty()) return bad("line.source", "no source sentence");
  if (out.target.empty()) return bad("line.target", "no target sentence");
  const std::size_t longest = std::max(out.source.size(), out.target.size());
  if (longest <= kMaxTokens) return std::nullopt;
  return bad("line.long", "{tokens} tokens; at most {most} make a sentence",
             {{"tokens", std::to_string(longest)}, {"most", std::to_string(kMaxTokens)}});
}

void check_file(std::string_view text) {
  if (text.size() > kMaxFileBytes)
    throw refused<DataError>(
        "pairs.large", "the file has {size} MiB; at most {most} MiB are read",
        {{"size", std::to_string(text.size() >> 20)}, {"most", std::to_string(kMaxFileBytes >> 20)}});
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw refused<DataError>("pairs.empty", "the file is empty");
}

void refuse_if_none(const Pairs& out) {
  if (!out.pairs.empty()) return;
  const Pairs::BadLine& first = out.bad_lines.front();
  std::map<std::string, std::string> values = {
      {"line", std::to_string(first.line)}, {"why", first.reason}, {"why_code", first.why.code}};
  values.insert(first.why.values.begin(), first.why.values.end());
  throw refused<DataError>("pairs.none", "no line of the file is a pair; line {line}: {why}", std::move(values));
}

}  // namespace

Pairs read_pairs(std::string_view text, const PairsOptions& options) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  check_file(text);
  Pairs out;
  const std::size_t limit = options.examples == 0 ? text.size() : options.examples + (options.book ? 1 : 0);
  for (std::size_t number = 1; !text.empty() && out.pairs.size() < limit; ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    Pair pair;
    std::optional<Pairs::BadLine> refusal = read_line(line, options.book, pair);
    pair.line = number;
    if (!refusal)
      out.pairs.push_back(std::move(pair));
    else if (++out.bad_line_count <= Pairs::kShown)
      out.bad_lines.emplace_back(std::move(*refusal)).line = number;
  }
  refuse_if_none(out);
  return out;
}

}  // namespace attn::text
