import { describe, expect, it } from 'vitest';
import type { Catalogue, Field } from '../../web/src/shared/engine';
import type { StateField } from '../../web/src/shared/lesson';
import {
  followers,
  limits,
  nearestStop,
  usualStep,
  widget,
} from '../../web/src/page/blocks/controls/limits';

const field = (name: string, more: Partial<Field> = {}): Field => ({
  name,
  type: 'number',
  default: 1,
  help: '',
  ...more,
});
const catalogue: Catalogue = {
  version: '1',
  variant: 'simd',
  models: [
    {
      name: 'toy',
      kind: 'model',
      help: '',
      fields: [field('seed', { type: 'integer', min: 0, max: 9 })],
      inputs: [field('kernel', { type: 'choice', choices: ['a', 'b', 'c'] }), field('seed')],
      metrics: [],
      needs_pairs: false,
    },
    {
      name: 'elsewhere',
      kind: 'model',
      help: '',
      fields: [field('seed', { max: 5 })],
      inputs: [],
      metrics: [],
      needs_pairs: false,
    },
  ],
};
const lesson = {
  sessions: { one: { model: 'toy', config: { seed: { state: 'start' } } } },
  blocks: { pair: { kind: 'compare', a: { inputs: { kernel: { state: 'chosen' } } }, b: {} } },
};
const text: StateField = { type: 'text', default: 'a' };
const whole: StateField = { type: 'integer', default: 1, max: 7 };

describe('what a knob may be set to', () => {
  it('is asked of the engine, for the field that follows the state', () => {
    const follow = followers(lesson, catalogue, 'start');
    expect(follow.config).toBe(true);
    expect(follow.fields.map(({ name, max }) => [name, max])).toEqual([['seed', 9]]);
    expect(limits(whole, follow.fields)).toEqual({ min: 0, max: 7, choices: [] });
  });

  it('is found at any depth of a block, with the choices that the engine has', () => {
    const follow = followers(lesson, catalogue, 'chosen');
    expect(follow.config).toBe(false);
    expect(limits(text, follow.fields).choices).toEqual(['a', 'b', 'c']);
    const fewer: StateField = { type: 'choice', default: 'b', choices: ['b', 'x'] };
    expect(limits(fewer, follow.fields).choices).toEqual(['b']);
  });

  it('asks the model of the nearest session: another one may have an input of that name', () => {
    const number = field('kernel', { type: 'integer', max: 4 });
    const models = catalogue.models.map((model) =>
      model.name === 'elsewhere' ? { ...model, inputs: [number] } : model,
    );
    const sessions = {
      one: { model: 'toy', config: {} },
      other: { model: 'elsewhere', config: {} },
    };
    const inputs = { kernel: { state: 'many' } };
    const limitsOf = (table: object): unknown =>
      limits(
        whole,
        followers(
          { sessions, blocks: { it: { kind: 'table', ...table } } },
          { ...catalogue, models },
          'many',
        ).fields,
      );
    expect(limitsOf({ session: 'other', inputs })).toMatchObject({ max: 4, choices: [] });
    expect(limitsOf({ session: 'one', rows: [{ session: 'other', inputs }] })).toMatchObject({
      max: 4,
    });
    expect(limitsOf({ session: 'one', inputs })).toMatchObject({ choices: ['a', 'b', 'c'] });
  });

  it('has no limits where nothing follows it', () => {
    expect(followers(lesson, catalogue, 'nobody')).toEqual({ config: false, fields: [] });
    expect(limits(text, [])).toEqual({ min: undefined, max: undefined, choices: [] });
  });
});

describe('the control that fits', () => {
  const open = { min: undefined, max: undefined, choices: [] };
  const number: StateField = { type: 'number', default: 1 };

  it('follows type and size', () => {
    expect(widget({ type: 'boolean', default: true }, open, undefined, undefined)).toBe('checkbox');
    expect(widget(text, { ...open, choices: ['a', 'b'] }, undefined, undefined)).toBe('buttons');
    expect(widget(text, { ...open, choices: [...'abcdef'] }, undefined, undefined)).toBe('select');
    expect(widget(text, open, undefined, undefined)).toBe('text');
    expect(widget(number, { ...open, min: 0, max: 1 }, undefined, undefined)).toBe('slider');
    expect(widget(number, open, undefined, undefined)).toBe('number');
    expect(widget(whole, { ...open, min: 0, max: 1e9 }, undefined, undefined)).toBe('number');
    expect(widget(number, open, undefined, [1, 2, 5])).toBe('slider');
    expect(widget(number, { ...open, min: 0, max: 1 }, 'number', undefined)).toBe('number');
  });

  it('has steps that get somewhere', () => {
    expect(usualStep({ min: 0, max: 1, choices: [] }, false)).toBe(0.01);
    expect(usualStep({ min: 0, max: 1, choices: [] }, true)).toBe(1);
    expect(nearestStop([0.1, 1, 10], 2)).toBe(1);
  });
});
