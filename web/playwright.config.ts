// Browser tests, on the built site, in the Chromium of this machine (CHROMIUM overrides it).

import { defineConfig, devices } from '@playwright/test';

const ARGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export default defineConfig({
  testDir: '../tests/e2e',
  outputDir: '../build/test/e2e',
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  reporter: [['list']],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 1000 },
    reducedMotion: 'reduce',
    serviceWorkers: 'block', // it would answer in the place of a test's own routes; offline.spec.ts allows it
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ARGS },
  },
});
