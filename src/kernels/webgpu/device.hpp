// Products by WebGPU, for kernels/matmul.cpp; what the page is told of the GPU, for engine/gpu.cpp. Only the variant `gpu`
// has one (device.cpp); everywhere else absent.cpp says that there is none.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/matmul.hpp"

namespace attn::kernels::gpu {

/// Who takes products of the path `fastest`: the GPU where it is measured to win, nobody but SIMD, or the GPU all of them.
enum class Choice { automatic, wasm, gpu };

/// absent: this build has no GPU path. idle: no product was large enough yet, so no GPU was asked for.
enum class State { absent, idle, on, off };

/// Why a GPU is off.
enum class Reason { none, no_webgpu, no_adapter, fallback_adapter, no_device, wrong, slow, lost, failed };

constexpr const char* word(Reason reason) {
  constexpr const char* kWords[] = {"none", "no_webgpu", "no_adapter", "fallback_adapter", "no_device", "wrong",
                                    "slow", "lost",      "failed"};
  return kWords[static_cast<std::size_t>(reason)];
}

enum class Fault { lost, out_of_memory, validation, map, timeout };
inline constexpr std::size_t kFaults = 5;

struct FaultCount {
  std::size_t count = 0;
  std::string message;  // of the last one
};

struct Adapter {
  std::string vendor, architecture, description;  // may be empty: browsers hide them
  bool fallback = false;                          // software
};

/// The largest |gpu - wasm| / max(1, |wasm|) over a number of products of odd shapes.
struct Probe {
  std::size_t products = 0;
  double worst = 0.0, tolerance = 0.0;
};

struct KernelTime {
  const char* name;
  double ms;  // of a whole round trip
};

struct SizeTime {
  std::size_t size;  // of a product size × size · size × size
  double wasm_ms, gpu_ms;
};

struct Status {
  State state = State::absent;
  Reason reason = Reason::none;
  Choice choice = Choice::automatic;
  std::optional<Adapter> adapter;
  std::optional<Probe> probe;
  const char* kernel = nullptr;  // the one chosen
  std::vector<KernelTime> kernels;
  std::vector<SizeTime> sizes;
  std::optional<std::size_t> crossover;  // from this size on the GPU was faster; none: nowhere
  FaultCount faults[kFaults];
  double products = 0, submissions = 0, uploaded_bytes = 0, kept_bytes = 0;
};

/// Milliseconds of the phases of a submission, each waited for.
struct Phases {
  double upload = 0.0, compute = 0.0, readback = 0.0;
};

/// Computes products of which none reads what another writes, or gives false and leaves every C as it was: there is no GPU, it
/// failed (which the status then tells of), or, unless `all`, it is not expected to win. Waits; throws nothing.
bool multiply(std::span<const MatmulArgs> products, bool all);

/// The same for one product, phase by phase.
bool multiply_in_phases(const MatmulArgs& product, Phases& phases);

/// Whether every product of this path is to go to the GPU: then layers compute in the form that is made of products.
bool takes_all(MatmulPath path);

Status status();
/// The word for why a product that was meant for the GPU was not computed by it: "absent", or that of a reason.
const char* why_not();
std::size_t fault_count();

void choose(Choice choice);
/// A software adapter is good enough: for tests, and for who insists.
void allow_fallback();
/// Gets a device, compares it with SIMD and measures it, unless that has been done; after a failure, once more.
void start();
/// Loses the device on purpose.
void destroy();

}  // namespace attn::kernels::gpu
