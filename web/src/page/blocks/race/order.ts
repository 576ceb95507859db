// Who trains next, who has come to the end, and who is ahead. Pure.

import type { Progress } from '../../../shared/engine';

/** What is the same for all; the other of the two is no limit. */
export interface Limit {
  epochs: number;
  seconds: number | undefined;
}

/** The end of an epoch. */
export interface Mark {
  epoch: number;
  seconds: number;
  loss: number;
}

export function way(progress: Progress | undefined, { seconds }: Limit): number {
  if (!progress) return 0;
  if (seconds !== undefined) return progress.seconds;
  return progress.epoch + (progress.batches > 0 ? progress.batch / progress.batches : 0);
}

export function finished(progress: Progress | undefined, { seconds }: Limit): boolean {
  if (!progress) return false;
  return progress.state !== 'training' || (seconds !== undefined && progress.seconds >= seconds);
}

/** Of those that have not come to the end, who has come least far; −1 when all have. */
export function behind(all: (Progress | undefined)[], limit: Limit): number {
  let least = -1;
  all.forEach((progress, i) => {
    if (finished(progress, limit)) return;
    if (least < 0 || way(progress, limit) < way(all[least], limit)) least = i;
  });
  return least;
}

/** Epochs that ended in this slice are marked with its time. */
export function marked(marks: Mark[], progress: Progress, metric: string): Mark[] {
  const fresh = progress.history.slice(marks.length);
  if (fresh.length === 0) return marks;
  const { seconds } = progress;
  return [
    ...marks,
    ...fresh.map((each) => ({ epoch: each.epoch, seconds, loss: each[metric] ?? NaN })),
  ];
}

/** The last epoch that all have finished who have not diverged; 0 before the first. */
export function common(all: { progress: Progress | undefined; marks: Mark[] }[]): number {
  const going = all.filter(({ progress }) => progress?.state !== 'diverged');
  return going.length === 0 ? 0 : Math.min(...going.map(({ marks }) => marks.at(-1)?.epoch ?? 0));
}

/** What is compared: where epochs are the same, the loss at the common epoch; where time is, the last one of each. */
export function compared(
  all: { progress: Progress | undefined; marks: Mark[] }[],
  { seconds }: Limit,
): (number | undefined)[] {
  const epoch = common(all);
  return all.map(({ progress, marks }) => {
    if (progress?.state === 'diverged') return undefined;
    return seconds === undefined
      ? marks.find((mark) => mark.epoch === epoch)?.loss
      : marks.at(-1)?.loss;
  });
}

/** The lane with the lowest or the highest loss; one that diverged has lost any race for the lowest. */
export function best(losses: (number | undefined)[], which: 'lowest' | 'highest'): number {
  const worst = which === 'highest';
  let at = -1;
  losses.forEach((loss, i) => {
    const value = loss ?? Infinity;
    const other = at < 0 ? undefined : (losses[at] ?? Infinity);
    if (other === undefined || (worst ? value > other : value < other)) at = i;
  });
  return at;
}

const FAR = 2.5;

/** How high a picture of all lanes must be: one that is far above the others leaves it at the top, and they stay apart. */
export function highest(lanes: Mark[][]): number {
  const tops = lanes
    .map((marks) => Math.max(...marks.map(({ loss }) => loss).filter(Number.isFinite)))
    .filter(Number.isFinite);
  return tops.length === 0 ? 0 : Math.min(Math.max(...tops), FAR * Math.min(...tops));
}
