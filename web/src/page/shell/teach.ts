// For those who teach: the code of a frame with one experiment, a citation, and the lesson on paper.

import { printLesson } from './print';

const find = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

/** `Section title · 2`: the second experiment of its section. */
function names(): { id: string; kind: string; name: string }[] {
  const counts = new Map<string, number>();
  return [...document.querySelectorAll<HTMLElement>('.block[data-block]')].map((block) => {
    const heading = block.closest('section')?.querySelector('h2') ?? document.querySelector('h1');
    const section = heading?.textContent ?? '';
    const n = (counts.get(section) ?? 0) + 1;
    counts.set(section, n);
    const { block: id = '', kind = '' } = block.dataset;
    return { id, kind, name: `${section} · ${n}` };
  });
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Where the experiment is alone, with what the reader set, if that is wanted. */
function address(id: string, hide: string[], state: boolean): string {
  const url = new URL(location.pathname, location.href);
  url.search = `?embed=${id}${hide.length > 0 ? `&hide=${hide.join(',')}` : ''}`;
  if (state && location.hash.includes('=')) url.hash = location.hash;
  return url.href;
}

const MARGIN = 24; // around the block in its frame, in pixels

export function frameCode(url: string, title: string, height: number): string {
  const attributes = `src="${escaped(url)}" title="${escaped(title)}"`;
  return `<iframe ${attributes} width="100%" height="${height}" style="border: 0" loading="lazy" allow="fullscreen; clipboard-write"></iframe>`;
}

function embedKit(): () => void {
  const [select, code] = [
    find<HTMLSelectElement>('embed-block'),
    find<HTMLTextAreaElement>('embed-code'),
  ];
  const [state, hide] = [find<HTMLInputElement>('embed-state'), find('embed-hide')];
  const all = names();
  select.append(...all.map(({ id, name }) => new Option(name, id)));
  const write = (): void => {
    const { id, kind, name } = all.find((each) => each.id === select.value) ?? all[0]!;
    const boxes = [...hide.querySelectorAll<HTMLInputElement>('input:checked')];
    hide.hidden = kind !== 'stage'; // only a stage has parts
    const url = address(id, hide.hidden ? [] : boxes.map(({ value }) => value), state.checked);
    const block = document.querySelector(`[data-block="${CSS.escape(id)}"]`);
    const height = Math.ceil(block?.getBoundingClientRect().height ?? 0) + MARGIN;
    code.value = frameCode(url, `${document.title} · ${name}`, height);
    find<HTMLAnchorElement>('embed-look').href = url;
  };
  if (all.length === 0) return () => undefined;
  find('teach').addEventListener('change', write);
  addEventListener('hashchange', write);
  return write;
}

/** What TeX would take for commands. */
const tex = (text: string): string => text.replace(/[{}\\]/g, '').replace(/[#$%&_]/g, '\\$&');

export interface Source {
  author: string;
  year: string;
  title: string;
  key: string;
  note: string;
}

export function bibtex(
  { author, year, title, key, note }: Source,
  url: string,
  day: string,
): string {
  return [
    `@misc{${key},`,
    `  author = {{${tex(author)}}},`,
    `  title = {${tex(title)}},`,
    `  year = {${year}},`,
    `  url = {${url}},`,
    `  urldate = {${day}},`,
    `  note = {${tex(note)}}`,
    '}',
  ].join('\n');
}

function citations(): void {
  const {
    author = '',
    year = '',
    title = '',
    key = '',
    note = '',
    plain = '',
  } = find('cite').dataset;
  const url = new URL(location.pathname, location.href).href; // without what the reader typed
  const day = new Date().toISOString().slice(0, 10);
  const values: Record<string, string> = { title, url, date: day };
  find<HTMLTextAreaElement>('cite-text').value = plain.replace(
    /\{(\w+)\}/g,
    (whole, name: string) => values[name] ?? whole,
  );
  find<HTMLTextAreaElement>('cite-bibtex').value = bibtex(
    { author, year, title, key, note },
    url,
    day,
  );
}

/** Into the clipboard; where that is forbidden the text is marked, to be copied by hand. */
async function copy(id: string): Promise<void> {
  const [text, said, words] = [
    find<HTMLTextAreaElement>(id),
    find(`${id}-said`),
    find('teach').dataset,
  ];
  try {
    await navigator.clipboard.writeText(text.value);
    said.textContent = words['copied'] ?? '';
  } catch {
    text.focus();
    text.select();
    said.textContent = words['byHand'] ?? '';
  }
}

export function teaching(): void {
  const section = document.querySelector<HTMLDetailsElement>('#teach');
  if (!section) return;
  let write: (() => void) | undefined;
  section.addEventListener('toggle', () => {
    if (!section.open) return;
    citations();
    write ??= embedKit();
    write();
  });
  section.addEventListener('click', ({ target }) => {
    const id = (target as Element).closest<HTMLElement>('[data-copy]')?.dataset['copy'];
    if (id !== undefined) void copy(id);
  });
  const said = find('print-said');
  find('print').addEventListener('click', () => {
    said.textContent = section.dataset['preparing'] ?? '';
    void printLesson().finally(() => (said.textContent = ''));
  });
}
