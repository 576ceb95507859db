import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { bundle, ROOTS, scripts, statements } from '../../../web/pages/pytorch';
import { filled } from '../../../web/src/page/takeaway/script';

const repo = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const folder = mkdtempSync(join(tmpdir(), 'pytorch-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Throws what Python says if it cannot read the file. */
function compile(name: string, text: string): void {
  const file = join(folder, `${name}.py`);
  writeFileSync(file, text);
  execFileSync('python3', ['-m', 'py_compile', file], { stdio: ['ignore', 'ignore', 'pipe'] });
}

describe('a Python file as statements', () => {
  it('keeps decorators, blocks, closing brackets and long texts together, and leaves comments out', () => {
    const source =
      '"""About.\nMore."""\nimport os\n\n\n# a remark\n@decorated\ndef f(a,\n      b):\n    return a\n\n\nX = [\n    1,\n]\nT = """\nimport no\n"""\n';
    expect(statements(source)).toEqual([
      '"""About.\nMore."""',
      'import os',
      '@decorated\ndef f(a,\n      b):\n    return a',
      'X = [\n    1,\n]',
      'T = """\nimport no\n"""',
    ]);
  });
});

describe('a bundle', () => {
  const modules = {
    modules:
      'import math\nimport json\n\ndef one():\n    return math.pi\n\ndef two():\n    return json\n',
    take_away:
      'import modules as m\nfrom modules import one\n\ndef main(two):\n    """two"""\n    return one() + m.one() + two\n\ndef other():\n    return m.two()\n',
  };

  it('holds what the main function reaches, and nothing else', () => {
    const text = bundle(modules, 'main');
    expect(text).toContain('def one()');
    expect(text).toContain('return one() + one() + two');
    expect(text).not.toContain('def two');
    expect(text).not.toContain('json');
    expect(text.startsWith('import math\n')).toBe(true);
    expect(text.endsWith('if __name__ == "__main__":\n    main()\n')).toBe(true);
  });

  it('refuses two definitions of one name, and a main function that is not there', () => {
    const twice = { ...modules, golden: 'def one():\n    return 1\n' };
    twice.take_away += '\nimport golden\n\ndef both():\n    return golden.one() + one()\n';
    expect(() => bundle(twice, 'both')).toThrow('"one" twice');
    expect(() => bundle(modules, 'absent')).toThrow('no function absent');
  });
});

describe('the scripts', () => {
  const made = scripts(repo);
  const CLASSES: Record<string, string[]> = {
    'kernel-regression': ['KernelRegression'],
    seq2seq: ['Seq2SeqEncoder', 'Seq2SeqDecoder', 'EncoderDecoder'],
    bahdanau: ['AdditiveAttention', 'BahdanauDecoder', 'Seq2SeqEncoder', 'EncoderDecoder'],
    transformer: ['MultiHeadAttention', 'TransformerEncoder', 'TransformerDecoder', 'AddNorm'],
  };

  it.each(Object.keys(ROOTS))('%s: Python reads it, with whatever the page puts in', (model) => {
    const shown = {
      file: 'w.safetensors',
      step: 'decoder.weights',
      cell: [2, 0, 0, 1],
      value: 0.25,
      sentence: `"""'\\\n\u2028 don't {x} 你好 \ud83d\ude00`,
      given: false,
    };
    compile(model, filled(made[model]!, `A "head" with \\ and """.`, shown));
    for (const name of CLASSES[model]!)
      expect(made[model]).toMatch(new RegExp(`^class ${name}\\b`, 'm'));
    expect(made[model]).not.toMatch(
      /^(?:from|import) (?:modules|transformer|golden|model_|step_)/m,
    );
    expect(made[model]!.match(/\nPAGE = \{\}\n/g)).toHaveLength(1);
  });

  it('brings no class of another model', () => {
    expect(made['seq2seq']).not.toContain('class BahdanauDecoder');
    expect(made['bahdanau']).not.toContain('class Seq2SeqDecoder');
    expect(made['kernel-regression']).not.toContain('class Seq2SeqEncoder');
  });
});
