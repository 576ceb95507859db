# attn_webgpu_flags: what a program of the variant `gpu` is linked with; nothing in any other variant.
# The kernels (*.wgsl) become strings of a script, which goes into the module before gpu.js.

add_library(attn_webgpu_flags INTERFACE)
if(NOT ATTN_WEBGPU)
  return()
endif()

set(webgpu ${CMAKE_SOURCE_DIR}/src/kernels/webgpu)
set(webgpu_shaders ${CMAKE_BINARY_DIR}/shaders.js)
attn_glob(webgpu_kernels src/kernels/webgpu/*.wgsl)
add_custom_command(
  OUTPUT ${webgpu_shaders}
  COMMAND ${CMAKE_COMMAND} -DOUT=${webgpu_shaders} "-DKERNELS=${webgpu_kernels}" -P ${CMAKE_SOURCE_DIR}/cmake/shaders.cmake
  DEPENDS ${webgpu_kernels} ${CMAKE_SOURCE_DIR}/cmake/shaders.cmake
  COMMENT "WGSL kernels as a script"
  VERBATIM)
add_custom_target(attn_webgpu_shaders DEPENDS ${webgpu_shaders})
add_dependencies(attn_webgpu_flags attn_webgpu_shaders)

target_compile_definitions(attn_webgpu_flags INTERFACE ATTN_WEBGPU)
target_link_options(attn_webgpu_flags INTERFACE
  -sJSPI # a call of the module may wait for a promise: the page's call then answers by one
  --pre-js=${webgpu_shaders} --pre-js=${webgpu}/gpu.js --js-library=${webgpu}/door.js)
set_property(TARGET attn_webgpu_flags APPEND PROPERTY INTERFACE_LINK_DEPENDS
  ${webgpu_shaders} ${webgpu}/gpu.js ${webgpu}/door.js)
