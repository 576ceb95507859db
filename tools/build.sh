# shellcheck shell=bash
# What `build`, `serve` and `test` build. Each step only does what has changed: Ninja knows
# for C++, a hash of their ingredients for the weights, Vite builds the page anew.

JOBS=${JOBS:-$(getconf _NPROCESSORS_ONLN)}

# configured PRESET : a build folder is thrown away if the checkout was moved or the toolchain
# changed, since CMake keeps absolute paths of both; otherwise Ninja configures when needed.
configured() {
  local folder=$BUILD/$1 now
  now="$(readlink -f "$TOOLCHAIN/headers") $(readlink -f "$TOOLCHAIN/emscripten")"
  if [ -f "$folder/build.ninja" ] && grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$ROOT" "$folder/CMakeCache.txt" &&
    { [ ! -f "$folder/made-with" ] || [ "$(<"$folder/made-with")" = "$now" ]; }; then
    : # bare CMake has made it
  else
    rm -rf "$folder"
    cmake --preset "$1" || return
  fi
  printf '%s\n' "$now" >"$folder/made-with"
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
  cmake_build wasm-gpu "C++ as WebAssembly: the variant that may wait for WebGPU" attn_wasm
}
build_weights() { timed "weights that ship with the site" node "$ROOT/tools/train-weights.mjs"; }

# Vite builds the whole page, so it is asked only if something that it reads is newer than
# the last build that ended well. A folder is newer when a file in it was added or removed.
SITE_READS=(web lessons src tests/parity build/weights build/wasm-simd/attn.{mjs,wasm} build/wasm-relaxed/attn.{mjs,wasm} build/wasm-gpu/attn.{mjs,wasm})
build_site() {
  local stamp=$BUILD/site.stamp
  if [ -f "$stamp" ] && [ -f "$BUILD/site/index.html" ] && [ -z "$(site_changes "$stamp")" ]; then
    say "the page is built already"
    return
  fi
  rm -f "$stamp"
  touch "$stamp.new"
  (cd "$ROOT/web" && timed "the page" npm run --silent build) && mv "$stamp.new" "$stamp"
}
site_changes() {
  (cd "$ROOT" && find "${SITE_READS[@]}" -name node_modules -prune -o -newer "$1" -print -quit)
}

# What the page needs; build_all adds the program for the shell.
build_page() {
  build_engine
  build_weights
  build_site
}
build_all() {
  build_native
  build_page
  node "$ROOT/tools/release.mjs"
}
