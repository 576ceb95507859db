# attn_headers: the header-only libraries of the core, in versions that work.
#
# Looked for in this order: the headers that `./run setup` linked to build/toolchain, what
# find_package knows of (CMAKE_PREFIX_PATH, the system), and last a download of the same
# versions (-DATTN_FETCH=ON: only that).

option(ATTN_FETCH "Download the header libraries whatever the system has" OFF)
add_library(attn_headers INTERFACE)
list(PREPEND CMAKE_PREFIX_PATH ${CMAKE_SOURCE_DIR}/build/toolchain/headers)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH) # Emscripten's own says: only inside its sysroot

# Emscripten brings a libc of its own: /usr/include must never be seen by it, only the
# wanted folders in it, by links.
function(attn_include_dir dir)
  if(EMSCRIPTEN AND EXISTS ${dir}/stdlib.h)
    set(links ${CMAKE_BINARY_DIR}/include)
    file(MAKE_DIRECTORY ${links})
    foreach(entry xtensor xtensor.hpp xtl xsimd doctest nlohmann)
      if(EXISTS ${dir}/${entry})
        file(CREATE_LINK ${dir}/${entry} ${links}/${entry} SYMBOLIC)
      endif()
    endforeach()
    set(dir ${links})
  endif()
  target_include_directories(attn_headers SYSTEM INTERFACE ${dir})
endfunction()

function(attn_fetch package url tag include)
  include(FetchContent)
  message(STATUS "${package}: downloading ${tag}")
  # SOURCE_SUBDIR without a CMakeLists.txt: the headers alone, none of its build.
  FetchContent_Declare(${package} GIT_REPOSITORY ${url} GIT_TAG ${tag} GIT_SHALLOW ON
                       SOURCE_SUBDIR include/none)
  FetchContent_MakeAvailable(${package})
  attn_include_dir(${${package}_SOURCE_DIR}/${include})
endfunction()

# attn_header_library(PACKAGE TARGET OLDEST BELOW URL TAG INCLUDE): OLDEST ≤ version < BELOW.
function(attn_header_library package target oldest below url tag include)
  if(NOT ATTN_FETCH)
    find_package(${package} CONFIG QUIET)
  endif()
  if(NOT ${package}_FOUND)
    attn_fetch(${package} ${url} ${tag} ${include})
  elseif(${package}_VERSION VERSION_LESS oldest OR ${package}_VERSION VERSION_GREATER_EQUAL below)
    set(found ${${package}_DIR})
    unset(${package}_DIR CACHE) # look again at the next try
    message(FATAL_ERROR "${package} ${${package}_VERSION} in ${found} does not serve, "
      "it takes ${oldest} or newer, below ${below}: call ./run setup, or give -DATTN_FETCH=ON.")
  else()
    message(STATUS "${package} ${${package}_VERSION}: ${${package}_DIR}")
    get_target_property(dirs ${target} INTERFACE_INCLUDE_DIRECTORIES)
    foreach(dir IN LISTS dirs)
      attn_include_dir(${dir})
    endforeach()
  endif()
endfunction()

# xsimd 13 is the first with a WebAssembly back end that our kernels need; xtensor 0.26 moved
# its headers.
attn_header_library(xsimd xsimd 13 14 https://github.com/xtensor-stack/xsimd.git 13.2.0 include)
attn_header_library(xtl xtl 0.7.5 0.8 https://github.com/xtensor-stack/xtl.git 0.7.7 include)
attn_header_library(xtensor xtensor 0.25 0.26 https://github.com/xtensor-stack/xtensor.git 0.25.0 include)
attn_header_library(doctest doctest::doctest 2.4 3 https://github.com/doctest/doctest.git v2.4.11 .)
attn_header_library(nlohmann_json nlohmann_json::nlohmann_json 3.11 4 https://github.com/nlohmann/json.git v3.11.3 include)
