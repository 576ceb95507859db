#include "text/preprocess.hpp"

#include "text/utf8.hpp"

namespace attn::text {
namespace {

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

std::string preprocess(std::string_view text) {
  const std::string small = lower(replace_all(replace_all(std::string(text), "\u00A0", " "), "\u202F", " "));
  std::string out;
  out.reserve(small.size() + 8);
  for (const char c : small) {
    const bool mark = c == ',' || c == '.' || c == '!' || c == '?';
    if (mark && !out.empty() && out.back() != ' ') out += ' ';
    out += c;
  }
  return out;
}

std::string preprocess_typed(std::string_view text) {
  std::string plain = replace_all(replace_all(std::string(text), "\u2019", "'"), "\u2018", "'");
  plain = replace_all(replace_all(std::move(plain), "\u00A0", " "), "\u202F", " ");
  plain = replace_all(replace_all(std::move(plain), "\u2003", " "), "\u3000", " ");
  std::string tidy;
  for (const char c : plain) {
    const bool space = static_cast<unsigned char>(c) <= ' ' || c == 0x7F;
    if (!space)
      tidy += c;
    else if (!tidy.empty() && tidy.back() != ' ')
      tidy += ' ';
  }
  if (!tidy.empty() && tidy.back() == ' ') tidy.pop_back();
  return preprocess(tidy);
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> tokens;
  if (text.empty()) return tokens;
  for (std::size_t start = 0;;) {
    const std::size_t end = text.find(' ', start);
    tokens.emplace_back(text.substr(start, end - start));
    if (end == std::string_view::npos) return tokens;
    start = end + 1;
  }
}

}  // namespace attn::text
