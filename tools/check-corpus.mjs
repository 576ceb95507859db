#!/usr/bin/env node
// Checks the parallel corpus in lessons/corpus/ against its rules of form.
// Prints every failure as file:line and exits 1; prints one line of numbers when all rules hold.
// Usage: node tools/check-corpus.mjs [train.tsv valid.tsv]

import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const inCorpus = (name) =>
  relative(process.cwd(), fileURLToPath(new URL(`../lessons/corpus/${name}`, import.meta.url)));
const TRAIN = process.argv[2] ?? inCorpus('eng-fra.tsv');
const VALID = process.argv[3] ?? inCorpus('eng-fra.valid.tsv');

const RULES = {
  minTrainPairs: 1520,
  minValidPairs: 150,
  minEnglishWords: 920,
  minSeveralForms: 60,
  maxForms: 4,
  maxFramePairs: 12,
  englishTokens: [2, 7],
  frenchTokens: [2, 8],
  shortTokens: 5,
  minShortShare: 0.7, // sentences of at most shortTokens tokens, in each language
  minRecurring: 0.75, // words that occur at least twice in the training part
  minFrenchCovered: 0.95, // French words of the validation part known from the training part
};

const CHAPTER = new Map([
  ['Go.', 'Va !'],
  ['I lost.', "J'ai perdu."],
  ["He's calm.", 'Il est calme.'],
  ["I'm home.", 'Je suis chez moi.'],
]);

const ENGLISH_CHARS = /^[A-Za-z' ,.!?-]+$/;
const FRENCH_CHARS = /^[A-Za-zÀÂÇÉÈÊËÎÏÔÙÛÜŒàâçéèêëîïôùûüœ' ,.!?-]+$/;
const NEEDS_LIGATURE = /coeur|soeur|oeu[fv]|oeil|voeu|noeud/i;
const ELIDING = new Set(['je', 'me', 'te', 'se', 'le', 'la', 'de', 'ne', 'que', 'ce']);
const VULGAR = new Set(
  (
    'arse ass asshole bastard bitch bollocks bullshit cock crap cunt damn dick fuck fucking hell piss pussy ' +
    'sex sexy shit slut tits whore wank bite bordel branler chier con connard connasse conne couilles cul ' +
    'emmerder enculé foutre merde nichons niquer pute putain pétasse salaud salope'
  ).split(' '),
);

const failures = [];
const fail = (file, line, message) => failures.push(`${file}:${line}: ${message}`);

/** Lower-case, a space before any of , . ! ? that has none, split on spaces. */
function tokenize(text) {
  return text
    .toLowerCase()
    .replace(/(?<=[^ ])[,.!?]/g, ' $&')
    .split(' ');
}

const isWord = (token) => !/^[,.!?]$/.test(token);

function readPairs(file) {
  const bytes = readFileSync(file);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (!Buffer.from(text).equals(bytes)) fail(file, 1, 'not valid UTF-8');
  if (text.startsWith('\uFEFF')) fail(file, 1, 'byte-order mark');
  const lines = text.split('\n');
  if (lines.pop() !== '') fail(file, lines.length + 1, 'no line feed at the end of the file');
  return lines.flatMap((raw, i) => parseLine(file, i + 1, raw));
}

function parseLine(file, line, raw) {
  if (raw.includes('\r')) fail(file, line, 'carriage return');
  if (raw !== raw.normalize('NFC')) fail(file, line, 'not in normal form NFC');
  const fields = raw.split('\t');
  if (fields.length !== 2 || fields.some((field) => field.trim() === '')) {
    fail(file, line, 'not two non-empty fields with one tab between them');
    return [];
  }
  const [english, french] = fields;
  return [{ file, line, english, french, en: tokenize(english), fr: tokenize(french) }];
}

function checkPair(pair) {
  checkEnglish(pair);
  checkFrench(pair);
  checkEndings(pair);
  for (const token of [...pair.en, ...pair.fr]) {
    if (VULGAR.has(token)) fail(pair.file, pair.line, `vulgar word "${token}"`);
  }
}

function checkText({ file, line }, name, text, tokens, [min, max]) {
  if (/^ | $| {2}/.test(text)) fail(file, line, `${name}: stray space`);
  if (/ [,.]|,(?! )/.test(text)) fail(file, line, `${name}: wrong space around a comma or full stop`);
  if (!/^\p{Lu}/u.test(text)) fail(file, line, `${name}: does not begin with a capital`);
  if (!/[^ ,.!?] ?[.!?]$/.test(text)) fail(file, line, `${name}: does not end with one of . ! ?`);
  if (tokens.length < min || tokens.length > max) {
    fail(file, line, `${name}: ${tokens.length} tokens, not ${min} to ${max}`);
  }
}

function checkEnglish(pair) {
  checkText(pair, 'English', pair.english, pair.en, RULES.englishTokens);
  if (!ENGLISH_CHARS.test(pair.english)) fail(pair.file, pair.line, 'English: character not allowed');
  if (/ [!?]/.test(pair.english)) fail(pair.file, pair.line, 'English: space before ! or ?');
}

function checkFrench(pair) {
  const { file, line, french, fr } = pair;
  checkText(pair, 'French', french, fr, RULES.frenchTokens);
  if (!FRENCH_CHARS.test(french)) fail(file, line, 'French: character not allowed');
  if (/(?<! )[!?]/.test(french)) fail(file, line, 'French: no space before ! or ?');
  if (NEEDS_LIGATURE.test(french)) fail(file, line, 'French: "oe" for "œ"');
  const gap = fr.findIndex((t, i) => ELIDING.has(t) && /^((?!oui$|onze$)[aeiouâàéèêîôœ]|y$)/.test(fr[i + 1] ?? ''));
  if (gap >= 0) fail(file, line, `French: missing elision in "${fr[gap]} ${fr[gap + 1]}"`);
}

function checkEndings({ file, line, english, french }) {
  const same = english.at(-1) === french.at(-1);
  if (!same && CHAPTER.get(english) !== french) fail(file, line, 'the two sentences end differently');
}

function checkDuplicates(pairs) {
  const seen = new Map();
  for (const { file, line, english, french } of pairs) {
    const key = `${english}\t${french}`;
    if (seen.has(key)) fail(file, line, `duplicate of line ${seen.get(key)}`);
    else seen.set(key, line);
  }
}

/** Both files run from the shortest English sentence to the longest. */
function checkOrder(pairs) {
  pairs.forEach(({ file, line, english }, i) => {
    if (i > 0 && english.length < pairs[i - 1].english.length) fail(file, line, 'shorter than the line before');
  });
}

function groupBy(pairs, keysOf) {
  const groups = new Map();
  for (const pair of pairs) {
    for (const key of keysOf(pair)) {
      if (groups.has(key)) groups.get(key).push(pair);
      else groups.set(key, [pair]);
    }
  }
  return groups;
}

const framesOf = (tokens) => tokens.map((_, i) => tokens.with(i, '_').join(' '));

/** Returns the size of the largest frame. */
function checkFrames(pairs, side) {
  let largest = 0;
  for (const [frame, group] of groupBy(pairs, (pair) => framesOf(pair[side]))) {
    largest = Math.max(largest, group.length);
    if (group.length <= RULES.maxFramePairs) continue;
    const { file, line } = group[RULES.maxFramePairs];
    fail(file, line, `frame "${frame}" in ${group.length} pairs, more than ${RULES.maxFramePairs}`);
  }
  return largest;
}

/** Returns how many English sentences have several French forms. */
function checkForms(pairs) {
  let several = 0;
  for (const [english, group] of groupBy(pairs, (pair) => [pair.english])) {
    if (group.length > 1) several += 1;
    if (group.length > RULES.maxForms) {
      fail(group.at(-1).file, group.at(-1).line, `"${english}" has ${group.length} French forms`);
    }
  }
  return several;
}

function checkChapter(pairs) {
  for (const [english, french] of CHAPTER) {
    const found = pairs.filter((pair) => pair.english === english);
    const line = found.at(-1)?.line ?? 1;
    if (found.length !== 1) fail(TRAIN, line, `"${english}" has ${found.length} French forms, not one`);
    else if (found[0].french !== french) fail(TRAIN, line, `"${english}" is not "${french}"`);
  }
}

function wordCounts(pairs, side) {
  const counts = new Map();
  for (const token of pairs.flatMap((pair) => pair[side]).filter(isWord)) {
    counts.set(token, (counts.get(token) ?? 0) + 1);
  }
  return counts;
}

const share = (items, test) => items.filter(test).length / items.length;
const shortShare = (pairs, side) => share(pairs, (pair) => pair[side].length <= RULES.shortTokens);
const percent = (number) => `${(100 * number).toFixed(1)} %`;

function atLeast(file, what, measured, minimum, show = String) {
  if (measured < minimum) fail(file, 1, `${what}: ${show(measured)}, less than ${show(minimum)}`);
}

function checkCoverage(valid, train, counts) {
  const trained = new Set(train.map((pair) => pair.english.toLowerCase()));
  for (const { file, line, english, en } of valid) {
    if (trained.has(english.toLowerCase())) fail(file, line, 'English sentence is in the training part');
    const unknown = en.find((token) => isWord(token) && !counts.en.has(token));
    if (unknown) fail(file, line, `English word "${unknown}" is not in the training part`);
  }
  const frenchWords = [...wordCounts(valid, 'fr').keys()];
  const covered = share(frenchWords, (word) => counts.fr.has(word));
  atLeast(VALID, 'French words covered', covered, RULES.minFrenchCovered, percent);
  return covered;
}

function main() {
  const train = readPairs(TRAIN);
  const valid = readPairs(VALID);
  for (const pair of [...train, ...valid]) checkPair(pair);
  for (const pairs of [train, valid]) {
    checkDuplicates(pairs);
    checkOrder(pairs);
  }
  checkChapter(train);

  const counts = { en: wordCounts(train, 'en'), fr: wordCounts(train, 'fr') };
  const recurring = (side) => share([...counts[side].values()], (count) => count > 1);
  const measured = {
    several: checkForms(train),
    frames: Math.max(...[train, valid].flatMap((pairs) => ['en', 'fr'].map((side) => checkFrames(pairs, side)))),
    short: { en: shortShare(train, 'en'), fr: shortShare(train, 'fr') },
    covered: checkCoverage(valid, train, counts),
  };
  checkForms(valid);
  atLeast(TRAIN, 'pairs', train.length, RULES.minTrainPairs);
  atLeast(VALID, 'pairs', valid.length, RULES.minValidPairs);
  atLeast(TRAIN, 'distinct English words', counts.en.size, RULES.minEnglishWords);
  atLeast(TRAIN, 'English sentences with several forms', measured.several, RULES.minSeveralForms);
  atLeast(TRAIN, 'short English sentences', measured.short.en, RULES.minShortShare, percent);
  atLeast(TRAIN, 'short French sentences', measured.short.fr, RULES.minShortShare, percent);
  atLeast(TRAIN, 'recurring English words', recurring('en'), RULES.minRecurring, percent);
  atLeast(TRAIN, 'recurring French words', recurring('fr'), RULES.minRecurring, percent);

  if (failures.length > 0) {
    console.error(failures.join('\n'));
    process.exit(1);
  }
  console.log(
    `corpus ok: ${train.length} training pairs, ${valid.length} validation pairs; ` +
      `${counts.en.size} English words (${percent(recurring('en'))} recurring), ` +
      `${counts.fr.size} French words (${percent(recurring('fr'))} recurring); ` +
      `${measured.several} English sentences with several forms; largest frame ${measured.frames} pairs; ` +
      `at most ${RULES.shortTokens} tokens in ${percent(measured.short.en)} of the English and ` +
      `${percent(measured.short.fr)} of the French sentences; ` +
      `validation words covered: English 100 %, French ${percent(measured.covered)}`,
  );
}

main();
