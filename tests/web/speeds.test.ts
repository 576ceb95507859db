// Ways of computing the same: what is picked from what was measured, and the order in which it is measured.

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { above, marksCsv, middle, type Mark } from '../../web/src/page/blocks/speeds/marks';
import { Measuring } from '../../web/src/page/blocks/speeds/measuring.svelte';
import type { Way } from '../../web/src/page/blocks/speeds/schema';
import type { Engine } from '../../web/src/page/store/engine.svelte';
import { duration } from '../../web/src/page/parts/format';
import { EngineError } from '../../web/src/shared/protocol';

const lacks = vi.hoisted(() => ({ gpu: 'webgpu' as string | undefined }));
vi.mock('../../web/src/page/store/supported', () => ({
  lack: (variant: string) => Promise.resolve(variant === 'gpu' ? lacks.gpu : undefined),
}));

const marks = (...values: (number | undefined)[]): Mark[] =>
  values.flatMap((gflops, at) =>
    gflops === undefined ? [] : [{ at, value: 2 ** (at + 3), metrics: { gflops } }],
  );

describe('marks', () => {
  it('is the slice in the middle, whole', () => {
    const runs = [
      { gflops: 5, ms: 3 },
      { gflops: 1, ms: 9 },
      { gflops: 4, ms: 4 },
    ];
    expect(middle(runs, 'gflops')).toEqual({ gflops: 4, ms: 4 });
    expect(middle([], 'gflops')).toBeUndefined();
  });

  it('tells from where on one line lies above the other for good', () => {
    expect(above(marks(1, 5, 2, 6, 7), marks(3, 3, 3, 3, 3), 'gflops')).toBe(64);
    expect(above(marks(4, 4), marks(3, 3), 'gflops')).toBe(8);
    expect(above(marks(4, 4, 2), marks(3, 3, 3), 'gflops')).toBeUndefined();
    expect(above(marks(4, 3), marks(3, 3), 'gflops')).toBeUndefined(); // equal is not above
  });

  it('compares only where both were measured', () => {
    expect(above(marks(1, 5, 6), marks(3, 3), 'gflops')).toBe(16);
    expect(above(marks(undefined, 5), marks(3), 'gflops')).toBeUndefined();
  });

  it('keeps settings and metrics in full as CSV', () => {
    const [mark] = marks(1 / 3);
    const told = [{ name: 'loops, "plain"', engine: 'simd', config: { m: 8 }, mark: mark! }];
    expect(marksCsv(told)).toBe(
      'way,engine,m,gflops\r\n"loops, ""plain""",simd,8,0.3333333333333333\r\n',
    );
  });

  it('tells a time in the unit in which it is easy to read', () => {
    expect([1500, 16.29, 0.0634, 0.000134, 0].map(duration)).toEqual([
      '1.5 s',
      '16.3 ms',
      '63.4 µs',
      '134 ns',
      '0 ns',
    ]);
  });
});

const way = (engine: Way['engine'], name: string): Way => ({
  ...{ engine, config: { path: name }, sets: undefined, role: 'ink', dash: undefined },
  label: { zh: name, en: name },
});

/** An engine whose runs take no time; what it was asked for is noted. */
function scripted(variant: string, log: string[], more: Partial<Engine> = {}): Engine {
  const call = vi.fn((verb: string, request: { config?: { path: string; m: number } }) => {
    if (verb === 'open') log.push(`${variant} ${request.config!.path} ${request.config!.m}`);
    const head = verb === 'open' ? { session: 1 } : { metrics: { gflops: log.length } };
    return Promise.resolve({ head });
  });
  const engine = { ready: () => Promise.resolve(), call, end: () => log.push(`${variant} ended`) };
  return { ...engine, ...more } as unknown as Engine;
}

const over = { sets: ['m'], values: [8, 16], label: { zh: '', en: '' }, scale: 'log' as const };
const asked = {
  model: 'matmul',
  config: ({ config }: Way, value: number) => ({ path: String(config['path']), m: value }),
};

describe('measuring', () => {
  let log: string[];
  beforeEach(() => {
    log = [];
    lacks.gpu = 'webgpu';
  });

  it('measures in turn, one worker a build, and ends them', async () => {
    const ways = [way('simd', 'reference'), way('simd', 'simd'), way('relaxed', 'simd')];
    const started: string[] = [];
    const measuring = new Measuring({ ways, over, metric: 'gflops', rounds: 3 }, (variant) => {
      started.push(variant);
      return scripted(variant, log);
    });
    await measuring.start(asked);
    expect(started).toEqual(['simd', 'relaxed']);
    const round = (m: number): string[] => [
      ...[`simd reference ${m}`, `simd simd ${m}`, `relaxed simd ${m}`],
    ];
    const size = (m: number): string[] => [...round(m), ...round(m), ...round(m)];
    expect(log).toEqual([...size(8), ...size(16), 'simd ended', 'relaxed ended']);
    expect(measuring.phase).toBe('done');
    expect(measuring.lanes.map((lane) => lane.marks.map(({ value }) => value))).toEqual([
      [8, 16],
      [8, 16],
      [8, 16],
    ]);
    // The median of the first, second and third round.
    expect(measuring.lanes[0]!.marks[0]!.metrics).toEqual({ gflops: 4 });
  });

  it('takes one more run of each for what is not timed, as far as that is asked for', async () => {
    const ways = [way('simd', 'simd')];
    const measuring = new Measuring({ ways, over, metric: 'gflops', rounds: 1 }, (variant) =>
      scripted(variant, log),
    );
    const also = ({ config }: Way, value: number) =>
      value > 8 ? undefined : { path: String(config['path']), m: value, compare: true };
    await measuring.start({ ...asked, also });
    expect(log).toEqual(['simd simd 8', 'simd simd 8', 'simd simd 16', 'simd ended']);
    expect(measuring.lanes[0]!.marks[0]!.metrics).toEqual({ gflops: 1 }); // the timed one's
  });

  it('says what the browser lacks, and measures the others', async () => {
    const ways = [way('gpu', 'webgpu'), way('simd', 'simd')];
    const measuring = new Measuring({ ways, over, metric: 'gflops', rounds: 3 }, (variant) =>
      scripted(variant, log),
    );
    await measuring.start(asked);
    expect(measuring.lanes[0]).toMatchObject({ marks: [], end: { why: 'webgpu' } });
    expect(measuring.lanes[1]!.marks).toHaveLength(2);
  });

  it('goes on without a way that is refused, and tells why', async () => {
    const ways = [way('simd', 'reference'), way('relaxed', 'simd')];
    const refused = new EngineError('ConfigError', 'too large');
    const measuring = new Measuring({ ways, over, metric: 'gflops', rounds: 3 }, (variant) =>
      variant === 'simd'
        ? scripted(variant, log, { call: () => Promise.reject(refused) })
        : scripted(variant, log),
    );
    await measuring.start(asked);
    expect(measuring.lanes[0]!.end).toEqual({ why: 'failed', error: refused });
    expect(measuring.lanes[1]!.marks).toHaveLength(2);
    expect(measuring.phase).toBe('done');
  });

  it('stops when it is told to, ends its workers, and leaves the turn to the next', async () => {
    const ways = [way('simd', 'simd')];
    let die = (): void => undefined;
    const hanging = new Measuring({ ways, over, metric: 'gflops', rounds: 3 }, (variant) =>
      scripted(variant, log, {
        call: () => new Promise((_, reject) => (die = () => reject(new Error('ended')))),
        end: () => {
          log.push('ended');
          die();
        },
      }),
    );
    const next = new Measuring({ ways, over, metric: 'gflops', rounds: 3 }, (variant) =>
      scripted(variant, log),
    );
    const first = hanging.start(asked);
    const second = next.start(asked);
    await vi.waitFor(() => expect(hanging.phase).toBe('running'));
    await new Promise((resolve) => setTimeout(resolve));
    expect(next.phase).toBe('waiting');
    hanging.stop();
    await Promise.all([first, second]);
    expect(hanging.phase).toBe('idle');
    expect(hanging.lanes[0]!.end).toBeUndefined(); // to be stopped is no fault
    expect(log[0]).toBe('ended');
    expect(next.phase).toBe('done');
  });
});
