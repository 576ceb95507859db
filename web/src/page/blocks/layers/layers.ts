// The layers of a model, as its parameters name them. Pure.

import type { Step } from '../../../shared/engine';

export interface Layer {
  name: string; // 'decoder.attention'
  part: string; // 'decoder'
  added: boolean; // the other model has none of that name
}

/** `decoder.attention.W_q.weight` belongs to `decoder.attention`. */
export function layerOf(parameter: string): string {
  return parameter.split('.').slice(0, 2).join('.');
}

export function layerNames(steps: Step[]): string[] {
  const parameters = steps.filter(({ op }) => op === 'parameter');
  return [...new Set(parameters.map(({ name }) => layerOf(name)))];
}

export function layers(names: string[], others: string[]): Layer[] {
  return names.map((name) => ({
    name,
    part: name.split('.')[0]!,
    added: !others.includes(name),
  }));
}
