# Every compiler and linker flag of the C++ core, with its reason.
# attn_flags is for all targets; attn_wasm_flags and attn_tests_flags add what only the
# linking of one program needs.

add_library(attn_flags INTERFACE)
target_compile_features(attn_flags INTERFACE cxx_std_20)
set(CMAKE_CXX_EXTENSIONS OFF)

target_compile_definitions(attn_flags INTERFACE XTENSOR_USE_XSIMD)
target_compile_options(attn_flags INTERFACE
  -Wall -Wextra
  # GCC 12 sees overlaps and overflows in std::string::replace that are not there (GCC bug 105329).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict$<SEMICOLON>-Wno-stringop-overflow>
  # A product and a sum are rounded one by one unless the source says fma, so that the
  # plain build gives the same bits on every machine.
  -ffp-contract=off
  # sqrt and exp need not report through errno: they become instructions.
  -fno-math-errno)

add_library(attn_wasm_flags INTERFACE)
add_library(attn_tests_flags INTERFACE)

if(EMSCRIPTEN)
  target_compile_options(attn_flags INTERFACE
    -fwasm-exceptions -msimd128 $<$<BOOL:${ATTN_RELAXED_SIMD}>:-mrelaxed-simd>)
  target_link_options(attn_flags INTERFACE
    -fwasm-exceptions           # needed at compile and at link
    -sDYNAMIC_EXECUTION=0       # the page's policy forbids eval
    -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=64MB -sMAXIMUM_MEMORY=1GB -sSTACK_SIZE=1MB
    # A graph makes and frees many small nodes in each step: dlmalloc bins them;
    # emmalloc would save 5 kB and walk its lists.
    -sMALLOC=dlmalloc
    # Every browser with SIMD has BigInt; no pass over the module to legalise 64-bit numbers.
    -sWASM_BIGINT)
  target_link_options(attn_wasm_flags INTERFACE
    -lembind -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=web,worker,node -sFILESYSTEM=0)
  # The tests read goldens from the real file system.
  target_link_options(attn_tests_flags INTERFACE -sENVIRONMENT=node -sNODERAWFS -sEXIT_RUNTIME)
else()
  include(${CMAKE_CURRENT_LIST_DIR}/march.cmake)
  if(ATTN_MARCH)
    target_compile_options(attn_flags INTERFACE -march=${ATTN_MARCH})
  endif()
endif()

if(ATTN_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all)
  target_compile_options(attn_flags INTERFACE ${sanitizers} -O1 -fno-omit-frame-pointer)
  target_link_options(attn_flags INTERFACE ${sanitizers})
  if(ATTN_LIBFUZZER)
    target_compile_options(attn_flags INTERFACE -fsanitize=fuzzer-no-link)
  endif()
endif()
