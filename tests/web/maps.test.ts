import { describe, expect, it } from 'vitest';
import { layersOf, nearest, readPicked, usesOf } from '../../web/src/page/blocks/attention/picked';
import { grid, range, veiledLike, type Grid } from '../../web/src/page/parts/grid';
import { readOpen, writeOpen } from '../../web/src/page/inspect/opening';
import { veiled } from '../../web/src/page/parts/paint';
import { palette, type Rgb } from '../../web/src/page/parts/palette';
import { picture, type Look } from '../../web/src/page/parts/picture';
import { csv, longCsv } from '../../web/src/page/parts/tables';
import { derive, labelled } from '../../web/src/page/store/derive';
import { Trace } from '../../web/src/page/store/trace';
import type { AttentionStep, Axis, Derivation, Step } from '../../web/src/shared/engine';

const axis = (name: string, size: number, labels?: string[]): Axis => ({
  name,
  size,
  ...(labels && { labels }),
});
const step = (name: string, axes: Axis[], more: Partial<Step> = {}): Step => ({
  name,
  op: 'masked_softmax',
  nodes: [1],
  axes,
  offset: 0,
  operands: [],
  ...more,
});
const counting = (n: number): Float32Array => Float32Array.from({ length: n }, (_, i) => i);

/** Three words that may each look at themselves and back. */
const self = step('self', [axis('head', 2), axis('query', 3), axis('key', 3)]);
const causal = Float32Array.from([1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1]);
const layout = { rows: 1, cols: 2, fixed: [1, 0, 0] };
const masked = (): Grid => grid(self, counting(18), layout, { mask: causal });

describe('a mask', () => {
  it('hides cells, and is a map of its own', () => {
    const map = masked();
    expect(map.masked).toBe(true);
    expect([map.veil(0, 0), map.veil(0, 1), map.veil(2, 2)]).toEqual([
      undefined,
      'masked',
      undefined,
    ]);
    expect(veiled(map)).toEqual([
      { row: 0, first: 1, count: 2 },
      { row: 1, first: 2, count: 1 },
    ]);
    const mask = map.mask()!;
    expect(mask.masked).toBe(false);
    expect([0, 1, 2].map((row) => [0, 1, 2].map((col) => mask.value(row, col)))).toEqual([
      [1, 0, 0],
      [1, 1, 0],
      [1, 1, 1],
    ]);
  });

  it('that hides nothing on show is not spoken of', () => {
    const ones = new Float32Array(18).fill(1);
    expect(grid(self, counting(18), layout, { mask: ones }).masked).toBe(false);
    expect(grid(self, counting(18), layout).mask()).toBeUndefined();
  });

  it('does not count for the scale, and passes to what is made from the map', () => {
    expect(range(masked())).toEqual({ min: 9, max: 17 });
    const mean = step('derived.mean', [axis('query', 3), axis('key', 3)], {
      op: 'mean',
    });
    const like = veiledLike(grid(mean, counting(9), { rows: 0, cols: 1, fixed: [] }), masked());
    expect([like.masked, like.veil(0, 2), like.value(0, 2)]).toEqual([true, 'masked', 2]);
  });

  it('is read from where the step says it begins', () => {
    const both = { ...self, mask_offset: 18 };
    const trace = new Trace({
      head: { run: 1, steps: [both, self] },
      data: Float32Array.from([...counting(18), ...causal]),
    });
    expect(trace.mask(both)).toEqual(causal);
    expect(trace.mask(self)).toBeUndefined();
  });
});

describe('padding', () => {
  const padded = step('w', [axis('query', 2, ['a', '<pad>']), axis('key', 3, ['x', 'y', '<pad>'])]);
  const map = grid(padded, counting(6), { rows: 0, cols: 1, fixed: [] });

  it('is left out, and shown as padding where it is asked for', () => {
    expect([map.rows.labels, map.cols.labels, map.hidden]).toEqual([['a'], ['x', 'y'], 2]);
    const whole = map.again({ padding: true });
    expect([whole.rows.labels.length, whole.cols.labels.length, whole.hidden]).toEqual([2, 3, 0]);
    expect([whole.veil(0, 1), whole.veil(0, 2), whole.veil(1, 0)]).toEqual([
      undefined,
      'padded',
      'padded',
    ]);
  });
});

describe('a palette', () => {
  const themed = (name: string): Rgb => (name === 'panel' ? [255, 255, 255] : [200, 40, 20]);
  const bytes = (pixel: number): number[] => [...new Uint8Array(Uint32Array.of(pixel).buffer)];

  it('has the same colours in its table as in words', () => {
    for (const scale of [
      { min: 0, max: 1 },
      { min: -2, max: 1 },
    ]) {
      const colours = palette('w', scale, themed);
      for (const value of [scale.min, 0, 0.5, 1, 5, -7]) {
        const words = colours.fill(value).match(/\d+/g)!.map(Number);
        const [r, g, b, a] = bytes(colours.pixel(value));
        expect(a).toBe(255);
        [r, g, b].forEach((channel, i) => {
          expect(Math.abs(channel! - words[i]!)).toBeLessThanOrEqual(1);
        });
      }
    }
  });

  it('has a colour for what is no number', () => {
    const colours = palette('w', { min: 0, max: 1 }, themed);
    for (const odd of [NaN, Infinity, -Infinity]) {
      expect(colours.fill(odd)).toBe('rgb(200 40 20)');
      expect(bytes(colours.pixel(odd)).slice(0, 3)).toEqual([200, 40, 20]);
    }
  });
});

describe('what can be kept', () => {
  const small = step('w', [axis('query', 2, ['a', 'b']), axis('key', 2, [',', '"'])]);
  const map = grid(small, counting(4), { rows: 0, cols: 1, fixed: [] });
  const sums = grid(step('derived.s', [axis('query', 2)]), Float32Array.of(1, 5), {
    rows: 0,
    fixed: [],
  });
  const look: Look = {
    title: 'weights <1 & 2>',
    caption: 'rows',
    masked: 'masked',
    palette: palette('w', { min: 0, max: 3 }, () => [9, 9, 9]),
    sums,
    ink: {
      text: '#000',
      soft: '#555',
      ground: '#fff',
      rows: '#00f',
      cols: '#f00',
    },
  };

  it('is a CSV with both headers, quoted where needed, and the sums where there are any', () => {
    expect(csv(map)).toBe(',",",""""\r\na,0,1\r\nb,2,3\r\n');
    expect(csv(map, sums)).toBe(',",","""",Σ\r\na,0,1,1\r\nb,2,3,5\r\n');
  });

  it('is the whole tensor, a line for each cell, with indices and words', () => {
    const tensor = step('t', [axis('head', 2), axis('key', 2, ['x', 'y'])]);
    expect(longCsv(tensor, counting(4)).split('\r\n')).toEqual([
      'head,key,key.label,value',
      '0,0,x,0',
      '0,1,y,1',
      '1,0,x,2',
      '1,1,y,3',
      '',
    ]);
    expect(longCsv(step('number', []), counting(1))).toBe('value\r\n0\r\n');
  });

  it('is a picture whose text is text, and safe', () => {
    const { svg, width, height } = picture(map, look);
    expect(svg).toContain('>weights &lt;1 &amp; 2&gt;</text>');
    expect(svg).toContain('>&quot;</text>');
    expect(svg).toContain('>Σ 5.000</text>');
    expect(svg).toContain('>3</text>'); // the end of the scale
    expect(width).toBeGreaterThan(300);
    expect(height).toBeGreaterThan(100);
  });

  it('is hatched where the map is, and says why', () => {
    const { svg } = picture(masked(), look);
    expect(svg.match(/fill="url\(#hatch\)"/g)).toHaveLength(3); // two stretches, and the legend
    expect(svg).toContain('>masked</text>');
  });

  it('stays a file of moderate size for 256 × 256 cells', () => {
    const large = step('l', [axis('query', 256), axis('key', 256)]);
    const many = grid(large, counting(65536), { rows: 0, cols: 1, fixed: [] });
    const { svg } = picture(many, {
      ...look,
      palette: palette('w', range(many), () => [9, 9, 9]),
    });
    expect(svg.length).toBeLessThan(2.5e6);
  });
});

describe('what is derived', () => {
  const asked: Derivation[][] = [];
  const trace = (): Trace => {
    const it = new Trace({
      head: { run: 1, steps: [self] },
      data: counting(18),
    });
    it.derive = (what) => {
      asked.push(what);
      return Promise.resolve([step(`derived.${what[0]!.name}`, [axis('query', 3)])]);
    };
    return it;
  };

  it('is asked for once a run and question', async () => {
    const one = trace();
    asked.length = 0;
    const question = { step: 'self', sum: 'key' };
    const [a, b] = await Promise.all([derive(one, question), derive(one, { ...question })]);
    expect(a).toBe(b);
    await derive(one, { step: 'self', mean: 'key' });
    await derive(trace(), question);
    expect(asked.map(([what]) => what!.name)).toEqual(['self.0', 'self.1', 'self.0']);
  });

  it('is asked for again after it failed', async () => {
    const one = trace();
    const works = one.derive.bind(one);
    one.derive = () => Promise.reject(new Error('no'));
    await expect(derive(one, { step: 'self', sum: 'key' })).rejects.toThrow('no');
    one.derive = works;
    expect((await derive(one, { step: 'self', sum: 'key' })).axes).toHaveLength(1);
  });

  it('keeps the words of its axes, those of the entries chosen', () => {
    const from = step('w', [axis('time', 3, ['a', 'b', 'c']), axis('key', 2, ['x', 'y'])]);
    const left = [axis('time', 2), axis('key', 2, ['other', 'words'])];
    const what = { step: 'w', select: { time: [0, 2] } };
    expect(labelled(left, from, what).map(({ labels }) => labels)).toEqual([
      ['a', 'c'],
      ['x', 'y'],
    ]);
    const heads = labelled([axis('head', 2)], self, { step: 'self', select: { head: [1, 0] } });
    expect(heads[0]!.labels).toEqual(['1', '0']); // not the places in the choice
  });
});

describe('which attention is picked', () => {
  const attention: AttentionStep[] = [
    { step: 'e0', use: 'encoder', layer: 0 },
    { step: 'e1', use: 'encoder', layer: 1 },
    { step: 'x0', use: 'cross', layer: 0 },
  ];

  it('is what is asked for, or what comes nearest', () => {
    expect(usesOf(attention)).toEqual(['encoder', 'cross']);
    expect(layersOf(attention, 'encoder')).toEqual([0, 1]);
    expect(nearest(attention, 'encoder', 1)?.step).toBe('e1');
    expect(nearest(attention, 'cross', 1)?.step).toBe('x0');
    expect(nearest(attention, 'self', 1)?.step).toBe('e1');
    expect(nearest([], 'self', 0)).toBeUndefined();
  });

  it('reads heads and queries from a link, in order and each once, or not at all', () => {
    expect(readPicked('2,0,2', 4)).toEqual([0, 2]);
    expect(readPicked('', 4)).toEqual([]);
    for (const wrong of ['4', '-1', '1,', 'x', '0.5']) expect(readPicked(wrong, 4)).toBeUndefined();
  });

  it('reads back the cell that is open', () => {
    expect(readOpen(writeOpen('sum', [2, 0]))).toEqual({
      whose: 'sum',
      cell: [2, 0],
    });
    expect(readOpen(writeOpen('map', []))).toEqual({ whose: 'map', cell: [] });
    expect(readOpen('')).toBeUndefined();
    expect(readOpen('map:a')).toBeUndefined();
  });
});
