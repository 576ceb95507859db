// The lessons as pages of a Vite site: in the build each is an HTML entry that lies on no disk;
// in development a page is made when it is asked for, and a saved lesson reloads it.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Plugin, ViteDevServer } from 'vite';
import type { Surroundings } from './frame.ts';
import { readKinds } from './kinds.ts';
import { allPages } from './pages.ts';
import { readPictures } from './picture.ts';
import { readSite, refuseProblems, type Site } from './site.ts';

const THEME = 'src/page/shell/first-paint.js';

interface Places {
  repo: string;
  web: string;
}

/** The theme's script is no module, so Vite leaves it alone: it gets its hashed name here. */
function themeFile(web: string): { fileName: string; source: string } {
  const source = readFileSync(join(web, THEME), 'utf8');
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
  return { fileName: `assets/first-paint-${hash}.js`, source };
}

async function read({ repo, web }: Places): Promise<Site> {
  const site = await readSite(repo, await readKinds(web));
  refuseProblems(site);
  return site;
}

function serve(server: ViteDevServer, places: Places): void {
  const around: Surroundings = { policy: false, theme: THEME };
  const answer = async (url: string, response: ServerResponse): Promise<boolean> => {
    const [path = '/'] = url.split(/[?#]/);
    const pictures = readPictures(places);
    const pages = allPages(await read(places), { ...around, pictures });
    const html = pages.get(path.slice(1));
    if (html !== undefined) {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(await server.transformIndexHtml(path, html));
    } else if (pages.has(`${path.slice(1)}/`)) {
      response.writeHead(302, { Location: `${path}/` }).end();
    }
    return response.writableEnded;
  };
  server.middlewares.use((request, response, next) => {
    const url = request.url ?? '/';
    if (!/^\/(?:(?:zh|en)(?:\/|$)|$|\?)/.test(url)) return next();
    answer(url, response).then((done) => done || next(), next);
  });
  const lessons = join(places.repo, 'lessons');
  server.watcher.add(lessons);
  server.watcher.on('all', (_, file) => {
    if (file.startsWith(lessons)) server.ws.send({ type: 'full-reload' });
  });
}

export function lessonPages(places: Places): Plugin {
  const theme = themeFile(places.web);
  let pages = new Map<string, string>(); // by the path of the HTML file, as if it lay in web/
  return {
    name: 'attention-lab:pages',
    async config(_, { command }) {
      if (command !== 'build') return undefined;
      const pictures = readPictures(places);
      const around: Surroundings = { policy: true, theme: theme.fileName, pictures };
      const made = allPages(await read(places), around);
      pages = new Map(
        [...made].map(([path, html]) => [join(places.web, path, 'index.html'), html]),
      );
      return { build: { rolldownOptions: { input: [...pages.keys()] } } };
    },
    resolveId: (id) => (pages.has(id) ? id : undefined),
    load: (id) => pages.get(id),
    configureServer: (server) => serve(server, places),
    generateBundle() {
      if (pages.size > 0) this.emitFile({ type: 'asset', ...theme });
    },
  };
}
