// A model as a map: its parts, and what flows between them, read from the names of a run's steps and from their operands. Pure.

import type { Operand, Step } from '../../../shared/engine';

export type FlowRole = 'q' | 'k' | 'v';

export interface Source {
  part: string;
  role: FlowRole | undefined; // of attention: what becomes of it
}

export interface Part {
  name: string; // 'encoder.0.attention'
  side: string; // 'encoder'
  layer: number | undefined;
  steps: Step[];
  main: Step; // weights of an attention; otherwise what the part gives
  sources: Source[];
}

export interface Group {
  layer: number | undefined;
  parts: Part[];
}

export interface Side {
  name: string;
  groups: Group[];
}

const INPUT = new Set(['ids', 'previous', 'embedding', 'scaled', 'positions', 'input']);
const LOSS = new Set(['decoder.wanted', 'decoder.loss', 'loss']);
const ROLES: Record<string, FlowRole> = { queries: 'q', keys: 'k', values: 'v' };

const last = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** Which part a step belongs to; nothing for what is no part of a map (parameters, lengths, updates). */
export function partOf(name: string): string | undefined {
  if (LOSS.has(name)) return 'decoder.loss';
  const [side = '', second = '', ...rest] = name.split('.');
  if (side === 'source') return last(name) === 'ids' ? 'encoder.input' : undefined;
  if (side !== 'encoder' && side !== 'decoder') return undefined;
  if (/^\d+$/.test(second)) return rest.length > 0 ? `${side}.${second}.${rest[0]!}` : undefined;
  if (rest.length === 0 && INPUT.has(second)) return `${side}.input`;
  return second === 'lengths' ? undefined : `${side}.${second}`;
}

/** Steps that a step was computed from; what has no name stands for what it was computed from. */
function origins(operands: Operand[]): string[] {
  return operands.flatMap((operand) =>
    operand.step === undefined ? origins(operand.operands ?? []) : [operand.step],
  );
}

function sources(name: string, steps: Step[]): Source[] {
  const found = steps.flatMap((step): Source[] =>
    origins(step.operands).flatMap((from) => {
      const part = partOf(from);
      return part === undefined || part === name ? [] : [{ part, role: ROLES[last(step.name)] }];
    }),
  );
  return [...new Map(found.map((each) => [`${each.part} ${each.role}`, each])).values()];
}

/** In the order in which each part was finished: keys for later queries are made early. */
export function partsOf(steps: Step[]): Part[] {
  const byName = new Map<string, Step[]>();
  for (const step of steps) {
    const name = step.op === 'parameter' ? undefined : partOf(step.name);
    if (name === undefined) continue;
    const before = byName.get(name) ?? [];
    byName.delete(name);
    byName.set(name, [...before, step]);
  }
  const known = new Set(byName.keys());
  return [...byName].map(([name, own]) => {
    const [side = '', second = ''] = name.split('.');
    return {
      name,
      side,
      layer: /^\d+$/.test(second) ? Number(second) : undefined,
      steps: own,
      main: own.find((step) => last(step.name) === 'weights') ?? own.at(-1)!,
      sources: sources(name, own).filter(({ part }) => known.has(part)),
    };
  });
}

export function sidesOf(parts: Part[]): Side[] {
  const sides: Side[] = [];
  for (const name of ['encoder', 'decoder']) {
    const groups: Group[] = [];
    for (const part of parts.filter(({ side }) => side === name)) {
      const open = groups.at(-1);
      if (open && open.layer === part.layer) open.parts.push(part);
      else groups.push({ layer: part.layer, parts: [part] });
    }
    if (groups.length > 0) sides.push({ name, groups });
  }
  return sides;
}

export function attends(part: Part): boolean {
  return last(part.main.name) === 'weights';
}

/** What an attention's mask hides, by where the hidden cells lie; `mask` is [query, key] of one head, 1 where seen. */
export function hides(mask: ArrayLike<number>, queries: number, keys: number): Hidden {
  let future = false;
  let same = true;
  let any = false;
  for (let query = 0; query < queries; query += 1)
    for (let key = 0; key < keys; key += 1) {
      const hidden = mask[query * keys + key] === 0;
      if (hidden) any = true;
      if (hidden !== (mask[key] === 0)) same = false; // not as in the first row
      if (hidden && key > query) future = true;
    }
  if (!any) return 'nothing';
  if (same) return 'padding';
  return future ? 'future' : 'other';
}
export type Hidden = 'nothing' | 'padding' | 'future' | 'other';

export interface From {
  part: string;
  roles: FlowRole[]; // of an attention: what is made of it
}

/** Queries from here, keys and values from there; of what is no attention, only from where. */
export function froms(part: Part): From[] {
  const all = new Map<string, FlowRole[]>();
  for (const { part: from, role } of part.sources) {
    const roles = all.get(from) ?? [];
    all.set(from, role === undefined ? roles : [...roles, role]);
  }
  const ordered = (roles: FlowRole[]): FlowRole[] =>
    (['q', 'k', 'v'] as const).filter((role) => roles.includes(role));
  return [...all]
    .map(([from, roles]) => ({ part: from, roles: ordered(roles) }))
    .toSorted((a, b) => Number(b.roles.includes('q')) - Number(a.roles.includes('q')));
}
