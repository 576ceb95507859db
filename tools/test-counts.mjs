// How many tests passed and failed, read from what each runner says. Each throws where the
// runner said nothing that can be read: it died.

/** `[doctest] test cases: 12 | 11 passed | 1 failed | 0 skipped` */
export function doctest(output) {
  const found = /\[doctest\] test cases:\s*\d+\s*\|\s*(\d+) passed\s*\|\s*(\d+) failed/.exec(
    output.replace(/\x1b\[[\d;]*m/g, ''),
  );
  if (!found) throw new Error('no summary of doctest');
  return { passed: Number(found[1]), failed: Number(found[2]) };
}

/** Node's own runner: `# pass 3`, `# fail 0`. A cancelled test is a failed one. */
export function tap(output) {
  const number = (word) => {
    const found = new RegExp(`^# ${word} (\\d+)$`, 'm').exec(output);
    if (!found) throw new Error('no summary of node --test');
    return Number(found[1]);
  };
  return { passed: number('pass'), failed: number('fail') + number('cancelled') };
}

/** Vitest's JSON. A file that cannot be loaded has no tests: it counts as one failure. */
export function vitest(json) {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(json);
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  return { passed: numPassedTests, failed: numFailedTests + broken.length };
}

/** Playwright's JSON. A flaky test failed once: that is a failure. */
export function playwright(json) {
  const { stats, errors } = JSON.parse(json);
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length };
}
