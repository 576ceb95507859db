// A process of its own, since Vite closes its module loader before the pages are made:
//   node picture-core.mjs attn.mjs  ->  {"wide": {"weights": [[…]]}, "hero": {…}} on stdout.

import { pathToFileURL } from 'node:url';

const { default: factory } = await import(pathToFileURL(process.argv[2]).href);
const engine = new (await factory()).Engine();

function call(verb, request) {
  const { head, data } = engine.call(verb, JSON.stringify(request));
  const reply = JSON.parse(head);
  if (reply.error) throw new Error(`${verb}: ${reply.error.message}`);
  return { ...reply, data };
}

/** Weights of evenly spaced queries (rows) over all keys, after five epochs. */
function picture(rows, keys) {
  const config = { n: keys, seed: 5 };
  const { session } = call('open', { model: 'kernel-regression', config });
  call('train', { session, budget_ms: 1000 });
  const { steps, data } = call('run', { session, want: ['learned.weights'] });
  const queries = steps[0].axes[0].size;
  const weights = Array.from({ length: rows }, (_, at) => {
    const query = Math.round((at * (queries - 1)) / (rows - 1));
    return [...data.subarray(query * keys, (query + 1) * keys)];
  });
  return { weights };
}

console.log(JSON.stringify({ wide: picture(6, 44), hero: picture(9, 22) }));
