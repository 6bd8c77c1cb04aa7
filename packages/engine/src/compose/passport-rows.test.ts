import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from '../layout/layout.ts';
import { type PrintedRow, typeset } from '../layout/typeset.ts';
import { valuesInPassportRows } from './passport-rows.ts';
import { composedValue } from './value.ts';

const data: readonly PrintedRow[] = [
  [[40, 'RUTANIAN']],
  [
    [40, 'Sx y'],
    [120, 'Plc o b th'],
  ],
  [
    [40, 'F'],
    [120, 'PORT SORREL'],
  ],
  [[40, 'D te i s']],
  [
    [40, '14 JUN 2021'],
    [200, 'PASSPORT OFFICE'],
  ],
];

function valuesOf(rows: readonly PrintedRow[], zone: string, holds = true): Readonly<Record<string, unknown>> {
  const layout = layOut(typeset(rows));
  const day = layout.lines.find(({ text }) => text.includes('2021'))!;
  const fields = valuesInPassportRows(layout, {
    mrz: composedValue(zone, 96, [], [holds ? 'check_digit_holds' : 'check_digit_fails']),
    issue_date: composedValue('2021-06-14', 78, [{ line: day }]),
  });
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field?.value]));
}

test('a passport’s place of birth stands beside the sex, and its authority beside the day of issue', () => {
  assert.deepEqual(valuesOf(data, 'P<UTOEXAMPLE<<ANNA'), {
    place_of_birth: 'PORT SORREL',
    issuing_authority: 'PASSPORT OFFICE',
  });
});

test('nothing is known by its row where the zone was misread, or the state sets another item there', () => {
  assert.deepEqual(valuesOf(data, 'P<UTOEXAMPLE<<ANNA', false), {});
  assert.deepEqual(valuesOf(data, 'P<JPNEXAMPLE<<ANNA'), {});
  const other: PrintedRow[] = [
    [
      [40, 'M'],
      [120, 'SWISS'],
    ],
    [
      [40, '14 JUN 2021'],
      [200, '13 JUN 2031'],
    ],
  ];
  assert.deepEqual(valuesOf(other, 'P<UTOEXAMPLE<<ANNA'), {});
});
