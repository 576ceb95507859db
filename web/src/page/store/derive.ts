// What a block shows of a run besides its steps: a sum, a mean, a difference. The engine computes it, once a run and
// question, whoever asks; then it is a step whose cells open like any other.

import type { Axis, Derivation, Step } from '../../shared/engine';
import type { Trace } from './trace';

/** Without its name: equal questions share one. */
export type Question = Omit<Derivation, 'name'>;

export interface Wanted {
  trace: Trace;
  what: Question;
}

const asked = new WeakMap<Trace, Map<string, Promise<Step>>>();

/** One question to a run; the answer is kept as long as the run. */
export function derive(trace: Trace, what: Question): Promise<Step> {
  const known = asked.get(trace) ?? new Map<string, Promise<Step>>();
  asked.set(trace, known);
  const key = JSON.stringify(what);
  const answer = known.get(key) ?? ask(trace, what, known.size);
  known.set(key, answer);
  answer.catch(() => known.delete(key)); // so that the next try is a new one
  return answer;
}

async function ask(trace: Trace, what: Question, n: number): Promise<Step> {
  const [step] = await trace.derive([{ ...what, name: `${what.step}.${n}` }]);
  step!.axes = labelled(step!.axes, trace.step(what.step), what);
  return step!;
}

/** An axis that is left over has the words it had in the step, those of the entries chosen. */
export function labelled(axes: Axis[], from: Step, { select = {} }: Question): Axis[] {
  return axes.map(({ labels: own, ...axis }) => {
    const before = from.axes.find(({ name }) => name === axis.name);
    const chosen = select[axis.name];
    const words = before ? before.labels : own;
    const labels = chosen ? chosen.map((i) => words?.[i] ?? String(i)) : words;
    return labels ? { ...axis, labels } : axis;
  });
}
