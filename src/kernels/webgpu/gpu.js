// Products on a WebGPU device: buffers, submissions, and what may go wrong. Goes into the module behind the kernels
// (SHADERS); door.js calls it. Nothing here throws: a call answers by a number, of which 0 is success.

// As in device.hpp: Reason of open(), Fault of multiply() plus one.
const GPU_OFF = {
  none: 0,
  no_webgpu: 1,
  no_adapter: 2,
  fallback_adapter: 3,
  no_device: 4,
  failed: 8,
};
const GPU_FAULT = { none: 0, lost: 1, out_of_memory: 2, validation: 3, map: 4, timeout: 5 };

const GPU_KERNELS = ['blocked', 'tiled']; // in the order of device.cpp

// Seconds after which a device is taken to hang: a submission of the largest products takes milliseconds in hardware.
const GPU_PATIENCE = 20;
const GPU_POOL_BYTES = 256 * 2 ** 20; // of free buffers
const GPU_KEPT_BYTES = 128 * 2 ** 20; // of weights
const GPU_PARAMS = 256; // bytes between the parameters of two products: minUniformBufferOffsetAlignment

const gpuAligned = (bytes) => Math.ceil(bytes / GPU_PARAMS) * GPU_PARAMS;

class GpuTrouble extends Error {
  constructor(fault, message) {
    super(message);
    this.fault = fault;
  }
}

/** What the promise gives, or GpuTrouble after GPU_PATIENCE seconds in which the thread ran: one by one, for a tab that was
 *  frozen or a machine that slept finds a timer due together with the device's answer, and may hear it first. */
function gpuWithin(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    const wait = (left) => {
      if (left === 0) reject(new GpuTrouble(GPU_FAULT.timeout, `no answer in ${GPU_PATIENCE} s`));
      else timer = setTimeout(wait, 1000, left - 1);
    };
    wait(GPU_PATIENCE);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Buffers by use and size; sizes are powers of two, so that products of changing sizes find one. */
class GpuPool {
  constructor(device) {
    this.device = device;
    this.free = new Map();
    this.bytes = 0;
  }

  take(usage, bytes) {
    const size = Math.max(256, 2 ** Math.ceil(Math.log2(bytes)));
    const list = this.free.get(usage * 2 ** 32 + size);
    if (!list?.length) return this.create(size, usage);
    this.bytes -= size;
    return list.pop();
  }

  /** Most browsers tell of too little memory by the error scope, some by an exception. */
  create(size, usage) {
    try {
      return this.device.createBuffer({ size, usage });
    } catch (error) {
      throw new GpuTrouble(GPU_FAULT.out_of_memory, String(error?.message ?? error));
    }
  }

  give(buffer) {
    if (this.bytes + buffer.size > GPU_POOL_BYTES) return buffer.destroy();
    const key = buffer.usage * 2 ** 32 + buffer.size;
    if (!this.free.has(key)) this.free.set(key, []);
    this.free.get(key).push(buffer);
    this.bytes += buffer.size;
  }

  clear() {
    for (const list of this.free.values()) for (const buffer of list) buffer.destroy();
    this.free.clear();
    this.bytes = 0;
  }
}

/** Operands that come again: by their place in the module's memory, uploaded anew when their version has changed. The one
 *  that was not used for longest goes first. */
class GpuKept {
  constructor(pool) {
    this.pool = pool;
    this.entries = new Map();
    this.bytes = 0;
  }

  key({ address, bytes }) {
    return `${address} ${bytes}`;
  }

  find(operand) {
    const entry = this.entries.get(this.key(operand));
    if (entry === undefined) return undefined;
    this.entries.delete(this.key(operand)); // and in again, behind all others
    this.entries.set(this.key(operand), entry);
    return entry;
  }

  /** `busy`: buffers of the submission that is being made, which must not go. */
  add(operand, usage, busy) {
    for (const [key, entry] of this.entries) {
      if (this.bytes + operand.bytes <= GPU_KEPT_BYTES) break;
      if (!busy.has(entry.buffer)) this.drop(key);
    }
    const entry = {
      buffer: this.pool.take(usage, operand.bytes),
      bytes: operand.bytes,
      version: 0,
    };
    this.entries.set(this.key(operand), entry);
    this.bytes += entry.bytes;
    return entry;
  }

  drop(key) {
    const entry = this.entries.get(key);
    this.entries.delete(key);
    this.bytes -= entry.bytes;
    entry.buffer.destroy(); // a submission that reads it has been waited for, or has failed
  }

  clear() {
    for (const key of [...this.entries.keys()]) this.drop(key);
  }
}

class GpuProducts {
  constructor() {
    this.message = '';
    this.info = {};
    this.uploaded = 0; // bytes
    this.reused = 0;
  }

  /** The adapter and a device of default limits, which every adapter has. */
  async open(fallbackToo) {
    try {
      return await gpuWithin(this.find(fallbackToo));
    } catch (error) {
      this.message = String(error?.message ?? error);
      return GPU_OFF.no_device;
    }
  }

  async find(fallbackToo) {
    const gpu = globalThis.navigator?.gpu;
    if (gpu === undefined) return GPU_OFF.no_webgpu;
    const adapter = await gpu.requestAdapter().catch(() => null);
    if (!adapter) return GPU_OFF.no_adapter;
    const info = adapter.info ?? {};
    const fallback = Boolean(info.isFallbackAdapter ?? adapter.isFallbackAdapter); // at its older place
    this.info = {
      vendor: info.vendor,
      architecture: info.architecture,
      description: info.description,
      fallback,
    };
    if (fallback && !fallbackToo) return GPU_OFF.fallback_adapter;
    const device = await adapter.requestDevice();
    this.watch(device);
    this.pool = new GpuPool(device);
    this.kept = new GpuKept(this.pool);
    try {
      await this.compile();
    } catch (error) {
      this.message = String(error?.message ?? error);
      this.close();
      return GPU_OFF.failed;
    }
    return GPU_OFF.none;
  }

  watch(device) {
    this.device = device;
    this.lost = '';
    device.lost.then(({ reason, message }) => {
      if (this.device === device) this.lost = message || reason || 'lost';
    });
    device.onuncapturederror = (event) => {
      event.preventDefault?.(); // told of by the status, not by the console
      this.message = event.error.message;
    };
  }

  async compile() {
    const { device } = this;
    const storage = (binding, type) => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type },
    });
    this.layout = device.createBindGroupLayout({
      entries: [
        'uniform',
        'read-only-storage',
        'read-only-storage',
        'read-only-storage',
        'storage',
      ].map((type, i) => storage(i, type)),
    });
    const layout = device.createPipelineLayout({ bindGroupLayouts: [this.layout] });
    const pipeline = (name) =>
      device.createComputePipelineAsync({
        layout,
        compute: {
          module: device.createShaderModule({ code: SHADERS[name] }),
          entryPoint: 'multiply',
        },
      });
    this.pipelines = await Promise.all(GPU_KERNELS.map(pipeline));
    this.nothing = device.createBuffer({ size: 256, usage: GPUBufferUsage.STORAGE });
  }

  /** The most bytes of one binding, and the most workgroups along one axis. */
  limits() {
    const { maxStorageBufferBindingSize, maxBufferSize, maxComputeWorkgroupsPerDimension } =
      this.device.limits;
    return [Math.min(maxStorageBufferBindingSize, maxBufferSize), maxComputeWorkgroupsPerDimension];
  }

  close() {
    const { device } = this;
    this.device = undefined;
    device?.destroy();
  }

  /** Gives back what is not in use; after the device ran out of memory. */
  trim() {
    this.kept.clear();
    this.pool.clear();
  }

  /**
   * Computes products and writes them into the module's memory, all or none. `heap` gives that memory as it is now, for it may
   * grow between two calls. `measure` asks for the milliseconds of upload, compute and read-back, each waited for, the middle one
   * of `measure.repeat` times the same: into `measure.phases`.
   */
  async multiply(products, kernel, heap, measure) {
    const used = { taken: [], busy: new Set() };
    try {
      if (this.device === undefined || this.lost)
        throw new GpuTrouble(GPU_FAULT.lost, this.lost || 'no device');
      await gpuWithin(this.submit(products, kernel, heap, measure, used));
      for (const buffer of used.taken) this.pool.give(buffer);
      return GPU_FAULT.none;
    } catch (error) {
      for (const buffer of used.taken) buffer.destroy();
      this.kept?.clear(); // what was uploaded last may not have arrived
      return this.told(error);
    }
  }

  /** The fault that an error means. A lost device shows first in what waits for it. */
  async told(error) {
    if (this.device)
      await Promise.race([this.device.lost, new Promise((done) => setTimeout(done, 20))]);
    this.message = this.lost || String(error?.message ?? error);
    if (this.lost || this.device === undefined) return GPU_FAULT.lost;
    return error instanceof GpuTrouble ? error.fault : GPU_FAULT.map;
  }

  async submit(products, kernel, heap, measure, used) {
    const { device } = this;
    device.pushErrorScope('out-of-memory');
    device.pushErrorScope('validation');
    const sent = await this.send(products, kernel, heap, measure, used).catch((thrown) => ({
      thrown,
    }));
    const [invalid, full] = await Promise.all([device.popErrorScope(), device.popErrorScope()]);
    if (full) throw new GpuTrouble(GPU_FAULT.out_of_memory, full.message);
    if (sent.thrown) throw sent.thrown;
    if (invalid) throw new GpuTrouble(GPU_FAULT.validation, invalid.message);
    const refused = await sent.mapped;
    if (refused) throw new GpuTrouble(GPU_FAULT.map, refused.message);
    this.fetch(products, sent.job, heap());
    if (measure) measure.phases = [...sent.phases, performance.now() - sent.started];
  }

  /** Everything up to the wait for the results; `mapped` gives an error rather than throw it. */
  async send(products, kernel, heap, measure, used) {
    const { device } = this;
    const job = this.prepare(products, heap(), used);
    const phases = [];
    let started = job.started;
    const lap = async () => {
      await device.queue.onSubmittedWorkDone();
      phases.push(performance.now() - started);
      started = performance.now();
    };
    if (measure) await lap();
    let encoder = device.createCommandEncoder();
    this.encode(encoder, kernel, products, job, measure?.repeat ?? 1);
    if (measure) {
      device.queue.submit([encoder.finish()]);
      await lap();
      encoder = device.createCommandEncoder();
    }
    encoder.copyBufferToBuffer(job.out, 0, job.read, 0, job.bytes);
    device.queue.submit([encoder.finish()]);
    const mapped = job.read.mapAsync(GPUMapMode.READ, 0, job.bytes).then(
      () => undefined,
      (error) => error,
    );
    return { job, mapped, phases, started };
  }

  /** Operands on the device, parameters, and room for the results. */
  prepare(products, heap, used) {
    const started = performance.now();
    const operands = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
    const take = (usage, bytes) => {
      const buffer = this.pool.take(usage, bytes);
      used.taken.push(buffer);
      return buffer;
    };
    const upload = (operand) => {
      if (operand.bytes === 0) return this.nothing;
      let buffer;
      if (operand.version > 0) {
        const entry = this.kept.find(operand) ?? this.kept.add(operand, operands, used.busy);
        buffer = entry.buffer;
        used.busy.add(buffer);
        if (entry.version === operand.version) {
          this.reused += operand.bytes;
          return buffer;
        }
        entry.version = operand.version;
      } else {
        buffer = take(operands, operand.bytes);
      }
      this.device.queue.writeBuffer(buffer, 0, heap.buffer, operand.address, operand.bytes);
      this.uploaded += operand.bytes;
      return buffer;
    };
    const words = new Uint32Array((products.length * GPU_PARAMS) / 4);
    let bytes = 0;
    const bound = products.map((x, i) => {
      words.set(x.params, (i * GPU_PARAMS) / 4);
      const at = bytes;
      bytes += gpuAligned(x.c.bytes);
      return { a: upload(x.a), b: upload(x.b), start: upload(x.start), at };
    });
    const params = take(GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST, words.byteLength);
    this.device.queue.writeBuffer(params, 0, words);
    const out = take(GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC, bytes);
    const read = take(GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST, bytes);
    return { bound, params, out, read, bytes, started };
  }

  encode(encoder, kernel, products, job, repeat) {
    const pass = encoder.beginComputePass();
    pass.setPipeline(this.pipelines[kernel]);
    job.bound.forEach(({ a, b, start, at }, i) => {
      const resources = [
        { buffer: job.params, offset: i * GPU_PARAMS, size: 64 },
        { buffer: a },
        { buffer: b },
        { buffer: start },
        { buffer: job.out, offset: at, size: products[i].c.bytes },
      ];
      const entries = resources.map((resource, binding) => ({ binding, resource }));
      pass.setBindGroup(0, this.device.createBindGroup({ layout: this.layout, entries }));
      for (let times = 0; times < repeat; ++times) pass.dispatchWorkgroups(...products[i].groups);
    });
    pass.end();
  }

  /** Results to where the module wants them: row by row where its rows are wider. */
  fetch(products, job, heap) {
    const results = new Float32Array(job.read.getMappedRange(0, job.bytes));
    const memory = new Float32Array(heap.buffer);
    products.forEach(({ c, n }, i) => {
      const from = job.bound[i].at / 4;
      const all = c.bytes / 4;
      const width = c.row === n ? all : n;
      for (let done = 0, to = c.address / 4; done < all; done += width, to += c.row)
        memory.set(results.subarray(from + done, from + done + width), to);
    });
    job.read.unmap();
  }
}
