#pragma once

#include <string>
#include <vector>

namespace attn::cli {

/// Runs `attn WORDS…` and returns its exit code. Throws attn::Error for what the user should mend.
int run(const std::vector<std::string>& words);

}  // namespace attn::cli
