# Toolchain file of the WebAssembly presets: finds Emscripten, then leaves the rest to
# Emscripten's own toolchain file. `./run setup` links what it chose to build/toolchain;
# without it, EMSDK and PATH are asked.
set(chosen ${CMAKE_CURRENT_LIST_DIR}/../build/toolchain/emscripten)
if(NOT EXISTS ${chosen}/emcc AND DEFINED ENV{EMSDK})
  set(chosen $ENV{EMSDK}/upstream/emscripten)
endif()
if(NOT EXISTS ${chosen}/emcc)
  find_program(ATTN_EMCC emcc)
  if(ATTN_EMCC)
    file(REAL_PATH ${ATTN_EMCC} real)
    cmake_path(GET real PARENT_PATH chosen)
  endif()
endif()
if(NOT EXISTS ${chosen}/emcc)
  message(FATAL_ERROR "Emscripten is not here: call ./run setup, which finds or installs it.")
endif()
file(REAL_PATH ${chosen} EMSCRIPTEN_ROOT_PATH)
include(${EMSCRIPTEN_ROOT_PATH}/cmake/Modules/Platform/Emscripten.cmake)
