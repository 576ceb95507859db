// One colour a role: which axis is whose.

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
