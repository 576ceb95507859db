// What can be kept of a heat map: the picture, what is shown, the whole tensor.

import type { Words } from '../store/words';
import { download } from './download';
import type { Grid } from './grid';
import { picture, png, type Look } from './picture';
import type { Palette } from './palette';
import { axisRole } from './roles';
import { csv, longCsv } from './tables';
import { theme } from './theme.svelte';

export interface Choice {
  name: string;
  save: () => void | Promise<void>;
}

export interface Kept {
  grid: Grid;
  sums: Grid | undefined;
  palette: Palette;
  title: string;
  caption: string;
}

const CSV = 'text/csv;charset=utf-8';
const MARK = '\ufeff'; // so that spreadsheets read it as UTF-8
const LONGEST = 60;

export function savings(kept: Kept, words: Words): Choice[] {
  const name = fileName(kept.grid);
  const drawn = () => picture(kept.grid, look(kept, words));
  return [
    {
      name: words.say('save.png'),
      save: async () => download(`${name}.png`, await png(drawn()), 'image/png'),
    },
    {
      name: words.say('save.svg'),
      save: () => download(`${name}.svg`, drawn().svg, 'image/svg+xml'),
    },
    {
      name: words.say('save.csv'),
      save: () => download(`${name}.csv`, MARK + csv(kept.grid, kept.sums), CSV),
    },
    {
      name: words.say('save.tensor'),
      save: () =>
        download(`${name}.tensor.csv`, MARK + longCsv(kept.grid.step, kept.grid.values), CSV),
    },
  ];
}

function fileName({ step, gradient }: Grid): string {
  return `${step.name.replaceAll(/[^\w.-]/g, '_')}${gradient ? '.gradient' : ''}`;
}

function look({ grid, sums, palette, title, caption }: Kept, words: Words): Look {
  const colour = (role: string): string => theme.css(role === 'ink' ? 'soft' : role);
  return {
    title: title.length > LONGEST ? `${title.slice(0, LONGEST - 1)}…` : title,
    caption,
    masked: words.say('map.masked'),
    palette,
    sums,
    ink: {
      text: theme.css('ink'),
      soft: theme.css('soft'),
      ground: theme.css('panel'),
      rows: colour(axisRole(grid.rows.means)),
      cols: colour(axisRole(grid.cols.means)),
    },
  };
}
