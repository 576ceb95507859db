import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doctest, playwright, tap, vitest } from '../test-counts.mjs';

test('doctest: reads the line of test cases, not of assertions', () => {
  const output = '[doctest] test cases:  12 | 10 passed | 2 failed | 1 skipped\n[doctest] assertions: 99 | 97 passed | 2 failed |\n';
  assert.deepEqual(doctest(output), { passed: 10, failed: 2 });
});

test('doctest: without its summary the program died', () => {
  assert.throws(() => doctest('Segmentation fault'), /no summary/);
});

test('vitest: a file that could not be loaded is a failure', () => {
  const testResults = [
    { status: 'passed', assertionResults: [{ status: 'passed' }] },
    { status: 'failed', assertionResults: [] },
  ];
  assert.deepEqual(vitest(JSON.stringify({ numPassedTests: 1, numFailedTests: 0, testResults })), { passed: 1, failed: 1 });
});

test('playwright: flaky tests and errors outside tests are failures', () => {
  const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 2 };
  assert.deepEqual(playwright(JSON.stringify({ stats, errors: [{}] })), { passed: 5, failed: 3 });
});

test('tap: a cancelled test is a failure', () => {
  assert.deepEqual(tap('# tests 4\n# pass 2\n# fail 1\n# cancelled 1\n'), { passed: 2, failed: 2 });
});
