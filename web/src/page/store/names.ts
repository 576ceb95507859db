// The names that the engine gives to steps, and how words, formulas and lines of code are found for them:
// by the end of the name, so that one entry serves every layer and every model that has such a step.

/** Parts that count themselves (`addnorm2`, `block0`, `weight_ih_l1`) are known without their number. */
function uncounted(part: string): string {
  return part.replace(/^(addnorm|block)\d+$|_l\d+$/, '$1');
}

/** What the optimiser made: `update.encoder.embedding.weight.m` is `m` of the parameter `encoder.embedding.weight`. */
export function updated(name: string): { what: string; of: string | undefined } | undefined {
  const [first, ...rest] = name.split('.');
  const what = rest.pop();
  if (first !== 'update' || what === undefined) return undefined;
  return { what, of: rest.length > 0 ? rest.join('.') : undefined };
}

/** `encoder.1.attention.weights` → `encoder.attention.weights`, `attention.weights`, `weights`. */
export function endings(name: string): string[] {
  const change = updated(name);
  if (change) return [`update.${change.what}`];
  const parts = name
    .split('.')
    .filter((part) => !/^\d+$/.test(part))
    .map(uncounted);
  return parts.map((_, i) => parts.slice(i).join('.'));
}

/** Where a table may have an entry for a step, the closest key first: for one of `models` alone (`seq2seq:context`),
 *  for one op alone (`scores scale`), for all. */
export function lookups(name: string, op = '', models: string[] = []): string[] {
  const scopes = [...models.map((model) => `${model}:`), ''];
  return scopes.flatMap((scope) =>
    endings(name).flatMap((end) =>
      op === '' ? [`${scope}${end}`] : [`${scope}${end} ${op}`, `${scope}${end}`],
    ),
  );
}

/** The name without its scopes; a part of a formula is named by its text, which may hold a point (`kernel.0.5*u`). */
export function lastPart(name: string): string {
  return name.replace(/^(?:(?:[a-z_]\w*|\d+(?=\.[a-z_]))\.)+(?=.)/i, '');
}
