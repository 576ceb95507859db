// Which sections have been read: a section counts when its end has been on the screen for a moment.
// Kept in this browser, lesson by lesson; shown in the menu.

import { recall, remember } from './storage';

const LONG_ENOUGH_MS = 1200;

interface LessonEntry {
  element: HTMLElement;
  slug: string;
  sections: string[];
}

const entries = (): LessonEntry[] =>
  [...document.querySelectorAll<HTMLElement>('[data-lesson]')].map((element) => ({
    element,
    slug: element.dataset['lesson'] ?? '',
    sections: (element.dataset['sections'] ?? '').split(' ').filter(Boolean),
  }));

const readOf = (slug: string): Set<string> => new Set((recall(`read.${slug}`) ?? '').split(' '));

function show({ element, slug, sections }: LessonEntry): void {
  const read = readOf(slug);
  const done = sections.filter((id) => read.has(id)).length;
  element.style.setProperty('--read', String(sections.length ? done / sections.length : 0));
  element.classList.toggle('all-read', done > 0 && done === sections.length);
  const pattern = element.closest<HTMLElement>('[data-progress]')?.dataset['progress'] ?? '';
  const words = pattern.replace('{done}', String(done)).replace('{all}', String(sections.length));
  element.querySelector('.progress')!.textContent = words;
  for (const link of element.querySelectorAll<HTMLElement>('[data-section]'))
    link.classList.toggle('read', read.has(link.dataset['section'] ?? ''));
}

function markRead(entry: LessonEntry, id: string): void {
  remember(`read.${entry.slug}`, [...readOf(entry.slug).add(id)].filter(Boolean).join(' '));
  show(entry);
}

/** The last element of a section stands for its end. */
function watch(entry: LessonEntry): void {
  const timers = new Map<Element, number>();
  const observer = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) {
      clearTimeout(timers.get(target));
      if (isIntersecting)
        timers.set(
          target,
          window.setTimeout(() => done(target), LONG_ENOUGH_MS),
        );
    }
  });
  const done = (target: Element): void => {
    observer.unobserve(target);
    markRead(entry, target.closest('section')?.id ?? '');
  };
  for (const id of entry.sections) {
    const end = document.getElementById(id)?.lastElementChild;
    if (end) observer.observe(end);
  }
}

/** Marks in the menu where the reader is. */
function follow(entry: LessonEntry): void {
  const links = [...entry.element.querySelectorAll<HTMLElement>('[data-section]')];
  const observer = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes)
        for (const link of links)
          if (link.dataset['section'] === target.id) {
            if (isIntersecting) link.setAttribute('aria-current', 'location');
            else link.removeAttribute('aria-current');
          }
    },
    { rootMargin: '-30% 0px -69% 0px' }, // a line across the upper third of the screen
  );
  for (const id of entry.sections) {
    const section = document.getElementById(id);
    if (section) observer.observe(section);
  }
}

export function trackProgress(): void {
  for (const entry of entries()) {
    show(entry);
    if (!entry.element.classList.contains('here')) continue;
    watch(entry);
    follow(entry);
  }
}
