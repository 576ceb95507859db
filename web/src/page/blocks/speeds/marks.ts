// What measuring gives, and what can be read off it. Pure: numbers are picked and compared, never made.

import type { Config, Metrics } from '../../../shared/engine';
import { table } from '../../parts/tables';

export interface Mark {
  at: number; // which of the block's values
  value: number;
  metrics: Metrics; // of the run whose `metric` was the median
}

/** The run in the middle: one slice that was really measured, not a mixture of several. */
export function middle(runs: Metrics[], metric: string): Metrics | undefined {
  const inOrder = runs.toSorted((a, b) => (a[metric] ?? NaN) - (b[metric] ?? NaN));
  return inOrder[inOrder.length >> 1];
}

/** From which value on the first line lies above the second wherever both were measured; nothing if it does not at the last one. */
export function above(of: Mark[], over: Mark[], metric: string): number | undefined {
  const both = of.flatMap(({ at, value, metrics }) => {
    const other = over.find((each) => each.at === at);
    return other ? [{ value, ahead: metrics[metric]! > other.metrics[metric]! }] : [];
  });
  const last = both.findLastIndex(({ ahead }) => !ahead);
  return both[last + 1]?.value;
}

export interface Told {
  name: string;
  engine: string;
  config: Config;
  mark: Mark;
}

/** For other programs: a line for each way and value, with the settings that were measured and every metric in full. */
export function marksCsv(told: Told[]): string {
  const settings = keys(told.map(({ config }) => config));
  const metrics = keys(told.map(({ mark }) => mark.metrics));
  return table([
    ['way', 'engine', ...settings, ...metrics],
    ...told.map(({ name, engine, config, mark }) => [
      ...[name, engine],
      ...settings.map((key) => String(config[key] ?? '')),
      ...metrics.map((key) => String(mark.metrics[key] ?? '')),
    ]),
  ]);
}

const keys = (all: object[]): string[] => [...new Set(all.flatMap((each) => Object.keys(each)))];
