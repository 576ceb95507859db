// Draws a grid on a canvas. Pure: geometry in, pixels out; no store, no document.

import type { Grid } from './grid';
import type { Palette } from './palette';

export interface Geometry {
  left: number; // room for the rows' labels
  top: number; // room for the columns' labels
  cellWidth: number;
  cellHeight: number;
  width: number;
  height: number;
  gap: number;
}

export interface Ink {
  font: string;
  text: string;
  rows: string; // colours of the two axes
  cols: string;
  hatch: string; // of cells that stand for nothing
}

const TEXT_HEIGHT = 16;
const TEXT_WIDTH = 8; // of a character, about
const NARROWEST = 3;
const WIDEST = 44;
const ROOMIEST = 4e6; // square pixels that an enlarged map may take: a canvas costs four bytes for each of the screen's

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

/** `larger`: how many times the cells are what fits. */
export function geometry(grid: Grid, room: number, larger = 1): Geometry {
  const rows = grid.rows.indices.length;
  const cols = grid.cols.indices.length;
  const longest = longestOf(grid.rows.labels);
  const left = longest === 0 ? 0 : Math.min(longest * TEXT_WIDTH + 10, room * 0.3);
  const top = grid.cols.axis === undefined ? 0 : TEXT_HEIGHT + 6;
  const fitted = clamp((room - left) / cols, NARROWEST, WIDEST);
  const tallest = rows <= 16 ? 26 : 18;
  const cellWidth = Math.min(WIDEST, fitted * larger);
  const cellHeight = Math.min(WIDEST, clamp(460 / rows, NARROWEST, tallest) * larger);
  return {
    left,
    top,
    cellWidth,
    cellHeight,
    width: left + cellWidth * cols,
    height: top + cellHeight * rows,
    gap: Math.min(cellWidth, cellHeight) >= 10 ? 1 : 0,
  };
}

/** How many times larger a map may become that now is as it fits. */
export function mostOf({ cellWidth, cellHeight, width, height }: Geometry): number {
  const area = (ROOMIEST / (width * height)) ** 0.5;
  return Math.max(1, Math.min(WIDEST / Math.min(cellWidth, cellHeight), area));
}

/** How many characters the longest has: without spreading what may be thousands. */
export function longestOf(labels: string[]): number {
  return labels.reduce((most, text) => Math.max(most, text.length), 0);
}

/** Label every n-th entry, so that the labels do not run into one another. */
export function stride(labels: string[], room: number, needed: (text: string) => number): number {
  const widest = labels.reduce((most, text) => Math.max(most, needed(text)), 1);
  return Math.max(1, Math.ceil(widest / room));
}

export function paint(
  pen: CanvasRenderingContext2D,
  grid: Grid,
  palette: Palette,
  at: Geometry,
  ink: Ink,
): void {
  pen.clearRect(0, 0, at.width, at.height);
  paintCells(pen, grid, palette, at);
  paintVeil(pen, grid, at, ink.hatch);
  setFont(pen, ink.font);
  pen.textBaseline = 'middle';
  if (at.left > 0) paintRowLabels(pen, grid, at, ink);
  if (at.top > 0) paintColumnLabels(pen, grid, at, ink);
}

const fonts = new WeakMap<CanvasRenderingContext2D, { font: string; read: string }>();

/** Only where it is another one: to set a font makes the browser settle the style of the whole page first. */
function setFont(pen: CanvasRenderingContext2D, font: string): void {
  const last = fonts.get(pen);
  if (last?.font === font && last.read === pen.font) return; // a canvas that was resized has forgotten it
  pen.font = font;
  fonts.set(pen, { font, read: pen.font });
}

export function paintCells(
  pen: CanvasRenderingContext2D,
  grid: Grid,
  palette: Palette,
  at: Geometry,
): void {
  if (at.gap === 0) return paintPixels(pen, grid, palette, at);
  const pixels = pen.getTransform().a;
  const snap = (x: number): number => Math.round(x * pixels) / pixels; // no seams between cells
  for (let row = 0; row < grid.rows.indices.length; row++) {
    const top = snap(at.top + row * at.cellHeight);
    const height = snap(at.top + (row + 1) * at.cellHeight) - top - at.gap;
    for (let col = 0; col < grid.cols.indices.length; col++) {
      const left = snap(at.left + col * at.cellWidth);
      pen.fillStyle = palette.fill(grid.value(row, col));
      pen.fillRect(left, top, snap(at.left + (col + 1) * at.cellWidth) - left - at.gap, height);
    }
  }
}

let raster: CanvasRenderingContext2D | null = null; // a pixel a cell; one for all maps, it is used up at once

/** Cells without gaps: a picture with a pixel a cell, enlarged in one go. */
function paintPixels(
  pen: CanvasRenderingContext2D,
  grid: Grid,
  palette: Palette,
  at: Geometry,
): void {
  const rows = grid.rows.indices.length;
  const cols = grid.cols.indices.length;
  if (rows === 0 || cols === 0) return;
  raster ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!raster) return;
  raster.canvas.width = cols;
  raster.canvas.height = rows;
  const image = raster.createImageData(cols, rows);
  const pixels = new Uint32Array(image.data.buffer);
  for (let row = 0, i = 0; row < rows; row++)
    for (let col = 0; col < cols; col++, i++) pixels[i] = palette.pixel(grid.value(row, col));
  raster.putImageData(image, 0, 0);
  pen.imageSmoothingEnabled = false;
  const { left, top, cellWidth, cellHeight } = at;
  pen.drawImage(raster.canvas, left, top, cellWidth * cols, cellHeight * rows);
}

/** A stretch of neighbouring cells in a row. */
export interface Run {
  row: number;
  first: number;
  count: number;
}

/** The cells that stand for nothing, row by row. */
export function veiled(grid: Grid): Run[] {
  const runs: Run[] = [];
  if (
    !grid.masked &&
    !grid.asked &&
    grid.rows.padding.length === 0 &&
    grid.cols.padding.length === 0
  )
    return runs;
  for (let row = 0; row < grid.rows.indices.length; row++)
    for (let col = 0; col < grid.cols.indices.length; col++) {
      if (grid.veil(row, col) === undefined) continue;
      const last = runs.at(-1);
      if (last?.row === row && last.first + last.count === col) last.count += 1;
      else runs.push({ row, first: col, count: 1 });
    }
  return runs;
}

const HATCH = 6; // pixels between two lines

/** Lines over what is hidden: told apart by a pattern, not by a colour. */
export function paintVeil(
  pen: CanvasRenderingContext2D,
  grid: Grid,
  at: Geometry,
  colour: string,
): void {
  const runs = veiled(grid);
  if (runs.length === 0) return;
  const area = new Path2D();
  for (const { row, first, count } of runs) {
    for (let col = first; grid.asked && col < first + count; col++)
      if (grid.veil(row, col) === 'asked')
        pen.clearRect(
          at.left + col * at.cellWidth,
          at.top + row * at.cellHeight,
          at.cellWidth - at.gap,
          at.cellHeight - at.gap,
        );
    area.rect(
      at.left + first * at.cellWidth,
      at.top + row * at.cellHeight,
      count * at.cellWidth - at.gap,
      at.cellHeight - at.gap,
    );
  }
  const lines = new Path2D();
  for (let x = at.left - at.height; x < at.width; x += HATCH) {
    lines.moveTo(x, at.height);
    lines.lineTo(x + at.height, 0);
  }
  pen.save();
  pen.clip(area);
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  pen.stroke(lines);
  pen.restore();
}

function paintRowLabels(pen: CanvasRenderingContext2D, grid: Grid, at: Geometry, ink: Ink): void {
  const { labels } = grid.rows;
  const step = stride(labels, at.cellHeight, () => TEXT_HEIGHT);
  pen.fillStyle = ink.rows;
  pen.textAlign = 'right';
  for (let row = 0; row < labels.length; row += step)
    pen.fillText(labels[row]!, at.left - 6, at.top + (row + 0.5) * at.cellHeight, at.left - 8);
}

function paintColumnLabels(
  pen: CanvasRenderingContext2D,
  grid: Grid,
  at: Geometry,
  ink: Ink,
): void {
  const { labels } = grid.cols;
  const step = stride(labels, at.cellWidth, (text) => Math.min(text.length, 7) * TEXT_WIDTH + 8);
  pen.fillStyle = ink.cols;
  pen.textAlign = 'center';
  for (let col = 0; col < labels.length; col += step) {
    const middle = at.left + (col + 0.5) * at.cellWidth;
    const room = at.cellWidth * step - 4;
    const half = Math.min(room, pen.measureText(labels[col]!).width) / 2;
    if (middle + half <= at.width) pen.fillText(labels[col]!, middle, at.top / 2, room);
  }
}

export interface Place {
  row: number;
  col: number;
}

/** The cell under a point, if there is one. */
export function hit(grid: Grid, at: Geometry, x: number, y: number): Place | undefined {
  const col = Math.floor((x - at.left) / at.cellWidth);
  const row = Math.floor((y - at.top) / at.cellHeight);
  const here = { row, col };
  return within(grid, here) ? here : undefined;
}

export function within(grid: Grid, { row, col }: Place): boolean {
  return row >= 0 && col >= 0 && row < grid.rows.indices.length && col < grid.cols.indices.length;
}

/** Where an arrow key leads. */
export function moved(grid: Grid, from: Place, key: string): Place | undefined {
  const lastRow = grid.rows.indices.length - 1;
  const lastCol = grid.cols.indices.length - 1;
  const to: Record<string, Place> = {
    ArrowLeft: { row: from.row, col: Math.max(0, from.col - 1) },
    ArrowRight: { row: from.row, col: Math.min(lastCol, from.col + 1) },
    ArrowUp: { row: Math.max(0, from.row - 1), col: from.col },
    ArrowDown: { row: Math.min(lastRow, from.row + 1), col: from.col },
    Home: { row: from.row, col: 0 },
    End: { row: from.row, col: lastCol },
    PageUp: { row: 0, col: from.col },
    PageDown: { row: lastRow, col: from.col },
  };
  return to[key];
}
