// The kinds of block, from the page's own code: what a kind understands is typed once, there.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import type { KeyGroup } from '../src/shared/keys.ts';
import type { Room } from '../src/shared/lesson.ts';
import type { Kind, Kinds } from './check.ts';
import { namesIn } from './folder.ts';

interface SchemaModule {
  options: Kind['parse'];
  room?: Kind['room'];
  keys?: KeyGroup[];
}

const USUAL: Room = { wide: 26, narrow: 30 };

export async function readKinds(web: string): Promise<Kinds> {
  const root = join(web, 'src/page/blocks');
  const names = existsSync(root)
    ? namesIn(root).filter((name) => existsSync(join(root, name, 'schema.ts')))
    : [];
  const entries = names.map(async (name): Promise<[string, Kind]> => {
    const { module } = await runnerImport<SchemaModule>(join(root, name, 'schema.ts'), {
      configFile: false,
      logLevel: 'error',
    });
    const { options: parse, room = () => USUAL, keys = [] } = module;
    return [name, { parse, room, keys }];
  });
  return new Map(await Promise.all(entries));
}
