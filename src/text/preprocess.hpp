#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn::text {

/// The chapter's preprocessing: no-break spaces (U+00A0, U+202F) become spaces, letters small, and a space is put before
/// each of ,.!? that has none before it. Nothing else: apostrophes and hyphens stay where they are.
std::string preprocess(std::string_view text);

/// The same, for text that people type: curly apostrophes become straight ones (fault B31), any run of white space or
/// control characters one space, none at the ends (B15).
std::string preprocess_typed(std::string_view text);

/// Split at single spaces, as Python's split(' ') does; "" gives no token.
std::vector<std::string> split(std::string_view text);

}  // namespace attn::text
