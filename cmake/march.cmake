# ATTN_MARCH: what the native build may assume of the processor. On x86-64 that is AVX2 and
# FMA (x86-64-v3), unless this very machine says that it lacks them. Empty: the compiler's own.
set(march "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(march x86-64-v3)
  if(EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo cpu_flags REGEX "^flags.* avx2 " LIMIT_COUNT 1)
    if(NOT cpu_flags MATCHES " fma ")
      set(march x86-64-v2)
    endif()
  endif()
endif()
set(ATTN_MARCH "${march}" CACHE STRING "-march of the native build")
