#include "text/utf8.hpp"

#include <cstdint>

namespace attn::text {
namespace {

/// Length of the sequence that begins with this byte; 0 if none does.
int sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

std::uint32_t decode(std::string_view text, std::size_t at, int length) {
  const auto byte = [&](int i) { return static_cast<unsigned char>(text[at + static_cast<std::size_t>(i)]); };
  if (length == 1) return byte(0);
  std::uint32_t code = byte(0) & (0x7FU >> length);
  for (int i = 1; i < length; ++i) code = code << 6 | (byte(i) & 0x3FU);
  return code;
}

void encode(std::uint32_t code, std::string& out) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

bool is_even_pair(std::uint32_t c) {  // blocks where an even code is a capital and the next one its small letter
  return (c >= 0x100 && c <= 0x137 && c != 0x130 && c != 0x131) || (c >= 0x14A && c <= 0x177) ||
         (c >= 0x460 && c <= 0x481) || (c >= 0x48A && c <= 0x4BF) || (c >= 0x4D0 && c <= 0x4FF) ||
         (c >= 0x1E00 && c <= 0x1E95) || (c >= 0x1EA0 && c <= 0x1EFF);
}

bool is_odd_pair(std::uint32_t c) { return (c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E); }

std::uint32_t lower(std::uint32_t c) {
  if ((c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7)) return c + 32;
  if (c == 0x178) return 0xFF;  // Ÿ
  if (is_even_pair(c)) return c | 1U;
  if (is_odd_pair(c)) return c + (c & 1U);
  if (c >= 0x391 && c <= 0x3A9) return c + 32;  // Greek
  if (c >= 0x410 && c <= 0x42F) return c + 32;  // Cyrillic
  if (c >= 0x400 && c <= 0x40F) return c + 80;
  return c;
}

}  // namespace

bool is_utf8(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    const int length = sequence_length(static_cast<unsigned char>(bytes[i]));
    if (length == 0 || i + static_cast<std::size_t>(length) > bytes.size()) return false;
    for (std::size_t k = 1; k < static_cast<std::size_t>(length); ++k)
      if ((static_cast<unsigned char>(bytes[i + k]) & 0xC0) != 0x80) return false;
    const std::uint32_t code = decode(bytes, i, length);
    if (length == 3 && (code < 0x800 || (code >= 0xD800 && code <= 0xDFFF))) return false;
    if (length == 4 && (code < 0x10000 || code > 0x10FFFF)) return false;
    i += static_cast<std::size_t>(length);
  }
  return true;
}

std::u32string code_points(std::string_view text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const int length = sequence_length(static_cast<unsigned char>(text[i]));
    out += decode(text, i, length);
    i += static_cast<std::size_t>(length);
  }
  return out;
}

std::string utf8(char32_t character) {
  std::string out;
  encode(character, out);
  return out;
}

std::string lower(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const int length = sequence_length(static_cast<unsigned char>(text[i]));
    if (length == 4)
      out.append(text, i, 4);
    else
      encode(lower(decode(text, i, length)), out);
    i += static_cast<std::size_t>(length);
  }
  return out;
}

}  // namespace attn::text
