import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from './layout.ts';
import { neighboursOf } from './neighbours.ts';
import { type PrintedRow, typeset } from './typeset.ts';

const textsOf = (...rows: PrintedRow[]) => layOut(typeset(rows)).lines.map(({ text }) => text);
const heads: PrintedRow = [
  [40, 'Number'],
  [83, 'Date'],
  [136, 'Customer'],
];

test('values below a row of heads are parted at each head, however near they stand', () => {
  const texts = textsOf(heads, [[40, '20250193 03-02-2025 D-0311']]);
  assert.deepEqual(texts.slice(-3), ['20250193', '03-02-2025', 'D-0311']);
});

test('a line below heads that has no word at one of them stays whole', () => {
  const [, , , ...rest] = textsOf(heads, [[40, 'Delivery 44871 of 29-01-2025']]);
  assert.deepEqual(rest, ['Delivery 44871 of 29-01-2025']);
});

test('an amount at the right of its cell stands below the head at the left of it', () => {
  const layout = layOut(
    typeset([
      [
        [40, 'Goods'],
        [140, 'Carriage'],
        [240, 'Tax'],
      ],
      [
        [130, '864.00', 'right'],
        [230, '40.00', 'right'],
        [330, '180.80', 'right'],
      ],
    ]),
  );
  const lineOf = (text: string) => layout.lines.find((line) => line.text === text)!;
  assert.equal(neighboursOf(layout, lineOf('180.80')).above?.text, 'Tax');
  assert.equal(neighboursOf(layout, lineOf('Tax')).below?.text, '180.80');
  assert.equal(neighboursOf(layout, lineOf('864.00')).above?.text, 'Goods');
});

test('a street right below a name stands below that, beside the last of a row of heads as well', () => {
  const document = typeset([
    [[240, 'Example Builders Ltd']],
    [
      [40, 'Number'],
      [90, 'Customer'],
      [150, 'Page'],
    ],
    [[240, '22 Mill Lane']],
  ]);
  const { words } = document.pages[0]!;
  const [{ box: top }, first] = [words[0]!, words.find(({ text }) => text === '22')!];
  const rise = first.box.y0 - top.y0 - 1.3 * (top.y1 - top.y0);
  for (const { box, text } of words) {
    const up = /^(?:22|Mill|Lane)$/.test(text) ? rise : /^(?:Number|Customer|Page)$/.test(text) ? rise / 2 : 0;
    Object.assign(box, { y0: box.y0 - up, y1: box.y1 - up });
  }
  const layout = layOut(document);
  const street = layout.lines.find(({ text }) => text === '22 Mill Lane')!;
  assert.equal(neighboursOf(layout, street).above?.text, 'Example Builders Ltd');
});
