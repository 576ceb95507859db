import type { Download, Locator, Page } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { complaints, expect, ROOT, test } from './lab';

const PYTHON = process.env['PYTHON'] ?? 'python3';
const FILES = `${ROOT}tests/parity/goldens/files`;

async function download(page: Page, button: Locator): Promise<Download> {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return file;
}

async function takeHome(page: Page, block: Locator): Promise<{ script: string; weights: string }> {
  const script = await download(page, block.getByRole('button', { name: 'The script (PyTorch)' }));
  const weights = await download(
    page,
    block.getByRole('button', { name: 'The weights (safetensors)' }),
  );
  return { script: await script.path(), weights: await weights.path() };
}

const choose = (block: Locator, file: string | { name: string; bytes: Buffer }): Promise<void> =>
  block
    .locator('.drop input')
    .setInputFiles(
      typeof file === 'string'
        ? file
        : { name: file.name, mimeType: 'application/octet-stream', buffer: file.bytes },
    );

// That PyTorch then has the numbers of the page is tried by hand: tests/parity/take_home.mjs.
const MODELS = [
  { slug: 'kernel-regression', main: 'class KernelRegression', step: 'learned.prediction' },
  { slug: 'bahdanau', main: 'class BahdanauDecoder', step: 'decoder.weights' },
];
for (const { slug, main, step } of MODELS)
  test(`${slug}: the script is complete Python, and computes the step that the page shows`, async ({
    lesson,
    page,
  }) => {
    await lesson.open(slug);
    const block = await lesson.block('takeaway');
    const { script } = await takeHome(page, block);
    const text = readFileSync(script, 'utf8');
    expect(text).toContain(main);
    expect(text).toContain(`"step": "${step}"`);
    execFileSync(PYTHON, ['-c', 'import ast, sys; ast.parse(open(sys.argv[1]).read())', script]);
  });

test('the script can be read before it is taken', async ({ lesson }) => {
  await lesson.open('kernel-regression');
  const block = await lesson.block('takeaway');
  await block.getByText('Read the script').click();
  await expect(block.locator('pre')).toContainText('class KernelRegression(nn.Module):');
});

test('weights go out and come back in', async ({ lesson, page }) => {
  await lesson.open('bahdanau');
  const block = await lesson.block('takeaway');
  const { weights } = await takeHome(page, block);
  await choose(block, { name: 'mine.safetensors', bytes: readFileSync(weights) });
  await expect(block.locator('[role=status]').last()).toContainText(
    'mine.safetensors is in use now',
  );
});

test('a smaller model from PyTorch takes the place of the one of the page, and goes again', async ({
  lesson,
  page,
}) => {
  await lesson.open('bahdanau');
  const translate = await lesson.block('translate');
  await expect(translate).toContainText('It writes je');
  const before = await translate.textContent();
  const block = await lesson.block('takeaway');
  await choose(block, `${FILES}/bahdanau.safetensors`);
  await expect(block.locator('[role=status]').last()).toContainText(
    'bahdanau.safetensors is in use',
  );
  await expect.poll(async () => translate.textContent()).not.toBe(before);
  await block.getByRole('button', { name: 'Back to the model of the page' }).click();
  await expect.poll(async () => translate.textContent()).toBe(before);
  await expect(page.locator('[role=alert]')).toHaveCount(0);
});

test('a file that does not fit is refused by name, and the model stays', async ({ lesson }) => {
  await lesson.open('bahdanau');
  const translate = await lesson.block('translate');
  await expect(translate).toContainText('It writes je');
  const before = await translate.textContent();
  const block = await lesson.block('takeaway');
  const refused = [
    [{ name: 'junk.safetensors', bytes: Buffer.from('no weights at all') }, 'no usable file'],
    [`${FILES}/seq2seq.safetensors`, 'weights of seq2seq, not of bahdanau'],
  ] as const;
  for (const [file, why] of refused) {
    await choose(block, file);
    await expect(block.getByRole('alert')).toContainText(why);
    await expect(block).toContainText('still in use');
  }
  expect(await translate.textContent()).toBe(before);
});

test('a file without its settings asks for them, and opens with them', async ({ lesson }) => {
  await lesson.open('bahdanau');
  const block = await lesson.block('takeaway');
  await choose(block, `${FILES}/bahdanau_plain.safetensors`);
  await expect(block.getByRole('alert')).toContainText('tensor');
  await expect(block).toContainText('does not say how it was made');
  const plain = JSON.parse(readFileSync(`${FILES}/plain.json`, 'utf8')) as {
    pairs: string;
    bahdanau: unknown;
  };
  await block.getByRole('textbox').fill('{');
  await block.getByRole('button', { name: 'Open with these' }).click();
  await expect(block.getByRole('alert')).toContainText('no JSON object');
  await block.getByRole('textbox').fill(JSON.stringify(plain.bahdanau));
  await block.locator('.pairs input').setInputFiles({
    name: 'pairs.tsv',
    mimeType: 'text/plain',
    buffer: Buffer.from(plain.pairs),
  });
  await block.getByRole('button', { name: 'Open with these' }).click();
  await expect(block.locator('[role=status]').last()).toContainText(
    'bahdanau_plain.safetensors is in use',
  );
});

test('a file can be dropped', async ({ lesson, page }) => {
  await lesson.open('kernel-regression');
  const block = await lesson.block('takeaway');
  const bytes = [...readFileSync(`${FILES}/kernel_regression.safetensors`)];
  const files = await page.evaluateHandle((data) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(data)], 'w.safetensors'));
    return transfer;
  }, bytes);
  await block.locator('.drop').dispatchEvent('drop', { dataTransfer: files });
  await expect(block.locator('[role=status]').last()).toContainText(
    'w.safetensors is in use now: 1',
  );
});

test('axe finds nothing on the way home', async ({ lesson, page }) => {
  await lesson.open('bahdanau', 'zh');
  const block = await lesson.block('takeaway');
  await choose(block, `${FILES}/bahdanau_plain.safetensors`);
  await expect(block.locator('form')).toBeVisible();
  expect(await complaints(page, '[data-kind=takeaway]')).toEqual([]);
});
