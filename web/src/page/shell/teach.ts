// For those who teach: the code of a frame with one experiment, a citation, and the lesson on paper.

import { lettersAreKeys, types } from './help';
import { printLesson } from './print';

const find = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

interface Experiment {
  block: HTMLElement;
  id: string;
  kind: string;
  name: string; // `Section title · 2`: the second experiment of its section
}

function experiments(): Experiment[] {
  const counts = new Map<string, number>();
  return [...document.querySelectorAll<HTMLElement>('.block[data-block]')].map((block) => {
    const heading = block.closest('section')?.querySelector('h2') ?? document.querySelector('h1');
    const section = heading?.textContent ?? '';
    const n = (counts.get(section) ?? 0) + 1;
    counts.set(section, n);
    const { block: id = '', kind = '' } = block.dataset;
    return { block, id, kind, name: `${section} · ${n}` };
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
const SAID = 4000; // how long a button says that it has copied, in milliseconds

export function frameCode(url: string, title: string, height: number): string {
  const attributes = `src="${escaped(url)}" title="${escaped(title)}"`;
  return `<iframe ${attributes} width="100%" height="${height}" style="border: 0" loading="lazy" allow="fullscreen; clipboard-write"></iframe>`;
}

/** The frame of one experiment, as high as that is now. */
function codeOf({ block, name }: Experiment, url: string): string {
  const height = Math.ceil(block.getBoundingClientRect().height) + MARGIN;
  return frameCode(url, `${document.title} · ${name}`, height);
}

function embedKit(all: Experiment[]): () => void {
  const [select, code] = [
    find<HTMLSelectElement>('embed-block'),
    find<HTMLTextAreaElement>('embed-code'),
  ];
  const [state, hide] = [find<HTMLInputElement>('embed-state'), find('embed-hide')];
  select.append(...all.map(({ id, name }) => new Option(name, id)));
  const write = (): void => {
    const chosen = all.find(({ id }) => id === select.value) ?? all[0]!;
    const boxes = [...hide.querySelectorAll<HTMLInputElement>('input:checked')];
    hide.hidden = chosen.kind !== 'stage'; // only a stage has parts
    const left = hide.hidden ? [] : boxes.map(({ value }) => value);
    const url = address(chosen.id, left, state.checked);
    code.value = codeOf(chosen, url);
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

/** Below each experiment a quiet button that copies its frame. It is seen while one works with the experiment, and on a touch
 *  screen; it is no tab stop, since `E` does the same wherever the focus is in the experiment. */
function offerFrames(section: HTMLElement, all: Experiment[], byHand: (id: string) => void): void {
  const words = section.dataset;
  const said = document.createElement('span');
  said.className = 'vh';
  said.role = 'status';
  document.body.append(said);
  const buttons = new Map<HTMLElement, () => Promise<void>>();
  for (const each of all) {
    const figure = each.block.closest<HTMLElement>('.figure');
    if (!figure) continue;
    const button = document.createElement('button');
    const name = (words['frameTitle'] ?? '').replace('{name}', each.name);
    Object.assign(button, { type: 'button', className: 'frame-code', tabIndex: -1, title: name });
    button.ariaLabel = name;
    button.textContent = words['frame'] ?? '';
    const copyFrame = async (): Promise<void> => {
      try {
        await navigator.clipboard.writeText(codeOf(each, address(each.id, [], true)));
      } catch {
        return byHand(each.id);
      }
      said.textContent = words['copied'] ?? '';
      button.dataset['said'] = words['copied'];
      setTimeout(() => {
        said.textContent = '';
        delete button.dataset['said'];
      }, SAID);
    };
    button.addEventListener('click', () => void copyFrame());
    figure.append(button);
    buttons.set(figure, copyFrame);
  }
  addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'e' || event.defaultPrevented || types(event.target)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || !lettersAreKeys()) return;
    const figure = (event.target as Element).closest<HTMLElement>('.figure');
    void buttons.get(figure!)?.();
  });
}

export function teaching(): void {
  const section = document.querySelector<HTMLDetailsElement>('#teach');
  if (!section) return;
  const all = experiments();
  let write: (() => void) | undefined;
  const prepare = (): void => {
    citations();
    write ??= embedKit(all);
    write();
  };
  section.addEventListener('toggle', () => section.open && prepare());
  const byHand = (id: string): void => {
    section.open = true;
    prepare();
    find<HTMLSelectElement>('embed-block').value = id;
    write?.();
    void copy('embed-code'); // which fails, too, marks the code, and says so
  };
  if (document.documentElement.dataset['embed'] === undefined) offerFrames(section, all, byHand);
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
