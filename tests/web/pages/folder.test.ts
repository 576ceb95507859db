// The same sources give the same site, in whatever order a file system names what lies in a folder.

import { expect, it, vi } from 'vitest';
import { buildId } from '../../../web/pages/build-id';
import { filesIn, namesIn } from '../../../web/pages/folder';
import { proofFiles } from '../../../web/pages/proof-page';
import { stepsOfModels } from '../../../web/pages/source-lines';

const order = vi.hoisted(() => ({ backwards: false }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const readdirSync = (...all: Parameters<typeof fs.readdirSync>) => {
    const found = fs.readdirSync(...all);
    return order.backwards ? found.reverse() : found;
  };
  return { ...fs, readdirSync };
});

const REPO = new URL('../../..', import.meta.url).pathname.replace(/\/$/, '');

it('the build id, the files of the proof, and the steps of the models do not depend on the order of folders', () => {
  const seen = [false, true].map((backwards) => {
    order.backwards = backwards;
    const steps = [...stepsOfModels(REPO)].map(([model, names]) => [model, [...names]]);
    return JSON.stringify([buildId(REPO), proofFiles(REPO), steps]);
  });
  expect(seen[0]).toBe(seen[1]);
  expect(seen[0]).toContain('kernel_regression');
});

it('folders are read by their names, files below them by their paths', () => {
  order.backwards = true;
  const here = new URL('.', import.meta.url).pathname;
  expect(namesIn(here)).toEqual([...namesIn(here)].sort());
  expect(filesIn(new URL('..', import.meta.url).pathname)).toContain('pages/folder.test.ts');
});
