// What device.cpp calls of gpu.js. Those that wait suspend the module's call (JSPI).
addToLibrary({
  $attnGpu: 'new GpuProducts()',

  attn_gpu_open__deps: ['$attnGpu'],
  attn_gpu_open__async: true,
  attn_gpu_open: (fallbackToo) => attnGpu.open(fallbackToo !== 0),

  attn_gpu_limits__deps: ['$attnGpu'],
  attn_gpu_limits: (out) => HEAPF64.set(attnGpu.limits(), out / 8),

  // The products lie one behind the other, as struct Job of parts.hpp.
  attn_gpu_multiply__deps: ['$attnGpu'],
  attn_gpu_multiply__async: true,
  attn_gpu_multiply: async (jobs, count, kernel, phases, repeat) => {
    const words = 32;
    const operand = (at) => ({
      address: HEAPU32[at],
      bytes: HEAPU32[at + 1] * 4,
      version: HEAPU32[at + 2] + HEAPU32[at + 3] * 2 ** 32,
    });
    const products = Array.from({ length: count }, (_, i) => {
      const at = jobs / 4 + i * words;
      return {
        a: operand(at),
        b: operand(at + 4),
        start: operand(at + 8),
        c: { ...operand(at + 12), row: HEAPU32[at + 14] },
        n: HEAPU32[at + 17],
        params: HEAPU32.slice(at + 16, at + 28),
        groups: HEAPU32.slice(at + 28, at + 31),
      };
    });
    const measure = phases ? { repeat, phases: [0, 0, 0] } : undefined;
    const fault = await attnGpu.multiply(products, kernel, () => HEAPU8, measure);
    if (measure) HEAPF64.set(measure.phases, phases / 8);
    return fault;
  },

  attn_gpu_trim__deps: ['$attnGpu'],
  attn_gpu_trim: () => attnGpu.trim(),

  attn_gpu_close__deps: ['$attnGpu'],
  attn_gpu_close: () => attnGpu.close(),

  // As a driver would: the device is gone, and who uses it next learns so.
  attn_gpu_destroy__deps: ['$attnGpu'],
  attn_gpu_destroy: () => attnGpu.device?.destroy(),

  // Bytes that were uploaded, and bytes that were on the device already.
  attn_gpu_traffic__deps: ['$attnGpu'],
  attn_gpu_traffic: (out) => HEAPF64.set([attnGpu.uploaded, attnGpu.reused], out / 8),

  // Strings: vendor, architecture, description, 'fallback' or '', the last message; the caller frees them.
  attn_gpu_text__deps: ['$attnGpu', '$stringToNewUTF8'],
  attn_gpu_text: (which) => {
    const { vendor, architecture, description, fallback } = attnGpu.info;
    return stringToNewUTF8(
      [vendor, architecture, description, fallback ? 'fallback' : '', attnGpu.message][which] ?? '',
    );
  },
});
