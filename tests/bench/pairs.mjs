// A file of pairs as raw text for our core, and as words for the peers, cut to the first `examples` pairs.

import { readFileSync } from 'node:fs';

/** The words of a sentence by the rules of src/text/preprocess.cpp. */
function words(text) {
  const plain = text.replace(/[\u2018\u2019]/g, "'").replace(/[\u00A0\u202F\u2003\u3000]/g, ' ').trim().replace(/ +/g, ' ');
  return plain.toLowerCase().replace(/([^ ])([,.!?])/g, '$1 $2').replace(/([^ ])([,.!?])/g, '$1 $2').split(' ');
}

export function readPairs(file, examples) {
  const lines = readFileSync(file, 'utf8').split(/\r?\n/).filter(Boolean).slice(0, examples);
  return { text: `${lines.join('\n')}\n`, words: lines.map((line) => line.split('\t').slice(0, 2).map(words)) };
}
