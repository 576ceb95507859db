// What a lesson's blocks share: its state, its sessions, its words, the two workers.

import { corpus, wasm, weights } from 'virtual:assets';
import { getContext } from 'svelte';
import type { Config, Scalar } from '../../shared/engine';
import type { LessonPage, StateRef } from '../../shared/lesson';
import type { Variant } from '../../shared/protocol';
import { Course, type Habits } from './course.svelte';
import { Desk } from './desk.svelte';
import { Engine } from './engine.svelte';
import { fetched } from './file.svelte';
import { sayLabels } from './labels';
import { Session, type Bench, type Files } from './sessions.svelte';
import { Shelf } from './shelf.svelte';
import type { Parts } from './split';
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
  /** A worker of its own with this build, for what measures: it starts when it is asked for something, and must be ended. */
  another: (variant: Variant) => Engine;
  /** By name, or by the state that holds the name. */
  session: (name: string | StateRef) => Session;
  /** The learner's own pairs, and the runs that this browser keeps. */
  desk: Desk;
  shelf: Shelf;
  /** A session's training, watched over and kept. */
  course: (session: Session) => Course;
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
  const words = await Words.load(lesson.lang);
  const say = (head: object): void => sayLabels(head, words);
  const builds = (): ReturnType<typeof variants> => variants(location.search);
  const look = new Engine('look', wasm, builds, spawn, say);
  if (Object.keys(lesson.blocks).length > 0) look.ready().catch(() => undefined); // whoever asks for something, hears of it
  const state = new LessonState({ ...lesson.state, ...blockFields });
  const train = new Engine('train', wasm, builds, spawn, say);
  const resolve = (config: Record<string, Scalar | StateRef>): Config =>
    Object.fromEntries(
      Object.entries(config).map(([key, value]) => [
        key,
        typeof value === 'object' ? state.get(value.state) : value,
      ]),
    );
  const set = (key: string): Scalar | undefined =>
    key in state.fields ? state.get(key) : undefined;
  const number = (key: string): number => Number(set(key) ?? 0);
  const desk = new Desk(fetchCorpus, (values) => ({
    pairs: Number(values['held'] ?? number('held')),
    from: (values['held_from'] ?? set('held_from')) === 'end' ? 'end' : 'spread',
  }));
  const shelf = new Shelf();
  const session = sessionsOf(lesson, { look, train, files: filesOf(desk), resolve });
  const habits = (): Habits => ({ every: number('every') || 1, patience: number('patience') });
  // All at once, as the sessions: state that is made inside an effect does not wake that effect up.
  const courses = new Map(
    Object.entries(lesson.sessions)
      .filter(([, { data }]) => data === 'own')
      .map(([name]) => [name, new Course(session(name), { desk, shelf, state, habits })]),
  );
  const course = (of: Session): Course => {
    const known = courses.get(of.name);
    if (!known) throw new Error(`session "${of.name}" does not learn from the learner's pairs`);
    return known;
  };
  return {
    ...{ lesson, state, words, look, train, resolve, desk, shelf, course },
    another: (variant) => new Engine('measure', wasm, () => Promise.resolve([variant]), spawn, say),
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

async function fetchCorpus(): Promise<Parts> {
  const [pairs, valid] = await Promise.all(
    [corpus.train, corpus.valid].map(async (url) => (await fetched(url)).text()),
  );
  return { pairs: pairs!, valid: valid! };
}

function filesOf(desk: Desk): Files {
  return {
    weights(name) {
      const loading = downloads.get(name) ?? download(name);
      downloads.set(name, loading);
      loading.catch(() => downloads.delete(name));
      return loading;
    },
    forgetWeights: (name) => downloads.delete(name),
    pairs: (name) => (name === 'own' ? desk.parts() : fetchCorpus()),
    edition: (name) => (name === 'own' ? desk.edition : ''),
  };
}
