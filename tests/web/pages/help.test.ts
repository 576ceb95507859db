import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { WORDS } from '../../../web/pages/words.ts';
import { KEYS, type KeyGroup } from '../../../web/src/shared/keys';

const BLOCKS = new URL('../../../web/src/page/blocks/', import.meta.url);
const kinds = readdirSync(BLOCKS, { withFileTypes: true }).filter((each) => each.isDirectory());

/** The sources of a kind, as one text. */
function sources(kind: string): string {
  const folder = new URL(`${kind}/`, BLOCKS);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.svelte'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
}

async function keysOf(kind: string): Promise<KeyGroup[]> {
  const module = (await import(`../../../web/src/page/blocks/${kind}/schema.ts`)) as {
    keys?: KeyGroup[];
  };
  return module.keys ?? [];
}

describe('the help sheet', () => {
  it('has words for every key', () => {
    for (const [group, rows] of Object.entries(KEYS))
      for (const key of [
        `keys.${group}`,
        ...Object.keys(rows).map((row) => `keys.${group}.${row}`),
      ])
        expect([WORDS.zh[key], WORDS.en[key]], key).toEqual([
          expect.stringMatching(/\S/),
          expect.stringMatching(/\S/),
        ]);
  });

  it.each(kinds.map(({ name }) => name))('%s: what has keys of its own is on it', async (kind) => {
    const text = sources(kind);
    const keys = await keysOf(kind);
    if (/onkeydown|type="range"|role="slider"|<Knob/.test(text)) expect(keys).not.toEqual([]);
    if (/<HeatMap|<TableTwin/.test(text)) expect(keys).toContain('map');
  });
});
