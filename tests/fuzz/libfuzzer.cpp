// The same targets for libFuzzer, which measures coverage. ATTN_FUZZ_TARGET names the one to run.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const attn::fuzz::Target& target = [] -> const attn::fuzz::Target& {
    const char* name = std::getenv("ATTN_FUZZ_TARGET");
    return attn::fuzz::target(name == nullptr ? "" : name);
  }();
  target.run({reinterpret_cast<const char*>(data), size});
  return 0;
}
