// One colour a role: which axis is whose, and which step. Steps are found by the end of their name (store/names.ts).

import { lookups } from '../store/names';
import type { Role } from './palette';

const AXIS: Record<string, Role> = {
  query: 'q',
  test: 'q',
  key: 'k',
  train: 'k',
  source: 'k',
  value: 'v',
};

export function axisRole(name: string): Role {
  return AXIS[name] ?? 'ink';
}

const STEP: Record<string, Role> = {
  'data.x_test': 'q',
  query: 'q',
  queries: 'q',
  query_projected: 'q',
  'W_q.weight': 'q',
  'data.x_train': 'k',
  'source.ids': 'k',
  'encoder.hidden': 'k',
  key: 'k',
  keys: 'k',
  keys_projected: 'k',
  'W_k.weight': 'k',
  'data.y_train': 'v',
  values: 'v',
  'W_v.weight': 'v',
  saliency: 'k',
  weights: 'w',
  'by_hand.shares': 'w',
  book_weights: 'w',
  'added.query': 'q',
  'bilinear.projected': 'q',
  'padded.queries': 'q',
  'added.key': 'k',
  'padded.keys': 'k',
  prediction: 'c',
  context: 'c',
  gru_input: 'c',
};

export function stepRole(name: string | undefined): Role {
  const key = name === undefined ? undefined : lookups(name).find((each) => each in STEP);
  return key === undefined ? 'ink' : STEP[key]!;
}
