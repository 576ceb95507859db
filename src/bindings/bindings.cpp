// The WebAssembly door: JSON in, JSON and copied buffers out. The one place where exceptions stop.
#include <emscripten/bind.h>
#include <emscripten/heap.h>
#include <emscripten/val.h>
#include <malloc.h>

#include <new>

#include "engine/engine.hpp"
#include "engine/failure.hpp"
#include "tensor/storage.hpp"

namespace {

using attn::engine::Json;
using emscripten::val;

#if defined(ATTN_WEBGPU)
constexpr const char* kVariant = "gpu";
#elif defined(__wasm_relaxed_simd__)
constexpr const char* kVariant = "relaxed";
#else
constexpr const char* kVariant = "simd";
#endif

/// A copy in JavaScript's memory: no view of the heap leaves the module (a view goes stale when the heap grows).
template <class T>
val copied(const T* data, std::size_t size) {
  return val(emscripten::typed_memory_view(size, data)).call<val>("slice");
}

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

val failure(const Json& error) {
  val out = val::object();
  out.set("head", dump({{"error", error}}));
  return out;
}
val failure(const std::string& message) { return failure({{"type", "EngineError"}, {"message", message}}); }

class Engine {
 public:
  val call(const std::string& verb, const std::string& request, const val& bytes) {
    try {
      const std::string file = bytes.isUndefined() || bytes.isNull() ? std::string() : bytes.as<std::string>();
      return success(engine_.call(verb, attn::engine::parse(request), file));
    } catch (const attn::Error& e) {
      return failure(attn::engine::failure_json(e));
    } catch (const std::bad_alloc&) {
      return failure({{"type", "EngineError"}, {"code", "memory"}, {"message", verb + ": out of memory"}});
    } catch (const std::exception& e) {
      return failure(verb + ": " + e.what());
    }
  }

  /// What the module holds, in bytes: its memory, what of it is handed out, and what the pool of tensors has taken.
  std::string memory() const {
    return dump({{"heap", emscripten_get_heap_size()},
                 {"in_use", static_cast<std::size_t>(mallinfo().uordblks)},
                 {"pool", attn::pool_bytes()}});
  }

 private:
  static val success(const attn::engine::Reply& reply) {
    val out = val::object();
    out.set("head", dump(reply.head));
    if (!reply.data.empty()) out.set("data", copied(reply.data.data(), reply.data.size()));
    if (!reply.bytes.empty())
      out.set("bytes", copied(reinterpret_cast<const unsigned char*>(reply.bytes.data()), reply.bytes.size()));
    return out;
  }

  attn::engine::Engine engine_{kVariant};
};

}  // namespace

EMSCRIPTEN_BINDINGS(attn) {
  emscripten::class_<Engine>("Engine")
      .constructor<>()
#if defined(ATTN_WEBGPU)
      .function("call", &Engine::call, emscripten::async())  // a promise: products wait for the GPU
#else
      .function("call", &Engine::call)
#endif
      .function("memory", &Engine::memory);
}
