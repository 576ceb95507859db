// The variant `gpu` on a software adapter: right numbers wherever its products are computed, and whatever becomes of the device.
// Software says nothing of speed: no test here asks for any.

import { test as base, expect, type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Gpu, Progress, Ran, Verb } from '../../web/src/shared/engine.ts';
import { serve } from '../../tools/serve.mjs';
import config from '../../web/playwright.config.ts';
import en from '../../web/src/words/en.json' with { type: 'json' };
import zh from '../../web/src/words/zh.json' with { type: 'json' };
import { apart as lessons, LANGS, ROOT } from './lab.ts';
import { SOFTWARE_GPU } from './software-gpu.ts';

const launch = config.use!.launchOptions!;
const test = base.extend<{ bare: Page }, { origin: string }>({
  launchOptions: [{ ...launch, args: [...launch.args!, ...SOFTWARE_GPU] }, { scope: 'worker' }],
  origin: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const { port, close } = await serve({ root: resolve(ROOT), port: 18180 });
      await use(`http://localhost:${port}`);
      close();
    },
    { scope: 'worker' },
  ],
  /** An empty page beside the engine's files, on which `engine` and `devices` are set up. */
  bare: async ({ page, origin }, use) => {
    await page.goto(`${origin}/tests/gpu/index.html`);
    await page.evaluate(setUp);
    await use(page);
  },
});

interface Bare {
  devices: { destroy: () => void }[];
  /** A module of its own; what it answers to a verb, its error included. */
  engine: () => Promise<(verb: Verb, request: object) => Promise<Record<string, unknown>>>;
  /** Calls f as soon as the n-th result from now on is being waited for: in the middle of a product. */
  amidst: (n: number, f: () => void) => void;
  /** The n-th result from now on fails so, and `times` - 1 after it. */
  plant: (fault: Planted, n: number, times?: number) => void;
  /** Error scopes that were opened and not closed. */
  scopes: number;
  /** A module that several trainings share. */
  shared?: ReturnType<Bare['engine']>;
}

/** What `plant` knows: too little memory as the error scope tells it, and as an exception; a submission that reads a destroyed
 *  buffer; a map that is refused; one that never answers; a tab that is frozen by the test. From the last two on the engine waits
 *  for no answer longer than a second. */
type Planted = 'full' | 'refused' | 'invalid' | 'unmapped' | 'silent' | 'frozen';

/** In the page: keeps hold of devices and maps, as the engine does not. */
function setUp(): void {
  const bare = window as unknown as Bare;
  const gpu = window as unknown as Record<string, { prototype: Record<string, unknown> }>;
  bare.devices = [];
  const adapter = gpu['GPUAdapter']!.prototype;
  const request = adapter['requestDevice'] as (...of: unknown[]) => Promise<Bare['devices'][0]>;
  adapter['requestDevice'] = async function (this: unknown, ...of: unknown[]) {
    const device = await request.apply(this, of);
    bare.devices.push(device);
    return device;
  };
  let wait = 0;
  let then = (): void => undefined;
  bare.amidst = (n, f) => ([wait, then] = [n, f]);
  let planted = { fault: 'full' as Planted, from: 0, times: 0 };
  let submissions = 0;
  let hurried = false;
  bare.plant = (fault, from, times = 1) => {
    planted = { fault, from, times };
    submissions = 0;
    hurried = false;
  };
  const due = (fault: Planted): boolean =>
    fault === planted.fault &&
    submissions >= planted.from &&
    submissions < planted.from + planted.times;

  type Any = (this: never, ...of: never[]) => unknown;
  /** Puts f in the place of a method, which it gets as its first argument. */
  const wrap = (
    of: string,
    name: string,
    f: (
      real: (...of: unknown[]) => unknown,
      on: Record<string, () => void>,
      args: unknown[],
    ) => unknown,
  ): void => {
    const real = gpu[of]!.prototype[name] as Any;
    gpu[of]!.prototype[name] = function (this: Record<string, () => void>, ...args: unknown[]) {
      return f((...given) => real.apply(this as never, given as never[]), this, args);
    };
  };
  const scopes: string[] = [];
  bare.scopes = 0;
  wrap('GPUDevice', 'pushErrorScope', (real, _, [filter]) => {
    if (bare.scopes++ === 0) submissions += 1; // the engine opens two scopes around each
    scopes.push(filter as string);
    return real(filter);
  });
  wrap('GPUDevice', 'popErrorScope', async (real) => {
    bare.scopes -= 1;
    const full = scopes.pop() === 'out-of-memory' && due('full');
    const told = await real();
    return full ? new (gpu['GPUOutOfMemoryError'] as unknown as typeof Error)('planted') : told;
  });
  wrap('GPUDevice', 'createBuffer', (real, _, args) => {
    if (due('refused') && planted.times-- > 0) throw new RangeError('planted');
    return real(...args);
  });
  let last: Record<string, () => void> | undefined;
  wrap('GPUDevice', 'createBindGroup', (real, _, args) => {
    const [{ entries }] = args as [{ entries: { resource: { buffer: typeof last } }[] }];
    last = entries.at(-1)!.resource.buffer;
    return real(...args);
  });
  wrap('GPUQueue', 'submit', (real, _, args) => {
    if (due('invalid')) last!['destroy']!();
    return real(...args);
  });
  wrap('GPUBuffer', 'mapAsync', (real, on, args) => {
    const silent = due('silent');
    const frozen = due('frozen');
    hurried ||= silent || frozen;
    if (frozen) (window as unknown as { freeze: () => void }).freeze();
    const mapped = silent ? new Promise(() => undefined) : real(...args);
    if (due('unmapped')) on['unmap']!();
    if (--wait === 0) then();
    return mapped;
  });
  const timeout = setTimeout;
  Object.assign(window, {
    setTimeout: (f: () => void, ms: number, ...args: unknown[]) =>
      timeout(f, hurried ? ms / 20 : ms, ...args),
  });
  bare.engine = async () => {
    const address = `${location.origin}/build/wasm-gpu/attn.mjs`;
    const { default: factory } = (await import(address)) as {
      default: () => Promise<{
        Engine: new () => { call: (...of: string[]) => Promise<{ head: string }> };
      }>;
    };
    const engine = new (await factory()).Engine();
    return async (verb, asked) =>
      JSON.parse((await engine.call(verb, JSON.stringify(asked))).head) as Record<string, unknown>;
  };
}

const pairs = readFileSync(`${ROOT}lessons/corpus/eng-fra.tsv`, 'utf8')
  .split('\n')
  .slice(0, 24)
  .join('\n');
const MODELS = ['seq2seq', 'bahdanau', 'transformer'];
const STEPS = 20;
/** One batch an epoch, so that a step is an epoch and tells its loss. At the chapter's learning rate of 0.005 this Transformer
 *  comes so near the corner of a ReLU that plain and relaxed SIMD are 4e-3 apart after 20 steps; here they are 4e-7. */
const small = (model: string): object => ({
  model,
  data: { pairs },
  config: {
    ...{ hidden_size: 16, batch_size: 24, num_steps: 6, min_frequency: 1 },
    ...{ epochs: STEPS, learning_rate: 0.002 },
  },
});

interface Trained {
  losses: number[];
  gpu: Gpu;
  faults: unknown;
  /** The GPU once it has been asked for another try, and the error scopes that are open then. */
  again: Gpu;
  scopes: number;
}

interface Trouble {
  /** The device is destroyed amidst these products. */
  lose?: number[];
  plant?: [Planted, number, number];
  steps?: number;
  /** In the module of earlier trainings, which counts faults and products on. */
  shared?: boolean;
}

/** Trains to the end, every product on the GPU or none, and lets happen what is to happen. */
function train(
  page: Page,
  model: string,
  choice: 'gpu' | 'wasm',
  { lose = [], plant, steps = STEPS, shared = false }: Trouble = {},
): Promise<Trained> {
  return page.evaluate(
    async ({ open, choice, lose, plant, steps, shared }) => {
      const bare = window as unknown as Bare;
      const call = await (shared ? (bare.shared ??= bare.engine()) : bare.engine());
      const { state } = await call('gpu', { choice, fallback: true });
      if (choice === 'gpu' && state !== 'on') await call('gpu', { start: true });
      const { session } = await call('open', open);
      const destroy = (n: number | undefined): void => {
        if (n === undefined) return;
        bare.amidst(n, () => {
          bare.devices.at(-1)!.destroy();
          destroy(lose.shift());
        });
      };
      destroy(lose.shift());
      if (plant) bare.plant(...plant);
      let progress = {} as Progress & { gpu_faults?: number };
      for (let step = 0; step < steps; ++step)
        progress = (await call('train', { session, budget_ms: 0 })) as unknown as typeof progress;
      const gpu = (await call('gpu', {})) as unknown as Gpu;
      bare.plant('full', 0, 0);
      const off = plant && gpu.state === 'off';
      const again = (off ? await call('gpu', { start: true }) : gpu) as unknown as Gpu;
      await call('close', { session });
      return {
        losses: progress.history.map((epoch) => epoch['loss_per_token']!),
        ...{ gpu, again, faults: progress.gpu_faults, scopes: bare.scopes },
      };
    },
    { open: small(model), choice, lose, plant, steps, shared },
  );
}

function expectClose(got: number[], want: number[], tolerance: number): void {
  expect(got).toHaveLength(want.length);
  got.forEach((x, i) => expect(Math.abs(x - want[i]!), `step ${i}`).toBeLessThan(tolerance));
}

test('every op case, and the kernels on their own, within 1e-4; failures', async ({ bare }) => {
  test.slow();
  const { failed, text } = await bare.evaluate(
    () =>
      new Promise<{ failed: number; text: string }>((resolve, reject) => {
        const worker = new Worker('worker.mjs', { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data as { failed: number; text: string });
        worker.onerror = ({ message }) => reject(new Error(message));
      }),
  );
  expect(failed, text).toBe(0);
  expect(text).toMatch(/op cases: largest error/);
  expect(text).toMatch(/ 10 passed/);
});

for (const model of MODELS)
  test(`${STEPS} training steps of ${model} with every product on the GPU have WASM's losses`, async ({
    bare,
  }) => {
    const wasm = await train(bare, model, 'wasm');
    const gpu = await train(bare, model, 'gpu');
    expect(wasm.losses).toHaveLength(STEPS);
    expect(wasm.losses.at(-1)).toBeLessThan(wasm.losses[0]!);
    expect(wasm.gpu.products).toBe(0);
    expect(gpu.gpu).toMatchObject({ state: 'on', choice: 'gpu', faults: [] });
    expect(gpu.gpu.products).toBeGreaterThan(STEPS * 20);
    expect(gpu.gpu.submissions).toBeLessThan(gpu.gpu.products); // independent ones go together
    expect(gpu.gpu.kept).toBeGreaterThan(0); // a weight is uploaded once a step, read forward and backward
    expectClose(gpu.losses, wasm.losses, 1e-3);
  });

test('a device that is lost in training, and the one after it: the run ends with the right losses', async ({
  bare,
}) => {
  const wasm = await train(bare, 'transformer', 'wasm');
  const gpu = await train(bare, 'transformer', 'gpu', { lose: [50, 200] });
  expectClose(gpu.losses, wasm.losses, 1e-3);
  expect(gpu.gpu).toMatchObject({ state: 'off', reason: 'lost' });
  expect(gpu.gpu.faults).toMatchObject([{ code: 'lost', count: 2 }]);
  expect(gpu.gpu.products).toBeGreaterThan(100);
  expect(gpu.faults).toBe(2);
});

const MANY = 1000;
const FAULTS: [string, Planted, number, Gpu['state'], string, number][] = [
  ['a buffer that is refused', 'refused', 1, 'on', 'out_of_memory', 1],
  ['too little memory, once', 'full', 1, 'on', 'out_of_memory', 1],
  ['too little memory, always', 'full', MANY, 'off', 'out_of_memory', 1], // the third in all
  ['a submission that is not valid', 'invalid', MANY, 'off', 'validation', 1],
  ['too little memory, always, after another try', 'full', MANY, 'off', 'out_of_memory', 3],
  ['a result that may not be read', 'unmapped', MANY, 'off', 'map', 1],
  ['a product that never answers', 'silent', MANY, 'off', 'timeout', 1],
];
test('what may fail amidst training, one after the other: WASM computes it again, the run ends with the right losses, and another try succeeds', async ({
  bare,
}) => {
  const unhandled: Error[] = [];
  bare.on('pageerror', (error) => unhandled.push(error));
  const same = { steps: 3, shared: true };
  const wasm = await train(bare, 'transformer', 'wasm', same);
  let before = wasm;
  const counted = ({ faults }: Gpu, of: string): number =>
    faults.find(({ code }) => code === of)?.count ?? 0;
  for (const [what, fault, times, state, code, count] of FAULTS)
    await test.step(what, async () => {
      const after = fault === 'refused' ? 1 : 40; // later on there are buffers of every size
      const now = await train(bare, 'transformer', 'gpu', {
        ...same,
        plant: [fault, after, times],
      });
      expectClose(now.losses, wasm.losses, 1e-3);
      expect(now.gpu.state).toBe(state);
      expect(now.gpu.reason).toBe(state === 'off' ? 'failed' : undefined);
      expect(counted(now.gpu, code) - counted(before.gpu, code)).toBe(count);
      expect(now.faults).toBe(Number(before.faults ?? 0) + count);
      expect(now.gpu.faults.find((each) => each.code === code)!.message).toMatch(/\S/);
      const products = now.gpu.products - before.gpu.products;
      expect(products).toBeGreaterThan(state === 'on' ? 100 : 30); // after it too, or only before
      expect(now.again.state).toBe('on');
      expect(now.scopes).toBe(0);
      before = now;
    });
  expect(unhandled).toEqual([]);
});

test('too little memory to compare the GPU with WASM: it is not used', async ({ bare }) => {
  const { gpu, again } = await bare.evaluate(async () => {
    const page = window as unknown as Bare;
    const call = await page.engine();
    page.plant('full', 1);
    const gpu = await call('gpu', { choice: 'gpu', fallback: true, start: true });
    return { gpu, again: await call('gpu', { start: true }) };
  });
  expect(gpu).toMatchObject({ state: 'off', reason: 'failed', products: 0 });
  expect(gpu['faults']).toMatchObject([{ code: 'out_of_memory', count: 1 }]);
  expect(again).toMatchObject({ state: 'on', probe: { products: 18 } });
});

test('a tab that is frozen in the middle of a product, for longer than the GPU has: it goes on', async ({
  bare,
  context,
}) => {
  const same = { steps: 3, shared: true };
  const wasm = await train(bare, 'transformer', 'wasm', same);
  const browser = await context.newCDPSession(bare);
  const frozen: Promise<void>[] = [];
  await bare.exposeFunction('freeze', () => {
    frozen.push(freeze());
  });
  async function freeze(): Promise<void> {
    await browser.send('Page.setWebLifecycleState', { state: 'frozen' });
    await new Promise((done) => setTimeout(done, 2500));
    await browser.send('Page.setWebLifecycleState', { state: 'active' });
  }
  const gpu = await train(bare, 'transformer', 'gpu', { ...same, plant: ['frozen', 40, 1] });
  await Promise.all(frozen);
  expect(frozen).toHaveLength(1);
  expectClose(gpu.losses, wasm.losses, 1e-3);
  expect(gpu.gpu).toMatchObject({ state: 'on', faults: [] });
});

test('a device that is lost while a run is recorded: the right steps, and an explanation of them', async ({
  bare,
}) => {
  const { gpu, ran, wasm, cell } = await bare.evaluate(async (open) => {
    const page = window as unknown as Bare;
    const call = await page.engine();
    const run = async (): Promise<Ran & { gpu_faults?: number }> => {
      const { session } = await call('open', open);
      const inputs = { sentence: 'Go.', target: 'Va !' };
      return (await call('run', { session, inputs, want: ['*'] })) as unknown as Ran;
    };
    await call('gpu', { choice: 'wasm' });
    const wasm = await run();
    await call('gpu', { choice: 'gpu', fallback: true, start: true });
    page.amidst(5, () => page.devices.at(-1)!.destroy());
    const ran = await run();
    const name = ran.steps.find((step) => step.name.endsWith('.weights'))!.name;
    const size = ran.steps.find((step) => step.name === name)!.axes.length;
    const of = { step: name, cell: Array<number>(size).fill(0) };
    const cell = (await call('explain', { run: ran.run, ...of })) as { stored: number };
    const same = (await call('explain', { run: wasm.run, ...of })) as { stored: number };
    return { ran, wasm, gpu: await call('gpu', {}), cell: [cell.stored, same.stored] };
  }, small('transformer'));
  expect(gpu).toMatchObject({ state: 'on', faults: [{ code: 'lost', count: 1 }] });
  expect(ran.gpu_faults).toBe(1);
  expect(ran.steps.map(({ name }) => name)).toEqual(wasm.steps.map(({ name }) => name));
  expect(Math.abs(ran.loss! - wasm.loss!)).toBeLessThan(1e-4);
  expect(Math.abs(cell[0]! - cell[1]!)).toBeLessThan(1e-4);
});

test('the lab matmul: where the time goes, and a refusal where the GPU does not multiply', async ({
  bare,
}) => {
  const { metrics, refused } = await bare.evaluate(async () => {
    const page = window as unknown as Bare;
    const call = await page.engine();
    await call('gpu', { fallback: true });
    const config = { m: 33, n: 34, k: 35, batch: 2, path: 'webgpu', compare: true, measure_ms: 20 };
    const lab = await call('open', { model: 'matmul', config });
    const run = { session: lab['session'], want: ['product'] };
    const { metrics } = (await call('run', run)) as unknown as Ran;
    page.amidst(2, () => page.devices.at(-1)!.destroy());
    return { metrics, refused: await call('run', run) };
  });
  const { upload_share, compute_share, readback_share, ...rest } = metrics!;
  expect(upload_share! + compute_share! + readback_share!).toBeCloseTo(1, 9);
  for (const share of [upload_share, compute_share, readback_share])
    expect(share).toBeGreaterThan(0);
  expect(rest['relative_difference']).toBeLessThan(1e-4);
  expect(rest).not.toHaveProperty('peak_gflops');
  expect(refused['error']).toMatchObject({
    type: 'ConfigError',
    code: 'matmul.no_gpu',
    values: { reason: 'lost' },
  });
});

test('left to itself, a software adapter is refused, and nothing is asked of it', async ({
  bare,
}) => {
  const { before, after } = await bare.evaluate(async () => {
    const call = await (window as unknown as Bare).engine();
    const before = await call('gpu', {});
    const config = { m: 200, n: 200, k: 200, measure_ms: 0 };
    for (const path of ['simd', 'reference'])
      await call('open', { model: 'matmul', config: { ...config, path } });
    return { before, after: await call('gpu', { start: true }) };
  });
  expect(before).toMatchObject({ state: 'idle', choice: 'auto', products: 0 });
  expect(after).toMatchObject({ state: 'off', reason: 'fallback_adapter', submissions: 0 });
});

// The pages themselves, on the built site.

const pages = lessons.extend({
  launchOptions: [{ ...launch, args: [...launch.args!, ...SOFTWARE_GPU] }, { scope: 'worker' }],
});

pages(
  'the page with ?engine=gpu: every model agrees with PyTorch, forward, backward and while it trains',
  async ({ lesson, page }) => {
    pages.slow();
    await lesson.open('proof', 'en', '?engine=gpu');
    await expect(page.locator('.proof')).toHaveAttribute('data-state', 'still', {
      timeout: 200_000,
    });
    await expect(page.locator('tr.good[data-check]')).toHaveCount(21);
    await expect(page.locator('.engine [aria-current]')).toContainText('WebGPU');
  },
);

const WORDS = { zh, en };
for (const lang of LANGS)
  pages(
    `${lang}: the card refuses a result: the page tells it in words, without a reload, and goes on`,
    async ({ lesson, page }) => {
      const words = WORDS[lang];
      await lesson.open('bahdanau', lang, '?engine=gpu');
      const stage = await lesson.block('stage');
      const badge = stage.locator('.badge');
      await expect(badge).toContainText('WebGPU');
      await lesson.settled();
      await expect(badge.locator('.fault')).toHaveCount(0);
      for (const worker of page.workers())
        await worker.evaluate(() => {
          const { prototype } = (self as unknown as { GPUBuffer: { prototype: object } }).GPUBuffer;
          const refuse = (): Promise<never> => Promise.reject(new DOMException('planted'));
          Object.assign(prototype, { mapAsync: refuse });
        });
      const block = await lesson.block('translate');
      await block.getByRole('textbox').fill('I lost.');
      await block.getByRole('textbox').press('Enter');
      const happened = words['gpu.fault']
        .replace('{what}', words['gpu.fault.map'])
        .replace('{n}', '1');
      await expect(badge.locator('.fault')).toHaveText(happened);
      await expect(badge).toContainText(words['gpu.off.failed']);
      await lesson.settled();
      await expect(block.locator('[data-text]')).toHaveAttribute('data-text', "j'ai perdu .");
      await expect(page.getByRole('alert')).toHaveCount(0);
    },
  );
