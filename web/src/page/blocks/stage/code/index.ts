// Which lines made a step: of PyTorch in tests/parity, of the core in src. Keys are those of store/names.ts.

import { lookups } from '../../../store/names';
import type { Pass } from '../stops';
import type { Table } from './lines';
import { BY_OP } from './ops';
import { REGRESSION } from './regression';
import { SCORING } from './scoring';
import { TRANSFORMER } from './transformer';
import { ADDITIVE, RECURRENT, TRANSLATION } from './translators';
import { UPDATE } from './update';

export const CODE: Table = {
  ...REGRESSION,
  ...SCORING,
  ...TRANSLATION,
  ...RECURRENT,
  ...ADDITIVE,
  ...TRANSFORMER,
  ...UPDATE,
  ...BY_OP,
};

/** Which entry of `CODE` a step has. `looped`: whether a loop made it, turn by turn. */
export function codeKey(
  name: string,
  op: string,
  pass: Pass,
  model: string,
  looped = true,
): string | undefined {
  const scopes = [...(looped || model !== 'transformer' ? [] : ['once']), model];
  const keys =
    pass === 'backward' ? [`backward ${op}`] : [...lookups(name, op, scopes), `op ${op}`];
  return keys.find((key) => Object.hasOwn(CODE, key));
}
