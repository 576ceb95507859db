// Where a short training run of a lesson ends, whichever build of the engine trains and in whichever browser: the loss of an epoch,
// as the table beside the curve tells it. The random numbers are the same everywhere; what differs is rounding, which training
// enlarges. The middles are those of `attn train` with the lesson's settings, on this machine's own instructions.

const WIDTH = 0.02; // of the middle, to either side

export const BANDS = {
  'kernel-regression': { epoch: 2, middle: 12.256 },
  bahdanau: { epoch: 3, middle: 2.9959 },
};

/** What is wrong with the losses of a run, one an epoch; null if they reach the band. */
export function outside(slug, losses) {
  const { epoch, middle } = BANDS[slug];
  const loss = losses[epoch - 1];
  return Math.abs(loss / middle - 1) <= WIDTH ? null : `${slug}: epoch ${epoch} should have a loss near ${middle}: ${losses}`;
}
