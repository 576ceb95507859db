#include "engine/gpu.hpp"

#include <algorithm>

#include "kernels/webgpu/device.hpp"

namespace attn::engine {
namespace {

namespace gpu = kernels::gpu;

// In the order of the enumerations of device.hpp.
constexpr const char* kStates[] = {"absent", "idle", "on", "off"};
constexpr const char* kChoices[] = {"auto", "wasm", "gpu"};
constexpr const char* kFaults[] = {"lost", "out_of_memory", "validation", "map", "timeout"};
static_assert(std::size(kFaults) == gpu::kFaults);

template <class E>
std::size_t index(E e) {
  return static_cast<std::size_t>(e);
}

void obey(const Json& request) {
  if (request.contains("choice")) {
    const auto wanted = request["choice"].get<std::string>();
    const auto found = std::ranges::find(kChoices, wanted);
    if (found == std::end(kChoices)) throw ConfigError("gpu: choice is auto, wasm or gpu, not " + wanted);
    gpu::choose(static_cast<gpu::Choice>(found - kChoices));
  }
  if (request.value("fallback", false)) gpu::allow_fallback();
  if (request.value("start", false)) gpu::start();
  if (request.value("destroy", false)) gpu::destroy();
}

void add_measured(Json& out, const gpu::Status& s) {
  if (s.probe)
    out["probe"] = {{"products", s.probe->products}, {"worst", s.probe->worst}, {"tolerance", s.probe->tolerance}};
  if (s.kernel != nullptr) out["kernel"] = s.kernel;
  for (const gpu::KernelTime& k : s.kernels) out["kernels"].push_back({{"name", k.name}, {"ms", k.ms}});
  if (s.sizes.empty()) return;
  Json& crossover = out["crossover"] = {{"size", nullptr}, {"table", Json::array()}};
  if (s.crossover) crossover["size"] = *s.crossover;
  for (const gpu::SizeTime& t : s.sizes)
    crossover["table"].push_back({{"size", t.size}, {"wasm_ms", t.wasm_ms}, {"gpu_ms", t.gpu_ms}});
}

}  // namespace

Json gpu_reply(const Json& request) {
  obey(request);
  const gpu::Status s = gpu::status();
  Json out = {{"state", kStates[index(s.state)]}, {"choice", kChoices[index(s.choice)]}, {"faults", Json::array()}};
  if (s.state == gpu::State::off) out["reason"] = gpu::word(s.reason);
  if (s.adapter)
    out["adapter"] = {{"vendor", s.adapter->vendor},
                      {"architecture", s.adapter->architecture},
                      {"description", s.adapter->description},
                      {"fallback", s.adapter->fallback}};
  add_measured(out, s);
  for (std::size_t i = 0; i < gpu::kFaults; ++i)
    if (s.faults[i].count > 0)
      out["faults"].push_back({{"code", kFaults[i]}, {"count", s.faults[i].count}, {"message", s.faults[i].message}});
  out["products"] = s.products;
  out["submissions"] = s.submissions;
  out["uploaded"] = s.uploaded_bytes;
  out["kept"] = s.kept_bytes;
  return out;
}

}  // namespace attn::engine
