import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureInk } from './ink.ts';

const height = 48;

/** A crop of white paper with strokes of black. */
function crop(width: number, ...strokes: readonly ((column: number, row: number) => boolean)[]): Uint8Array {
  return Uint8Array.from({ length: width * height }, (_, at) =>
    strokes.some((isBlack) => isBlack(at % width, Math.floor(at / width))) ? 20 : 240,
  );
}

/** Letters of 20 pixels, 4 apart, from row 14 to 41; a wider space after the fourth. */
const letters = (column: number, row: number) => row >= 14 && row < 42 && (column + 4) % 24 >= 4 && !isSpace(column);
const isSpace = (column: number) => column >= 96 && column < 120;
/** A ruling of three pixels that falls by 1 in 100. */
const slanted = (column: number, row: number) => Math.abs(row - 4 - column / 100) <= 1;
/** As its edges are after scaling: here and there one pixel more. */
const ragged = (column: number, row: number) => column % 7 === 0 && Math.abs(row - 4 - column / 100) <= 3;
const border = (column: number) => column >= 236 && column < 239;

test('the ink of a line is between its first and last rows, and its words stand apart', () => {
  const { columns, top, bottom } = measureInk(crop(240, letters), 240);
  assert.deepEqual([top, bottom], [14, 42]);
  assert.deepEqual([...columns.subarray(92, 120)], Array(28).fill(0));
  assert.equal(columns[130], 1);
});

test('rulings around a cell are no ink of its line, though they run at a slant', () => {
  for (const width of [240, 120]) {
    const { columns, top, bottom } = measureInk(crop(width, letters, slanted, ragged), width);
    assert.deepEqual([top, bottom], [14, 42], `${width} pixels`);
    if (width > 120) assert.deepEqual([...columns.subarray(92, 120)], Array(28).fill(0));
  }
  const { columns } = measureInk(crop(240, letters, border), 240);
  assert.deepEqual([...columns.subarray(236)], [0, 0, 0, 0]);
});
