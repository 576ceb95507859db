// What a lesson's blocks share: its state, its sessions, its words, the two workers.

import { corpus, wasm, weights } from 'virtual:assets';
import { getContext } from 'svelte';
import type { Config, Scalar } from '../../shared/engine';
import type { LessonPage, StateRef } from '../../shared/lesson';
import { Engine } from './engine.svelte';
import { fetched } from './file.svelte';
import { sayLabels } from './labels';
import { Session, type Bench, type Files } from './sessions.svelte';
import { LessonState } from './state.svelte';
import type { Fields } from './url';
import { variants } from './variant';
import { Words } from './words';

const LAB = 'lab';
const BLOCK = 'block';

export interface Lab {
  lesson: LessonPage;
  state: LessonState;
  words: Words;
  look: Engine;
  train: Engine;
  /** By name, or by the state that holds the name. */
  session: (name: string | StateRef) => Session;
  resolve: (config: Record<string, Scalar | StateRef>) => Config;
}

/** For a block's components: the lab that main.ts mounted them with. */
export function useLab(): Lab {
  return getContext<Lab>(LAB);
}

/** What lesson.json says of one block; it does not change while the page lives. */
export interface BlockContext<Options> {
  id: string;
  options: Options;
}

export function useBlock<Options>(): BlockContext<Options> {
  return getContext<BlockContext<Options>>(BLOCK);
}

export function contextOf(lab: Lab, block?: BlockContext<unknown>): Map<string, unknown> {
  return new Map<string, unknown>([
    [LAB, lab],
    [BLOCK, block],
  ]);
}

function spawn(name: string): Worker {
  return new Worker(new URL('../../worker/worker.ts', import.meta.url), { type: 'module', name });
}

export async function createLab(lesson: LessonPage, blockFields: Fields): Promise<Lab> {
  const builds = (): ReturnType<typeof variants> => variants(location.search);
  const say = (head: object): void => sayLabels(head, words);
  const look = new Engine('look', wasm, builds, spawn, say);
  if (Object.keys(lesson.blocks).length > 0) look.ready().catch(() => undefined); // whoever asks for something, hears of it
  const words = await Words.load(lesson.lang);
  const state = new LessonState({ ...lesson.state, ...blockFields });
  const train = new Engine('train', wasm, builds, spawn, say);
  const resolve = (config: Record<string, Scalar | StateRef>): Config =>
    Object.fromEntries(
      Object.entries(config).map(([key, value]) => [
        key,
        typeof value === 'object' ? state.get(value.state) : value,
      ]),
    );
  const session = sessionsOf(lesson, { look, train, files, resolve });
  return {
    lesson,
    state,
    words,
    look,
    train,
    resolve,
    session: (name) => session(typeof name === 'object' ? state.text(name.state) : name),
  };
}

function sessionsOf(lesson: LessonPage, bench: Bench): (name: string) => Session {
  // All at once: state that is made inside an effect does not wake that effect up. They open when needed.
  const all = new Map(
    Object.entries(lesson.sessions).map(([name, spec]) => [name, new Session(name, spec, bench)]),
  );
  return (name) => {
    const session = all.get(name);
    if (!session) throw new Error(`the lesson has no session "${name}"`);
    return session;
  };
}

const downloads = new Map<string, Promise<Uint8Array>>();

async function download(name: string): Promise<Uint8Array> {
  const url = weights[name];
  if (url === undefined) throw new Error(`no trained weights "${name}" came with this site`);
  return new Uint8Array(await (await fetched(url)).arrayBuffer());
}

const files: Files = {
  weights(name) {
    const loading = downloads.get(name) ?? download(name);
    downloads.set(name, loading);
    loading.catch(() => downloads.delete(name));
    return loading;
  },
  forgetWeights: (name) => downloads.delete(name),
  async pairs() {
    const [pairs, valid] = await Promise.all(
      [corpus.train, corpus.valid].map(async (url) => (await fetched(url)).text()),
    );
    return { pairs: pairs!, valid: valid! };
  },
};
