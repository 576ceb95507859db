import { describe, expect, it } from 'vitest';
import { parseLesson, problem } from '../../web/src/shared/lesson';
import * as schema from '../../web/src/shared/schema';
import * as heatmap from '../../web/src/page/blocks/heatmap/schema';
import * as plot from '../../web/src/page/blocks/plot/schema';
import * as stage from '../../web/src/page/blocks/stage/schema';
import * as train from '../../web/src/page/blocks/train/schema';
import * as translate from '../../web/src/page/blocks/translate/schema';

describe('a schema', () => {
  const point = schema.object({
    x: schema.number,
    label: schema.optional(schema.text, 'none'),
  });

  it('gives typed values and fills in defaults', () => {
    expect(point({ x: 1 }, 'p')).toEqual({ x: 1, label: 'none' });
  });

  it('names the path of what is wrong', () => {
    expect(() => schema.list(point)([{ x: 1 }, { x: 'two' }], 'points')).toThrow(
      'points[1].x: expected a number, got "two"',
    );
  });

  it('names an unknown key and those it knows', () => {
    expect(() => point({ x: 1, labl: 'a' }, 'p')).toThrow(
      'p: unknown key "labl" (known: x, label)',
    );
  });

  it('refuses numbers that are not finite', () => {
    expect(() => schema.number(NaN, 'n')).toThrow('n: expected a number');
    expect(() => schema.integer(1.5, 'n')).toThrow('n: expected an integer');
  });

  it('lists the choices', () => {
    expect(() => schema.oneOf('q', 'k')('z', 'role')).toThrow(
      'role: expected one of "q", "k", got "z"',
    );
  });
});

describe('lesson.json', () => {
  const lesson = {
    sessions: {
      own: {
        model: 'bahdanau',
        config: { seed: { state: 'seed' } },
        data: 'corpus',
      },
    },
    state: { seed: { type: 'integer', default: 1, min: 0, max: 9 } },
    blocks: { train: { kind: 'train', session: 'own' } },
  };

  it('is read as it stands', () => {
    expect(parseLesson(lesson)).toEqual(lesson);
  });

  it('may leave parts out', () => {
    expect(parseLesson({})).toEqual({ sessions: {}, state: {}, blocks: {} });
  });

  it('refuses a default outside its own range', () => {
    const wrong = { state: { seed: { type: 'integer', default: 10, max: 9 } } };
    expect(() => parseLesson(wrong)).toThrow('lesson.json.state.seed.default: above 9');
  });

  it('refuses a block without a kind and data that is not there', () => {
    expect(() => parseLesson({ blocks: { a: {} } })).toThrow('lesson.json.blocks.a.kind');
    expect(() => parseLesson({ sessions: { a: { model: 'x', data: 'web' } } })).toThrow(
      'lesson.json.sessions.a.data: expected one of "corpus"',
    );
  });

  it('judges values by their field', () => {
    expect(problem({ type: 'choice', default: 'a', choices: ['a'] }, 'b')).toBe(
      'not one of the choices',
    );
    expect(problem({ type: 'text', default: '', max: 3 }, 'long')).toBe('longer than 3');
    expect(problem({ type: 'boolean', default: true }, 'true')).toBe('not true or false');
    expect(problem({ type: 'number', default: 0, min: 0 }, -1)).toBe('below 0');
    expect(problem({ type: 'integer', default: 0 }, 3)).toBeUndefined();
  });
});

describe('a block kind', () => {
  it.each([
    ['heatmap', heatmap, { session: 's', step: 'decoder.weights' }],
    [
      'stage',
      stage,
      {
        session: { state: 'model' },
        inputs: { sentence: { state: 'sentence' } },
      },
    ],
    ['train', train, { session: 's', checks: [{ source: 'Go.', target: 'va !' }] }],
    ['translate', translate, { session: 's', sentence: 'sentence' }],
    [
      'plot',
      plot,
      {
        session: 's',
        x: { label: { zh: '甲', en: 'x' }, domain: [0, 5] },
        y: { label: { zh: '乙', en: 'y' } },
        curves: [{ x: 'a', y: 'b', label: { zh: '线', en: 'line' } }],
      },
    ],
  ] as const)(
    '%s takes its options, refuses others, and says how much room it needs',
    (_, kind, options) => {
      const parsed = kind.options(options, 'block') as never;
      expect(kind.room(parsed).wide).toBeGreaterThan(10);
      expect(() => kind.options({ ...options, colour: 'red' }, 'block')).toThrow(
        'unknown key "colour"',
      );
      expect(() => kind.options({}, 'block')).toThrow(/^block/);
    },
  );

  it('stage keeps its place in the URL, from where the lesson starts it', () => {
    const options = stage.options({ session: 's', start: 'decoder.weights', turn: 2 }, 'block');
    expect(
      Object.entries(stage.state('walk', options)).map(([key, field]) => [key, field.default]),
    ).toEqual([
      ['walk.step', 'decoder.weights'],
      ['walk.time', 2],
      ['walk.cell', ''],
      ['walk.pass', 'forward'],
      ['walk.moment', -1],
      ['walk.from', ''],
      ['walk.edits', ''],
    ]);
  });
});
