// The test program of the variant `gpu`, as a module: `await (await factory({print})).run(filter)` in a browser gives the number of
// failed cases. Every product may wait there, so it has no main.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <emscripten/bind.h>

#include "kernels/webgpu/device.hpp"

namespace {

/// Cases whose names the filter matches; a software adapter is good enough.
int run(const std::string& filter) {
  attn::kernels::gpu::allow_fallback();
  doctest::Context context;
  context.setOption("no-colors", true);
  if (!filter.empty()) context.addFilter("test-case", filter.c_str());
  return context.run();
}

}  // namespace

EMSCRIPTEN_BINDINGS(attn_gpu_tests) { emscripten::function("run", &run, emscripten::async()); }
