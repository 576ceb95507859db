// The command `attn` as a person meets it: what it prints, and the one line and exit code 2 of a mistake.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../build/bin/attn", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "attn-"));
const at = (name) => join(folder, name);
const small = [
  "--config",
  "hidden_size=8",
  "--config",
  "embed_size=8",
  "--config",
  "min_frequency=1",
];

function attn(...words) {
  const { status, stdout, stderr } = spawnSync(program, words, {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

function refused(words, pattern) {
  const { status, stdout, stderr } = attn(...words);
  assert.equal(status, 2, stderr);
  assert.equal(stdout, "");
  assert.match(stderr, pattern);
  assert.equal(stderr.trimEnd().split("\n").length, 1, `one line: ${stderr}`);
}

before(() => {
  writeFileSync(
    at("pairs.tsv"),
    "Go.\tVa !\nI lost.\tJ'ai perdu.\nI'm home.\tJe suis chez moi.\nonly one column\n",
  );
  const trained = attn(
    "train",
    "bahdanau",
    "--pairs",
    at("pairs.tsv"),
    "--epochs",
    "150",
    ...small,
    "--config",
    "learning_rate=0.02",
    "--out",
    at("b.safetensors"),
  );
  assert.equal(trained.status, 0, trained.stderr);
});
after(() => rmSync(folder, { recursive: true }));

test("describe: all models, or one with its fields", () => {
  const { models } = JSON.parse(attn("describe").stdout);
  assert.ok(models.map((m) => m.name).includes("bahdanau"));
  const one = JSON.parse(attn("describe", "seq2seq").stdout);
  assert.equal(
    one.fields.find((f) => f.name === "learning_rate").default,
    0.005,
  );
});

test("train: one JSON line with the agreed names, and bad lines named on stderr", () => {
  const { status, stdout, stderr } = attn(
    "train",
    "seq2seq",
    "--pairs",
    at("pairs.tsv"),
    "--epochs",
    "3",
    "--seed",
    "4",
    ...small,
    "--check",
    "Go.=Va !",
    "--out",
    at("s.safetensors"),
  );
  assert.equal(status, 0, stderr);
  assert.equal(stdout.trimEnd().split("\n").length, 1);
  const line = JSON.parse(stdout);
  for (const name of [
    "loss_per_token",
    "book_loss",
    "tokens_per_s",
    "bleu",
    "parameters",
  ])
    assert.equal(typeof line[name], "number", name);
  assert.ok(Math.abs(line.book_loss * 10 - line.loss_per_token) < 1e-9);
  assert.match(stderr, /pairs\.tsv:4: one column/);
});

test("train: the same seed gives the same file, another seed another", () => {
  const weights = (seed, name) => {
    attn(
      "train",
      "bahdanau",
      "--pairs",
      at("pairs.tsv"),
      "--epochs",
      "2",
      "--seed",
      seed,
      ...small,
      "--out",
      at(name),
    );
    return readFileSync(at(name));
  };
  assert.ok(weights("1", "one").equals(weights("1", "two")));
  assert.ok(!weights("1", "one").equals(weights("2", "three")));
});

test("train: resumed from a checkpoint it ends at the weights of the uninterrupted run", () => {
  const train = (...words) => {
    const run = attn("train", "bahdanau", "--pairs", at("pairs.tsv"), ...words);
    assert.equal(run.status, 0, run.stderr);
    return JSON.parse(run.stdout);
  };
  const whole = train("--epochs", "6", ...small, "--out", at("whole"));
  const half = train(
    ...["--epochs", "3", ...small],
    ...["--out", at("half"), "--checkpoint", at("half.checkpoint")],
  );
  assert.equal(half.epochs, 3);
  const rest = train(
    ...["--epochs", "6", "--resume", at("half.checkpoint")],
    ...["--weights", at("half"), "--out", at("rest")],
  );
  assert.equal(rest.epochs, 6);
  assert.equal(rest.loss_per_token, whole.loss_per_token);
  assert.ok(readFileSync(at("rest")).equals(readFileSync(at("whole"))));
  // The weights that the run itself would write are the default.
  train(
    "--epochs",
    "6",
    "--resume",
    at("half.checkpoint"),
    "--out",
    at("half"),
  );
  assert.ok(readFileSync(at("half")).equals(readFileSync(at("whole"))));
  refused(
    [
      ...["train", "bahdanau", "--pairs", at("pairs.tsv")],
      ...["--resume", at("half.checkpoint"), "--out", at("b.safetensors")],
    ],
    /the checkpoint was made with another|belongs to other weights/,
  );
});

test("train: Ctrl-C leaves weights and a checkpoint, from which it goes on", async () => {
  const words = [
    ...["train", "bahdanau", "--pairs", at("pairs.tsv"), "--epochs", "10000"],
    ...[...small, "--out", at("long"), "--checkpoint", at("long.checkpoint")],
  ];
  const child = spawn(program, words);
  let stdout = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  await once(child.stderr, "data"); // it trains
  child.kill("SIGINT");
  const [code] = await once(child, "close");
  assert.equal(code, 130);
  const { epochs } = JSON.parse(stdout);
  assert.ok(epochs < 10000);
  const more = attn(
    ...["train", "bahdanau", "--pairs", at("pairs.tsv"), "--out", at("long")],
    ...["--resume", at("long.checkpoint"), "--epochs", String(epochs + 1)],
  );
  assert.equal(more.status, 0, more.stderr);
  assert.equal(JSON.parse(more.stdout).epochs, epochs + 1);
});

test("translate: a sentence as it is typed", () => {
  assert.equal(
    attn("translate", at("b.safetensors"), "I'm home.", "GO  .").stdout,
    "je suis chez moi .\nva !\n",
  );
});

test("run: steps as nested JSON", () => {
  writeFileSync(at("input.json"), '{"sentence": "Go."}');
  const run = attn(
    "run",
    "bahdanau",
    "--weights",
    at("b.safetensors"),
    "--input",
    at("input.json"),
    "--want",
    "decoder.weights",
    "--want",
    "encoder.1.hidden",
  );
  const { steps } = JSON.parse(run.stdout);
  assert.deepEqual(
    steps.map((s) => s.name),
    ["encoder.1.hidden", "decoder.weights"],
  );
  const [row] = steps[1].values[0][0];
  assert.equal(row.length, 3);
  assert.ok(Math.abs(row.reduce((a, b) => a + b) - 1) < 1e-6);
});

test("run: kernel regression, f at five points to 1e-6", () => {
  const { steps } = JSON.parse(
    attn("run", "kernel-regression", "--want", "data.truth").stdout,
  );
  // 2 sin x + x^0.8 at 0, 1, 2, 3, 4, from the definition.
  const f = [
    0, 2.682941969615793, 3.5596959806408475, 2.690464601416063,
    1.5178279419240037,
  ];
  f.forEach((y, i) =>
    assert.ok(
      Math.abs(steps[0].values[10 * i] - y) < 1e-6,
      `${i}: ${steps[0].values[10 * i]} ${y}`,
    ),
  );
});

test("mistakes: settings out of range are named with what they may be", () => {
  const train = [
    "train",
    "bahdanau",
    "--pairs",
    at("pairs.tsv"),
    "--out",
    at("never"),
  ];
  refused(
    [...train, "--epochs", "0"],
    /epochs is a whole number from 1 to 10000, not 0/,
  );
  refused(
    [...train, "--config", "learning_rate=-1"],
    /learning_rate is a number from .* not -1/,
  );
  refused(
    [...train, "--config", "hidden_size=0"],
    /hidden_size is a whole number from 1 to 1024, not 0/,
  );
  refused(
    [...train, "--config", "hidden_size=1000000"],
    /hidden_size .* not 1000000/,
  );
  refused([...train, "--config", "hiden_size=8"], /no field "hiden_size"/);
  refused([...train, "--config", "epochs"], /not of the form field=value/);
  refused(
    [...train, "--check", "no equals sign"],
    /not of the form source=target/,
  );
  assert.ok(!existsSync(at("never")), "nothing is written");
});

test("mistakes: words of the command line", () => {
  refused(["dance"], /no command "dance"/);
  refused(["train", "gpt", "--out", at("never")], /no model "gpt"/);
  refused(
    ["train", "bahdanau", "--pairs", at("pairs.tsv")],
    /--out is missing/,
  );
  refused(["train", "bahdanau", "--out", at("never")], /needs pairs/);
  refused(["train", "bahdanau", "--out"], /--out needs a value/);
  refused(
    [
      "train",
      "bahdanau",
      "--out",
      at("never"),
      "--weights",
      at("b.safetensors"),
    ],
    /--resume names it/,
  );
  refused(["describe", "--loud"], /no option --loud/);
  refused(["run", "bahdanau"], /--want/);
  refused(["translate", at("b.safetensors")], /at least one sentence/);
});

test("mistakes: files", () => {
  const train = (name, text) => {
    writeFileSync(at(name), text);
    return ["train", "bahdanau", "--pairs", at(name), "--out", at("never")];
  };
  refused(train("empty", ""), /the file is empty/);
  refused(
    train("binary", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2])),
    /line 1: a zero byte/,
  );
  refused(train("one-column", "go\nrun\n"), /line 1: one column/);
  refused(train("huge", Buffer.alloc(50 << 20, 97)), /50 MiB; at most 32 MiB/);
  refused(
    ["train", "bahdanau", "--pairs", at("nowhere"), "--out", at("never")],
    /cannot read .*nowhere/,
  );
  const whole = readFileSync(at("b.safetensors"));
  writeFileSync(at("cut"), whole.subarray(0, whole.length - 100));
  refused(
    ["translate", at("cut"), "Go."],
    /tensor .* lies outside the file; is it cut off/,
  );
  writeFileSync(at("foreign"), "GIF89a, a picture and no weights at all");
  refused(["translate", at("foreign"), "Go."], /no usable file of weights/);
  refused(
    [
      "run",
      "kernel-regression",
      "--weights",
      at("b.safetensors"),
      "--want",
      "*",
    ],
    /weights of a bahdanau/,
  );
});

test("mistakes: sentences", () => {
  refused(["translate", at("b.safetensors"), "   "], /no words/);
  const strange = attn(
    "translate",
    at("b.safetensors"),
    "😀 <img onerror=alert(1)> zzz",
    "go ".repeat(500),
  );
  assert.equal(strange.status, 0, strange.stderr);
  assert.equal(strange.stdout.trimEnd().split("\n").length, 2);
});
