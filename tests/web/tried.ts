import fc from 'fast-check';
import { afterAll } from 'vitest';
import { figure } from '../../tools/figures.mjs';

/** fast-check's `assert`, and how many inputs it tried in a file: the sum stands at the end of ./run test. */
export function counting(): typeof assert {
  let tried = 0;
  afterAll(() => figure('inputs tried by property tests', tried));
  function assert<Given>(property: fc.IProperty<Given>, options: fc.Parameters<Given> = {}): void {
    const details = fc.check(property, { ...options, includeErrorInReport: true });
    tried += details.numRuns;
    if (details.failed) throw new Error(fc.defaultReportMessage(details));
  }
  return assert;
}
