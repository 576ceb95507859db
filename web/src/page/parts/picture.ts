// A heat map as a picture to keep: title, words on the axes, numbers where they fit, the sums of its rows, its scale.
// Written as SVG; the PNG is the same picture, drawn by the browser. Pure.

import { figure, short } from './format';
import type { Grid } from './grid';
import { longestOf, stride, veiled } from './paint';
import type { Palette } from './palette';

export interface Look {
  title: string;
  caption: string; // what rows and columns are
  masked: string; // the word for what is hatched
  palette: Palette;
  sums: Grid | undefined;
  ink: { text: string; soft: string; ground: string; rows: string; cols: string };
}

export interface Picture {
  width: number;
  height: number;
  svg: string;
}

interface Box {
  left: number;
  top: number;
  cellWidth: number;
  cellHeight: number;
  across: number; // of all cells
  width: number;
  height: number;
  numbers: boolean;
}

const SANS = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'Noto Sans CJK SC', sans-serif";
const MONO = "ui-monospace, Menlo, Consolas, 'Liberation Mono', monospace";
const EDGE = 20;
const TITLE = 46; // both lines above the map
const LEGEND = 44;
const WIDE = 8; // of a character, about

export function picture(grid: Grid, look: Look): Picture {
  const at = room(grid, look);
  const parts = [
    tag('rect', { width: at.width, height: at.height, fill: look.ink.ground }),
    ...heading(look),
    ...columnLabels(grid, look, at),
    ...rowLabels(grid, look, at),
    ...cells(grid, look, at),
    ...veil(grid, look, at),
    ...(at.numbers ? numbers(grid, look, at) : []),
    ...sumsOf(look, at),
    ...legend(grid, look, at),
  ];
  const { width, height } = at;
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${SANS}" font-size="13">`;
  return { width, height, svg: [open, definitions(look), ...parts, '</svg>'].join('\n') };
}

function room(grid: Grid, look: Look): Box {
  const rows = grid.rows.indices.length;
  const cols = grid.cols.indices.length;
  const numbers = rows <= 30 && cols <= 16;
  const cellWidth = numbers ? 56 : Math.max(4, Math.min(24, 960 / cols));
  const cellHeight = numbers ? 30 : Math.max(4, Math.min(18, 720 / rows));
  const left = EDGE + Math.min(220, longestOf(grid.rows.labels) * WIDE + 10);
  const top = EDGE + TITLE + (grid.cols.axis === undefined ? 0 : 22);
  const right = look.sums ? 74 : 0;
  return {
    left,
    top,
    cellWidth,
    cellHeight,
    across: cols * cellWidth,
    width: Math.ceil(
      Math.max(
        left + cols * cellWidth + right,
        EDGE + wide(look.title, 17),
        EDGE + wide(look.caption, 12),
        340,
      ) + EDGE,
    ),
    height: Math.ceil(top + rows * cellHeight + LEGEND + EDGE),
    numbers,
  };
}

/** About how wide a line is: Chinese signs are as wide as the type is high. */
function wide(text: string, size: number): number {
  return [...text].reduce((sum, sign) => sum + size * (sign > '\u2e80' ? 1 : 0.62), 0);
}

function tag(name: string, attributes: Record<string, string | number>, text?: string): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(typeof value === 'number' ? near(value) : value)}"`)
    .join('');
  return text === undefined
    ? `<${name}${written}/>`
    : `<${name}${written}>${escaped(text)}</${name}>`;
}

function escaped(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/\p{Cc}/gu, ' ').replaceAll(/[&<>"]/g, (sign) => names[sign]!); // XML cannot write control signs
}

function near(value: number): string {
  return String(Number(value.toFixed(2)));
}

function definitions({ palette, ink }: Look): string {
  const stops = palette.stops();
  const ramp = stops.map((colour, i) =>
    tag('stop', { offset: i / (stops.length - 1), 'stop-color': colour }),
  );
  const lines = tag('path', { d: 'M0 6 6 0M-1 1 1 -1M5 7 7 5', stroke: ink.soft });
  return `<defs><linearGradient id="scale">${ramp.join('')}</linearGradient><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse">${lines}</pattern></defs>`;
}

function heading({ title, caption, ink }: Look): string[] {
  return [
    tag(
      'text',
      { x: EDGE, y: EDGE + 14, fill: ink.text, 'font-size': 17, 'font-weight': 600 },
      title,
    ),
    tag('text', { x: EDGE, y: EDGE + 34, fill: ink.soft, 'font-size': 12 }, caption),
  ];
}

function columnLabels(grid: Grid, { ink }: Look, at: Box): string[] {
  if (grid.cols.axis === undefined) return [];
  const { labels } = grid.cols;
  const room = (text: string): number => text.length * WIDE + 8;
  const step = at.numbers ? 1 : stride(labels, at.cellWidth, room);
  return labels.flatMap((label, col) => {
    if (col % step !== 0) return [];
    const place = {
      x: at.left + (col + 0.5) * at.cellWidth,
      y: at.top - 8,
      fill: ink.cols,
      'text-anchor': 'middle',
    };
    if (room(label) <= at.cellWidth * step) return [tag('text', place, label)];
    const pressed = { textLength: at.cellWidth * step - 6, lengthAdjust: 'spacingAndGlyphs' };
    return [tag('text', { ...place, ...pressed }, label)];
  });
}

function rowLabels(grid: Grid, { ink }: Look, at: Box): string[] {
  const step = stride(grid.rows.labels, at.cellHeight, () => 16);
  return grid.rows.labels.flatMap((label, row) => {
    if (row % step !== 0) return [];
    const y = at.top + (row + 0.5) * at.cellHeight + 4;
    return [tag('text', { x: at.left - 8, y, fill: ink.rows, 'text-anchor': 'end' }, label)];
  });
}

/** One path a colour: a map of many cells stays a file of moderate size. */
function cells(grid: Grid, { palette }: Look, at: Box): string[] {
  const gap = at.numbers ? 2 : 0;
  const size = `h${near(at.cellWidth - gap)}v${near(at.cellHeight - gap)}h${near(gap - at.cellWidth)}z`;
  const paths = new Map<string, string[]>();
  for (let row = 0; row < grid.rows.indices.length; row++)
    for (let col = 0; col < grid.cols.indices.length; col++) {
      const colour = palette.fill(grid.value(row, col));
      const path = paths.get(colour) ?? [];
      paths.set(colour, path);
      path.push(
        `M${near(at.left + col * at.cellWidth)} ${near(at.top + row * at.cellHeight)}${size}`,
      );
    }
  const crisp = { 'shape-rendering': 'crispEdges' };
  return [...paths].map(([fill, path]) => tag('path', { fill, ...crisp, d: path.join('') }));
}

function veil(grid: Grid, _: Look, at: Box): string[] {
  return veiled(grid).map(({ row, first, count }) =>
    tag('rect', {
      x: at.left + first * at.cellWidth,
      y: at.top + row * at.cellHeight,
      width: count * at.cellWidth,
      height: at.cellHeight,
      fill: 'url(#hatch)',
    }),
  );
}

function numbers(grid: Grid, { palette }: Look, at: Box): string[] {
  return grid.rows.indices.flatMap((_row, row) =>
    grid.cols.indices.map((_col, col) => {
      const value = grid.value(row, col);
      const x = at.left + (col + 0.5) * at.cellWidth - 1;
      const y = at.top + (row + 0.5) * at.cellHeight + 3;
      const font = { 'font-family': MONO, 'font-size': 12, 'text-anchor': 'middle' };
      const text = grid.veil(row, col) === 'asked' ? '?' : short(value);
      return tag('text', { x, y, fill: palette.text(value), ...font }, text);
    }),
  );
}

function sumsOf({ sums, ink }: Look, at: Box): string[] {
  if (!sums) return [];
  const step = Math.ceil(16 / at.cellHeight);
  const x = at.left + at.across + 10;
  return sums.rows.indices.flatMap((_, row) => {
    if (row % step !== 0) return [];
    const y = at.top + (row + 0.5) * at.cellHeight + 4;
    const font = { 'font-family': MONO, 'font-size': 11 };
    return [tag('text', { x, y, fill: ink.soft, ...font }, `Σ ${short(sums.value(row, 0))}`)];
  });
}

function legend(grid: Grid, { palette, ink, masked }: Look, at: Box): string[] {
  const y = at.height - EDGE - 14;
  const { min, max } = palette.scale;
  const small = { fill: ink.soft, 'font-size': 12 };
  const parts: string[] = [];
  if (min !== max)
    parts.push(
      tag('text', { x: EDGE + 52, y: y + 10, 'text-anchor': 'end', ...small }, figure(min)),
      tag('rect', { x: EDGE + 60, y, width: 110, height: 10, rx: 5, fill: 'url(#scale)' }),
      tag('text', { x: EDGE + 178, y: y + 10, ...small }, figure(max)),
    );
  if (grid.masked || grid.rows.padding.length > 0 || grid.cols.padding.length > 0)
    parts.push(
      tag('rect', { x: EDGE + 240, y: y - 2, width: 22, height: 14, fill: 'url(#hatch)' }),
      tag('text', { x: EDGE + 268, y: y + 10, ...small }, masked),
    );
  return parts;
}

const SHARP = 2; // pixels of the PNG for one of the picture
const MOST = 16_384; // pixels that a canvas may have along a side

/** The picture as the browser draws it. */
export async function png({ svg, width, height }: Picture): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = Math.min(SHARP, MOST / width, MOST / height);
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const pen = canvas.getContext('2d');
    if (!pen) throw new Error('this browser has no canvas');
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large for a PNG'))),
        'image/png',
      ),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}
