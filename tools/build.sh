# shellcheck shell=bash
# What `build`, `serve` and `test` build. Each step only does what has changed: Ninja knows
# for C++, a hash of their ingredients for the weights, Vite builds the page anew.

JOBS=${JOBS:-$(getconf _NPROCESSORS_ONLN)}

# configured PRESET : a build folder is thrown away if the checkout was moved or the toolchain
# changed, since CMake keeps both as absolute paths; otherwise Ninja configures when needed.
configured() {
  local folder=$BUILD/$1 made_with
  made_with="$ROOT $(readlink -f "$TOOLCHAIN/headers") $(readlink -f "$TOOLCHAIN/emscripten")"
  [ -f "$folder/build.ninja" ] && [ "$(cat "$folder/made-with" 2>/dev/null)" = "$made_with" ] && return
  rm -rf "$folder"
  cmake --preset "$1" && printf '%s\n' "$made_with" >"$folder/made-with"
}

# cmake_build PRESET WHAT [TARGET…]
cmake_build() {
  local preset=$1 what=$2
  shift 2
  say "$what"
  configured "$preset" && cmake --build --preset "$preset" -j "$JOBS" ${1+--target "$@"}
}

build_native() { cmake_build native-release "C++ for this machine: build/bin/attn and the tests"; }
build_wasm_tests() { cmake_build wasm-simd "C++ as WebAssembly: the tests" attn_tests; }
build_engine() {
  cmake_build wasm-simd "C++ as WebAssembly: the variant that runs everywhere" attn_wasm
  cmake_build wasm-relaxed "C++ as WebAssembly: the variant with relaxed SIMD" attn_wasm
}
build_weights() { timed "weights that ship with the site" node "$ROOT/tools/train-weights.mjs"; }
build_site() { (cd "$ROOT/web" && timed "the page" npm run --silent build); }

# What the page needs; build_all adds the program for the shell.
build_page() {
  build_engine
  build_weights
  build_site
}
build_all() {
  build_native
  build_page
}
