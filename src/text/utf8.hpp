#pragma once

#include <string>
#include <string_view>

namespace attn::text {

/// Whether the bytes are well-formed UTF-8 (no overlong forms, no surrogates, at most U+10FFFF).
bool is_utf8(std::string_view bytes);

/// The characters of a text, and the bytes of a character. The text must be UTF-8.
std::u32string code_points(std::string_view text);
std::string utf8(char32_t character);

/// Lower case of Latin, Greek and Cyrillic letters (U+0041 … U+04FF and Latin Extended Additional); everything else is
/// left as it is. The same on every machine and in every locale. The text must be UTF-8.
std::string lower(std::string_view text);

}  // namespace attn::text
