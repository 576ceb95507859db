#include "fuzz/mutate.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace attn::fuzz {
namespace {

constexpr std::size_t kMostKept = 512;
constexpr const char* kNumbers[] = {
    "0",   "-1",    "1",    "255", "65536", "2147483648", "4294967295", "9223372036854775807", "18446744073709551616",
    "1e9", "1e400", "-0.0", "0.5"};
constexpr unsigned char kBytes[] = {0x00, 0x01, 0x7F, 0x80, 0xFF, '"', '{', '}', '[', ']', ',', ':', '\\', '\t', '\n'};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// A refusal without its numbers, so that "line 3" and "line 4" are the same news.
std::string kind_of(const std::string& outcome) {
  std::string out;
  for (const char c : outcome)
    if (!is_digit(c)) out += c;
  return out.substr(0, 80);  // what follows mostly quotes the input
}

}  // namespace

Fuzzer::Fuzzer(const Target& target, std::uint64_t seed) : target_(target), rng_(seed), corpus_(target.seeds()) {}

void Fuzzer::step() {
  const std::size_t n = steps_++;
  input_ = corpus_[n < corpus_.size() ? n : below(corpus_.size())];  // the seeds themselves come first
  if (n >= corpus_.size())
    for (std::size_t i = 1 + below(6); i > 0; --i) mutate();
  if (input_.size() > kLongest) input_.resize(kLongest);
  consider(target_.run(input_));
}

void Fuzzer::mutate() {
  switch (below(3)) {
    case 0:
      return mutate_bytes();
    case 1:
      return mutate_runs();
    default:
      return mutate_numbers();
  }
}

void Fuzzer::mutate_bytes() {
  if (input_.empty()) return;
  const std::size_t at = place();
  switch (below(3)) {
    case 0:
      input_[at] = static_cast<char>(input_[at] ^ (1 << below(8)));
      return;
    case 1:
      input_[at] = static_cast<char>(kBytes[below(std::size(kBytes))]);
      return;
    default:
      input_[at] = static_cast<char>(below(256));
  }
}

void Fuzzer::mutate_runs() {
  const std::size_t from = place(), length = std::min(1 + below(below(8) == 0 ? 256 : 12), input_.size() - from);
  switch (below(5)) {
    case 0:
      input_.erase(from, length);
      return;
    case 1:
      input_.insert(place(), input_.substr(from, length));
      return;
    case 2:
      if (!target_.words.empty()) input_.insert(from, target_.words[below(target_.words.size())]);
      return;
    case 3: {  // the beginning of this, the end of another
      const std::string& other = corpus_[below(corpus_.size())];
      input_ =
          input_.substr(0, from) + other.substr(std::min(other.size(), below(8) == 0 ? below(other.size() + 1) : from));
      return;
    }
    default:
      if (below(4) == 0) input_.resize(from);
  }
}

/// Numbers in text, and 64-bit length fields such as the one that safetensors begin with.
void Fuzzer::mutate_numbers() {
  if (below(4) == 0 && input_.size() >= 8) {
    const std::size_t at = below(2) == 0 ? 0 : below(input_.size() - 7);
    std::uint64_t field = 0;
    std::memcpy(&field, input_.data() + at, 8);
    field = below(3) == 0 ? (std::uint64_t{1} << below(64)) - below(2) : field + below(17) - 8;
    std::memcpy(input_.data() + at, &field, 8);
    return;
  }
  const auto digit = std::find_if(input_.begin() + static_cast<std::ptrdiff_t>(place()), input_.end(), is_digit);
  const auto end = std::find_if_not(digit, input_.end(), is_digit);
  if (digit == end) return;
  const std::string number = kNumbers[below(std::size(kNumbers))];
  input_.replace(digit, end, number);
}

void Fuzzer::consider(const std::string& outcome) {
  const std::string kind = outcome.empty() ? "accepted " + std::to_string(input_.size() / 8) : kind_of(outcome);
  const auto at = std::ranges::lower_bound(outcomes_, kind);
  if (at != outcomes_.end() && *at == kind) return;
  outcomes_.insert(at, kind);
  if (corpus_.size() < kMostKept) corpus_.push_back(input_);
}

}  // namespace attn::fuzz
