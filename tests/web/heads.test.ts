import { describe, expect, test } from 'vitest';
import { each, harm, readDealt } from '../../web/src/page/blocks/deal/deal';
import { banks, readOff, switched } from '../../web/src/page/blocks/prune/switched';

describe('lengths that are dealt', () => {
  test('are read from a link only where they may be dealt', () => {
    expect(readDealt('3,2,3', 3, [3, 2])).toEqual([3, 2, 3]);
    for (const wrong of ['', '3,2', '3,2,4', '3,2,x', '3,2,-1', '3,2,3,2'])
      expect(readDealt(wrong, 3, [3, 2])).toBeUndefined();
    expect(each([3, 2, 3, 2])).toEqual([3, 2]);
  });

  test('too long lets padding be seen, too short hides a word', () => {
    expect([harm(3, 3), harm(3, 2), harm(2, 3)]).toEqual([undefined, 'seen', 'hidden']);
  });
});

describe('heads that are switched off', () => {
  const steps = ['encoder.0.attention.weights', 'decoder.0.cross.weights', 'decoder.weights'];
  const attention = steps.map((step) => ({ step, use: 'cross' as const, layer: 0 }));
  const found = banks(attention, (step) => (step === 'decoder.weights' ? undefined : 2));
  const all = found.flatMap(({ heads }) => heads);

  test('are named as the engine names them; an attention without heads has none', () => {
    expect(all).toEqual([
      'encoder.0.attention.0',
      'encoder.0.attention.1',
      'decoder.0.cross.0',
      'decoder.0.cross.1',
    ]);
  });

  test('are read in the order of the model, or not at all', () => {
    expect(readOff('decoder.0.cross.1  encoder.0.attention.0 decoder.0.cross.1', all)).toEqual([
      'encoder.0.attention.0',
      'decoder.0.cross.1',
    ]);
    expect(readOff('', all)).toEqual([]);
    expect(readOff('decoder.9.cross.0', all)).toBeUndefined();
  });

  test('go off one by one or as a bank, and on again', () => {
    const bank = found[1]!.heads;
    expect(switched([], ['decoder.0.cross.0'], all)).toEqual(['decoder.0.cross.0']);
    expect(switched(['decoder.0.cross.0'], bank, all)).toEqual(bank);
    expect(switched(bank, bank, all)).toEqual([]);
    expect(switched(bank, ['encoder.0.attention.1'], all)).toEqual([
      'encoder.0.attention.1',
      ...bank,
    ]);
  });
});
