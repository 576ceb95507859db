// Where there is no GPU path: native builds and the variants `simd` and `relaxed`.
#include "kernels/webgpu/device.hpp"

namespace attn::kernels::gpu {

bool multiply(std::span<const MatmulArgs>, bool) { return false; }
bool multiply_in_phases(const MatmulArgs&, Phases&) { return false; }
bool takes_all(MatmulPath) { return false; }
Status status() { return {}; }
const char* why_not() { return "absent"; }
std::size_t fault_count() { return 0; }
void choose(Choice) {}
void allow_fallback() {}
void start() {}
void destroy() {}

}  // namespace attn::kernels::gpu
