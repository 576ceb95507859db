import { describe, expect, it } from 'vitest';
import { dataScript, from } from '../../../web/pages/frame.ts';
import { allPages } from '../../../web/pages/pages.ts';
import type { LessonText, Site, SiteLesson } from '../../../web/pages/site.ts';
import { parseLesson } from '../../../web/src/shared/lesson.ts';

const text = (title: string): LessonText => ({
  ...{
    path: 'x.md',
    title,
    question: `${title}?`,
    summary: '<b>&',
    markdown: '',
  },
  ...{
    content: [],
    sections: [{ id: 'one', title: '<One>' }],
    blocks: [],
    terms: ['token'],
  },
});

const lesson = (slug: string): SiteLesson => ({
  id: `10-${slug}`,
  slug,
  lesson: parseLesson({
    state: { s: { type: 'text', default: '</script><img onerror=x>' } },
  }),
  text: { zh: text(`${slug}中`), en: text(`${slug} en`) },
});

const site: Site = {
  lessons: [lesson('first'), lesson('second')],
  glossary: new Map([
    [
      'token',
      {
        id: 'token',
        zh: '词元',
        en: 'token',
        definition: { zh: '最小单位', en: 'a unit' },
      },
    ],
  ]),
  problems: [],
  kinds: new Map(),
  deviations: [],
};
const pages = allPages(site, { policy: true, theme: 'assets/first-paint.js' });

describe('the site', () => {
  it('has a front door, two contents, each lesson, the proof and the deviations in both languages', () => {
    expect([...pages.keys()].sort()).toEqual(
      [
        '',
        ...['en/', 'en/first/', 'en/second/', 'en/proof/', 'en/deviations/'],
        ...['zh/', 'zh/first/', 'zh/second/', 'zh/proof/', 'zh/deviations/'],
      ].sort(),
    );
  });

  it('refuses a lesson that would take the place of another page', () => {
    const taken = { ...site, lessons: [lesson('proof')] };
    expect(() => allPages(taken, { policy: true, theme: 'x.js' })).toThrow(
      "lessons/10-proof: zh/proof/ is another page's place",
    );
  });

  it('has no address that begins at the root but those that the build rewrites', () => {
    for (const html of pages.values()) {
      const absolute = [...html.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, url]) => url);
      expect(
        absolute.filter((url) => !/^\/(src\/page\/|node_modules\/katex\/|favicon\.svg)/.test(url!)),
      ).toEqual([]);
    }
  });

  it('says its language, links its twin and its neighbours', () => {
    const html = pages.get('zh/first/')!;
    expect(html).toContain('<html lang="zh-CN">');
    expect(html).toMatch(/<a id="language"[^>]*href="\.\.\/\.\.\/en\/first\/"/);
    expect(html).toMatch(/rel="next" href="\.\.\/second\/"/);
    expect(html).not.toContain('rel="prev"');
  });

  it('holds the strict policy, and no script of its own in the page', () => {
    for (const html of pages.values()) {
      const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
      expect(policy?.replaceAll('&#x27;', "'").split('; ')).toEqual(
        expect.arrayContaining(["script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'"]),
      );
      const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)([^>]*)>/g)].map(
        ([, attributes]) => attributes,
      );
      expect(inline.filter((attributes) => !attributes!.includes('application/json'))).toEqual([]);
    }
  });

  it('shows what lessons say as text', () => {
    const html = pages.get('en/first/')!;
    expect(html).toContain('&#x3C;b>&#x26;');
    expect(html).toContain('&#x3C;One>');
  });
});

describe('data for the scripts', () => {
  const read = (html: string): unknown =>
    JSON.parse(/<script type="application\/json" id="lesson">(.*?)<\/script>/s.exec(html)![1]!);

  it('comes back unchanged, whatever is in it', () => {
    const data = read(pages.get('en/second/')!) as Record<string, never>;
    expect(data).toMatchObject({
      id: '10-second',
      slug: 'second',
      lang: 'en',
      title: 'second en',
      lessons: [
        { slug: 'first', title: 'first en' },
        { slug: 'second', title: 'second en' },
      ],
      state: { s: { default: '</script><img onerror=x>' } },
      glossary: { token: { term: 'token', definition: 'a unit' } },
    });
  });

  it('cannot end its element', () => {
    const [child] = dataScript('x', { a: '</script>\u2028' }).children;
    expect(child).toMatchObject({ value: '{"a":"\\u003c/script>\\u2028"}' });
  });
});

describe('addresses', () => {
  it.each([
    ['', 'zh/', 'zh/'],
    ['zh/', 'zh/a/', '../zh/a/'],
    ['zh/a/', '', '../../'],
    ['', '', './'],
  ])('from "%s" to "%s"', (path, to, expected) => {
    expect(from(path, to)).toBe(expected);
  });
});
