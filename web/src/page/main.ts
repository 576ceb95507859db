// Brings a static lesson page to life: each placeholder gets the block that lesson.json describes.

import { mount } from 'svelte';
import { parseLessonPage, type LessonPage } from '../shared/lesson';
import { embedded } from './shell/embed';
import { parseBlock, type Block } from './blocks/registry';
import ErrorBox from './parts/ErrorBox.svelte';
import Notices from './parts/Notices.svelte';
import './blocks/blocks.css';
import { asError, LoadError } from './store/errors';
import { contextOf, createLab, type Lab } from './store/lab';

interface Place {
  target: HTMLElement;
  block: Block | Error;
}

function readLesson(): LessonPage {
  const data = document.getElementById('lesson')?.textContent;
  return parseLessonPage(JSON.parse(data ?? 'null'));
}

function findPlaces(lesson: LessonPage): Place[] {
  const targets = [...document.querySelectorAll<HTMLElement>('.block[data-block]')];
  return targets.filter(embedded(targets)).map((target) => ({
    target,
    block: readBlock(lesson, target.dataset['block']!),
  }));
}

function readBlock(lesson: LessonPage, id: string): Block | Error {
  const spec = lesson.blocks[id];
  if (!spec) return new Error(`lesson.json has no block "${id}"`);
  try {
    return parseBlock(id, spec);
  } catch (error) {
    return asError(error);
  }
}

async function show({ target, block }: Place, lab: Lab): Promise<void> {
  try {
    if (block instanceof Error) throw block;
    const { default: View } = await block.view().catch(notArrived);
    target.replaceChildren();
    mount(View, { target, context: contextOf(lab, block) });
    target.dataset['alive'] = 'true';
  } catch (error) {
    target.replaceChildren();
    mount(ErrorBox, { target, context: contextOf(lab), props: { error: asError(error) } });
  }
}

function notArrived(reason: unknown): never {
  throw new LoadError(asError(reason).message);
}

/** What is on the first screen comes at once, the rest when it draws near; all of it before it goes on paper. */
function showWhenNear(places: Place[], lab: Lab): void {
  const waiting = new Map(places.map((place) => [place.target as Element, place]));
  const bring = (target: Element): void => {
    const place = waiting.get(target);
    waiting.delete(target);
    observer.unobserve(target);
    if (place) void show(place, lab);
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) bring(target);
    },
    { rootMargin: '800px' },
  );
  for (const target of waiting.keys()) observer.observe(target);
  // It may be wanted on paper (shell/print.ts), even before this script has come.
  const bringAll = (): void => [...waiting.keys()].forEach(bring);
  document.addEventListener('show-all', bringAll);
  if ('showAll' in document.documentElement.dataset) bringAll();
}

async function start(): Promise<void> {
  const lesson = readLesson();
  const places = findPlaces(lesson);
  const blocks = places.flatMap(({ block }) => (block instanceof Error ? [] : [block]));
  const fields = Object.fromEntries(blocks.flatMap((block) => Object.entries(block.fields)));
  const lab = await createLab(lesson, fields);
  mount(Notices, { target: document.body, context: contextOf(lab) });
  showWhenNear(places, lab);
}

await start();
