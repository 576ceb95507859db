// What lies in a folder, in the order of the names. Every file system tells it in an order of its own, and the same sources have to
// give the same bytes: nothing else here reads a folder (the linter sees to that).

import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

export const namesIn = (folder: string): string[] => readdirSync(folder).sort();

/** Of every file in it and below, the path from the folder on. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
