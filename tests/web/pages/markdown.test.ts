import rehypeStringify from 'rehype-stringify';
import { h } from 'hastscript';
import { unified } from 'unified';
import { describe, expect, it } from 'vitest';
import { render, type Rendered } from '../../../web/pages/markdown.ts';

const renderText = (markdown: string): Promise<Rendered> =>
  render(markdown, {
    path: 'lessons/10-x/zh.md',
    block: (id) => h('div', { dataBlock: id }),
    link: (slug) => (slug === 'bahdanau' ? '../bahdanau/' : undefined),
  });

const html = async (markdown: string): Promise<string> => {
  const { content } = await renderText(markdown);
  const text = unified().use(rehypeStringify).stringify({ type: 'root', children: content });
  return text.replaceAll('>\n', '>').replaceAll('\n<', '<');
};

describe('signs', () => {
  it('gives each role its class, also between Chinese characters', async () => {
    expect(await html('把:q[查询]与:k[键]、:v[值]')).toContain(
      '把<span class="tq">查询</span>与<span class="tk">键</span>、<span class="tv">值</span>',
    );
    expect(await html('a :w[weight], a :c[context], an :o[output]')).toContain(
      'a <span class="tw">weight</span>, a <span class="tc">context</span>, an <span class="to">output</span>',
    );
  });

  it('colours a formula by the same classes', async () => {
    expect(await html('$\\q{x}\\k{y}\\v{z}\\w{a}\\c{b}$')).toMatch(/tq.*tk.*tv.*tw.*tc/s);
  });

  it('links a term to the glossary and collects it once', async () => {
    const page = await renderText(':term[汇聚]{#pooling}，再说一次:term[汇聚]{#pooling}');
    expect(page.terms).toEqual(['pooling']);
    expect(await html(':term[汇聚]{#pooling}')).toContain(
      '<a class="term" href="#term-pooling">汇聚</a>',
    );
  });

  it('makes questions, rules and folds', async () => {
    expect(await html(':::ask\nWhich?\n:::')).toContain('<div class="ask"><p>Which?</p></div>');
    expect(await html(':::rule\nSo.\n:::')).toContain('<div class="rule"><p>So.</p></div>');
    expect(await html(':::why[Why $2$?]\nBecause.\n:::')).toMatch(
      /<details class="why"><summary>Why <span class="together"><span class="katex">.*<\/summary><p>Because.<\/p><\/details>/s,
    );
  });

  it('keeps a short formula and the marks behind it in one line, and lets a long one break', async () => {
    expect(await html('若$n=d$，则')).toMatch(
      /若<span class="together"><span class="katex">.*<\/span>，<\/span>则/s,
    );
    expect(await html('若$n=d$则')).not.toContain('together');
    expect(await html('是$2n^2d+4nd^2+6nd^2+8d^3$，则')).not.toContain('together');
  });

  it('places blocks, with a caption if there is one, and lists them in order', async () => {
    const text = '::block{#first}\n\n:::block{#second}\nMove it.\n:::';
    expect((await renderText(text)).blocks).toEqual(['first', 'second']);
    expect(await html(text)).toContain(
      '<figure class="figure"><div data-block="first"></div></figure>',
    );
    expect(await html(text)).toContain(
      '<div data-block="second"></div><figcaption><p>Move it.</p></figcaption>',
    );
  });
});

describe('sections', () => {
  it('keeps what comes first as the opening and wraps each heading with its text', async () => {
    const page = await renderText('Hello\n\n## 平均 {#average}\n\nText\n\n## 近 {#near}\n\nMore');
    expect(page.sections).toEqual([
      { id: 'average', title: '平均' },
      { id: 'near', title: '近' },
    ]);
    expect(await html('Hello\n\n## A {#a}\n\nText')).toBe(
      '<section class="opening" id="start"><p>Hello</p></section>' +
        '<section id="a" aria-labelledby="a-title" tabindex="-1"><h2 id="a-title">A</h2><p>Text</p></section>',
    );
  });

  it('links lessons by name', async () => {
    expect(await html('[next](lesson:bahdanau#train)')).toContain('href="../bahdanau/#train"');
  });

  it('colours code while the site is built', async () => {
    expect(await html('```python\nx = 1\n```')).toContain('--code-token');
  });
});

describe('refuses, with file and line', () => {
  const refused: [string, string, string][] = [
    ['an unknown sign', 'a\n\nb :x[c]', '3:3.*unknown sign ":x"'],
    ['an unknown container', ':::note\na\n:::', '1:1.*unknown sign ":::note"'],
    ['a term without an entry', ':term[a]', 'names its glossary entry'],
    ['a block without an id', '::block', 'names its entry in lesson.json'],
    ['a fold without a title', ':::why\na\n:::', 'a fold has a title'],
    ['a section without an id', 'a\n\n## b', '3:1.*a section has an id'],
    ['a first-level heading', '# a', 'headings begin at ##'],
    ['raw HTML, which would vanish', 'a <eos> b', 'in backticks'],
    ['stars that mark nothing', '说**“你好”**吧', 'these stars mark nothing'],
    ['a lesson that is not there', '[a](lesson:none)', 'no lesson "none"'],
    ['a formula that KaTeX does not know', '$\\nonsense$', 'nonsense'],
    ['code in a language without colours', '```cobol\n```', 'no colours for code in "cobol"'],
  ];
  it.each(refused)('%s', async (_, markdown, reason) => {
    const error = await renderText(markdown).then(() => '', String);
    expect(error).toContain('lessons/10-x/zh.md');
    expect(error).toMatch(new RegExp(reason, 's'));
  });
});
