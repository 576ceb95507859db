// Block kinds are folders: `<kind>/schema.ts` says what lesson.json may ask of it, `<kind>/View.svelte`
// draws it. A new kind is a new folder and nothing else.

import type { Component } from 'svelte';
import { blockOptions, type BlockSpec } from '../../shared/lesson';
import { SchemaError, type Parser } from '../../shared/schema';
import type { Fields } from '../store/url';

interface Kind {
  options: Parser<unknown>;
  /** State of its own that the URL remembers, keyed `<id>.<name>`. */
  state?: (id: string, options: unknown) => Fields;
}

const kinds = import.meta.glob<Kind>('./*/schema.ts', { eager: true });
const views = import.meta.glob<{ default: Component }>('./*/View.svelte');

export interface Block {
  id: string;
  kind: string;
  options: unknown;
  fields: Fields;
  view: () => Promise<{ default: Component }>;
}

export function parseBlock(id: string, spec: BlockSpec): Block {
  const kind = kinds[`./${spec.kind}/schema.ts`];
  const view = views[`./${spec.kind}/View.svelte`];
  if (!kind || !view)
    throw new SchemaError(`blocks.${id}`, `there is no block kind "${spec.kind}"`);
  const options = kind.options(blockOptions(spec), `blocks.${id}`);
  return { id, kind: spec.kind, options, fields: kind.state?.(id, options) ?? {}, view };
}
