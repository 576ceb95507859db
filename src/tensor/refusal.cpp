#include "tensor/refusal.hpp"

#include <algorithm>

namespace attn {

std::string filled(std::string_view sentence, const std::map<std::string, std::string>& values) {
  std::string out;
  for (std::size_t at = 0; at < sentence.size();) {
    const std::size_t open = sentence.find('{', at), close = sentence.find('}', std::min(open, sentence.size()));
    out += sentence.substr(at, open - at);
    if (close == std::string_view::npos) return out += open < sentence.size() ? sentence.substr(open) : "";
    const auto value = values.find(std::string(sentence.substr(open + 1, close - open - 1)));
    out += value == values.end() ? sentence.substr(open, close + 1 - open) : std::string_view(value->second);
    at = close + 1;
  }
  return out;
}

}  // namespace attn
