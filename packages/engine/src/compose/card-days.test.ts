import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from '../layout/layout.ts';
import { type PrintedRow, typeset } from '../layout/typeset.ts';
import { decideLocale } from '../locale/locale.ts';
import { daysInOrderOfTime, withPlainMonths } from './card-days.ts';
import type { ComposedFields } from './compose.ts';
import { composedValue } from './value.ts';

function daysOf(known: Readonly<Record<string, string>>, ...rows: PrintedRow[]): Readonly<Record<string, unknown>> {
  const layout = layOut(typeset(rows));
  const fields: ComposedFields = Object.fromEntries(
    Object.entries(known).map(([name, value]) => [name, composedValue(value, 80, [])]),
  );
  return Object.fromEntries(
    Object.entries(daysInOrderOfTime(layout, decideLocale(layout), fields)).map(([name, field]) => [
      name,
      field?.value,
    ]),
  );
}

test('three days without captions are birth, issue and expiry where the last is some years after the second', () => {
  const rows: PrintedRow[] = [[[40, '19.04.1984']], [[40, '08.11.2022']], [[40, '07.11.2032']]];
  assert.deepEqual(daysOf({}, ...rows), {
    date_of_birth: '1984-04-19',
    issue_date: '2022-11-08',
    expiry_date: '2032-11-07',
  });
  assert.deepEqual(daysOf({ issue_date: '1984-04-19' }, ...rows), {});
  assert.deepEqual(daysOf({}, ...rows.slice(0, 2), [[40, '16.02.2031']]), {});
});

test('a fourth day leaves the order open, and the earlier of two is the birth only where the other is known', () => {
  const rows: PrintedRow[] = [[[40, '19.04.1984']], [[40, '16.02.2031']]];
  assert.deepEqual(daysOf({ expiry_date: '2031-02-16' }, ...rows), { date_of_birth: '1984-04-19' });
  assert.deepEqual(daysOf({}, ...rows), {});
  assert.deepEqual(daysOf({ date_of_birth: '1984-04-19' }, ...rows, [[40, '01.01.2020']], [[40, '02.02.2021']]), {});
});

test('days may have blanks between their numbers, and months two names', () => {
  assert.equal(withPlainMonths('1978 02 19'), '1978-02-19');
  assert.equal(withPlainMonths('19 02 1978'), '19.02.1978');
  assert.equal(withPlainMonths('14 JAN/JAN 85'), '14 JAN 85');
});

test('the day of issue is whole years before an expiry that a check digit proves, though its print was misread', () => {
  const layout = layOut(typeset([[[40, '16 SEP 1988']], [[40, '22 APR 2021']], [[40, '22 KWAPR 2031']]]));
  const issuedBy = (expiry: string) =>
    daysInOrderOfTime(layout, decideLocale(layout), {
      date_of_birth: composedValue('1988-09-16', 97, [], ['check_digit_holds']),
      expiry_date: composedValue(expiry, 97, [], ['check_digit_holds']),
    }).issue_date?.value;
  assert.equal(issuedBy('2031-04-22'), '2021-04-22');
  assert.equal(issuedBy('2031-05-22'), undefined);
});
