import { deviationsPage, deviationsPath } from './deviations.ts';
import { indexPage, frontDoor } from './index-pages.ts';
import type { Surroundings } from './frame.ts';
import { lessonPage, pathOf } from './lesson-page.ts';
import { proofPage, proofPath } from './proof-page.ts';
import { LANGS } from './read.ts';
import type { Site } from './site.ts';

/** Every page of the site: its place, as a folder from the root ('' or 'zh/bahdanau/'), and its HTML. */
export function allPages(site: Site, around: Surroundings): Map<string, string> {
  const pages = new Map([['', frontDoor(site, around)]]);
  for (const lang of LANGS) {
    pages.set(`${lang}/`, indexPage(site, lang, around));
    pages.set(proofPath(lang), proofPage(lang, around));
    pages.set(deviationsPath(lang), deviationsPage(site, lang, around));
    for (const lesson of site.lessons) {
      const path = pathOf(lang, lesson);
      if (pages.has(path)) throw new Error(`lessons/${lesson.id}: ${path} is another page's place`);
      pages.set(path, lessonPage(site, lesson, lang, around));
    }
  }
  return pages;
}
