import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { codeProblems, snippet, stepsOfModels } from '../../web/pages/source-lines';
import { CODE, codeKey } from '../../web/src/page/blocks/stage/code';
import { sizeOf } from '../../web/src/page/blocks/stage/sizes';
import { FORMULAS, formulaKey } from '../../web/src/page/blocks/stage/steps';
import { stepRole } from '../../web/src/page/parts/roles';
import { endings, lastPart, lookups } from '../../web/src/page/store/names';
import { Words } from '../../web/src/page/store/words';
import type { Step } from '../../web/src/shared/engine';
import en from '../../web/src/words/en.json';
import zh from '../../web/src/words/zh.json';

const repo = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const models = [...stepsOfModels(repo)];
const isFormula = (step: string): boolean => /[^\w.]/.test(step);
const named = models.flatMap(([model, steps]) =>
  [...steps].filter((step) => !isFormula(step)).map((step) => [model, step] as const),
);

/** The ops that PyTorch goldens exist for: a case is called `matmul` or `matmul_batched`. */
const source = readFileSync(`${repo}/tests/parity/op_goldens.py`, 'utf8');
const cases = [...source.matchAll(/^case\("(\w+)"/gm)].map(([, name]) => name!);
const ops = Object.keys(FORMULAS)
  .filter((key) => key.startsWith('op '))
  .map((key) => key.slice(3));

describe('each step of the models that ship', () => {
  it('there are the four models', () => {
    expect(models.map(([model]) => model).sort()).toEqual([
      'bahdanau',
      'kernel-regression',
      'seq2seq',
      'transformer',
    ]);
    expect(named.length).toBeGreaterThan(200);
  });

  it('has a formula of its own, not only that of its op', () => {
    const ofOp = (key: string | undefined): boolean => key === undefined || key.startsWith('op ');
    const without = named.filter(([model, step]) =>
      ['', ...ops].every((op) => ofOp(formulaKey(step, op, 'forward', model))),
    );
    expect(without).toEqual([]);
  });

  it('has words in both languages, and a sentence on what it does', () => {
    for (const table of [zh, en]) {
      const words = new Words('en', table);
      const untold = named.filter(
        ([model, step]) =>
          !lookups(step).some((key) => `step.${key}` in table) || !words.about(step, '', model),
      );
      expect(untold).toEqual([]);
    }
  });

  it('has lines of code that are there, once', async () => {
    expect(await codeProblems(repo)).toEqual([]);
  });
});

describe('each op', () => {
  it('that has a golden has a formula: forward, backward, and the lines of both', () => {
    const owner = (name: string): string | undefined =>
      ops.filter((op) => name === op || name.startsWith(`${op}_`)).at(-1);
    expect(cases.filter((name) => owner(name) === undefined)).toEqual([]);
    for (const op of ops) {
      expect(formulaKey('x', op, 'backward')).toBe(`backward ${op}`);
      expect(codeKey('x', op, 'forward', 'cues')).toBe(`op ${op}`);
      expect(codeKey('x', op, 'backward', 'cues')).toBe(`backward ${op}`);
    }
  });

  it('has words in both languages', () => {
    for (const op of [...ops, 'input', 'parameter', 'edit']) {
      expect(Object.keys(zh)).toContain(`op.${op}`);
      expect(Object.keys(en)).toContain(`op.${op}`);
    }
  });
});

describe('what is found for a step', () => {
  it('is that of the longest ending, of the model before that of all', () => {
    expect(endings('encoder.1.attention.weights')).toEqual([
      'encoder.attention.weights',
      'attention.weights',
      'weights',
    ]);
    expect(lookups('decoder.context', 'reshape', ['seq2seq'])).toEqual([
      'seq2seq:decoder.context reshape',
      'seq2seq:decoder.context',
      'seq2seq:context reshape',
      'seq2seq:context',
      'decoder.context reshape',
      'decoder.context',
      'context reshape',
      'context',
    ]);
    expect(formulaKey('decoder.context', 'reshape', 'forward', 'seq2seq')).toBe(
      'seq2seq:decoder.context',
    );
    expect(formulaKey('decoder.context', 'matmul', 'forward', 'bahdanau')).toBe('decoder.context');
    expect(formulaKey('encoder.1.addnorm2.sum', 'add')).toBe('encoder.addnorm.sum');
    expect(endings('decoder.rnn.weight_ih_l1')).toContain('rnn.weight_ih');
  });

  it('of a lab is its op’s where its name is that of another computation in a model', () => {
    expect(formulaKey('without.scores', 'scale', 'forward', 'permutation')).toBe('op scale');
    expect(formulaKey('words', 'input', 'forward', 'position-join')).toBeUndefined();
  });

  it('tells the gate called update from what the optimiser makes', () => {
    expect(endings('encoder.0.update')).toEqual(['encoder.update', 'update']);
    expect(endings('update.encoder.embedding.weight.m')).toEqual(['update.m']);
    expect(formulaKey('update.w.value', 'sgd', 'update')).toBe('update.value sgd');
    expect(formulaKey('update.w.value', 'adam', 'update')).toBe('update.value adam');
  });

  it('has a colour by what it is', () => {
    expect(stepRole('encoder.0.attention.queries')).toBe('q');
    expect(stepRole('decoder.1.cross.weights')).toBe('w');
    expect(stepRole('loss')).toBe('ink');
    expect(stepRole(undefined)).toBe('ink');
  });

  it('has words: of a parameter, of what the optimiser makes of it, of a part of a typed formula', () => {
    const words = new Words('en', en);
    expect(words.step('encoder.blks.block1.attention.W_q.weight')).toBe('matrix W_q');
    expect(words.step('update.decoder.embedding.weight.m_hat')).toBe(
      'embedding matrix: corrected first moment',
    );
    expect(words.step('update.norm')).toBe('norm of the gradient');
    expect(words.step('kernel.-0.5*u^2')).toBe('-0.5*u^2');
    expect(lastPart('kernel.1 - u^2')).toBe('1 - u^2');
    expect(lastPart('encoder.0.something')).toBe('something');
    expect(words.about('decoder.context')).not.toBe(words.about('decoder.context', '', 'seq2seq'));
  });
});

describe('code', () => {
  it('of a Transformer that writes all words at once is not that of word by word', () => {
    expect(codeKey('decoder.loss', 'cross_entropy', 'forward', 'transformer', true)).toBe(
      'decoder.loss',
    );
    expect(codeKey('decoder.loss', 'cross_entropy', 'forward', 'transformer', false)).toBe(
      'once:decoder.loss',
    );
  });

  it('takes the whole statement around a fragment, without its indentation', () => {
    const file = 'void f() {\n  add(one,\n      two(3),\n      "(");\n  done();\n}\n';
    expect(snippet('a.cpp', file, ['a.cpp', 'two'])).toEqual({
      file: 'a.cpp',
      line: 3,
      text: 'two(3),',
    });
    expect(snippet('a.cpp', file, ['a.cpp', 'add']).text).toBe('add(one,\n    two(3),\n    "(");');
    expect(snippet('a.cpp', file, ['a.cpp', '"(");']).text).toBe(
      'add(one,\n    two(3),\n    "(");',
    );
  });

  it('takes what a condition is for with it, and brings lines far to the right near', () => {
    const file = '  if (three)\n    add(one,\n               two);\n  done();\n';
    const found = snippet('a.cpp', file, ['a.cpp', 'if (three)']);
    expect(found.text).toBe('if (three)\n  add(one,\n    two);');
  });

  it('of a case of the ops is the op alone, without the numbers that the test draws', () => {
    const file =
      'case("add", torch.add, lambda r: [r.normal(3), r.normal(3)])\n' +
      'case("slice", lambda x: x[:, 1:3], lambda r: [r.normal(2, 5)])\n';
    const shown = (fragment: string): string => snippet('a.py', file, ['a.py', fragment]).text;
    expect(shown('case("add",')).toBe('torch.add');
    expect(shown('case("slice",')).toBe('x[:, 1:3]');
  });

  it('is refused when the fragment is gone, or stands there twice, or has no anchor', () => {
    const file = '# [anchor: a]\nx = 1\n# [anchor end]\nx = 1\n';
    expect(snippet('a.py', file, ['a.py', 'x = 1', 'a']).line).toBe(2);
    expect(() => snippet('a.py', file, ['a.py', 'x = 1'])).toThrow('stands there twice');
    expect(() => snippet('a.py', file, ['a.py', 'y = 1'])).toThrow('nothing reads "y = 1"');
    expect(() => snippet('a.py', file, ['a.py', 'x = 1', 'b'])).toThrow('no anchor "b"');
  });

  it('no entry is empty', () => {
    for (const [key, { py, cpp }] of Object.entries(CODE))
      expect([key, py.length + cpp.length > 0]).toEqual([key, true]);
  });
});

describe('sizes under the symbols', () => {
  const step = {
    axes: [
      { name: 'query', size: 6 },
      { name: 'feature', size: 4 },
    ],
    operands: [
      {
        op: 'matmul',
        axes: [{ name: 'key', size: 7 }],
        operands: [{ op: 'input', axes: [{ name: 'feature', size: 16 }] }],
      },
    ],
  } as unknown as Step;

  it('are the step’s own, or an operand’s; unknown ones stay letters', () => {
    expect(sizeOf(step, 'query')).toBe(6);
    expect(sizeOf(step, '0.key')).toBe(7);
    expect(sizeOf(step, '0.0.feature')).toBe(16);
    expect(sizeOf(step, '0.1.feature')).toBeUndefined();
    expect(sizeOf(step, '1.key')).toBeUndefined();
    expect(sizeOf(step, 'batch')).toBeUndefined();
  });
});
