import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findZones } from '../candidates/zone.ts';
import { layOut } from '../layout/layout.ts';
import { typeset } from '../layout/typeset.ts';
import { readZone, withPrintedNumber, withPrintedSurname, zoneDigit } from './zone.ts';

function passport(number: string): readonly [string, string] {
  const dates = ['900207', '310614'].map((day) => day + zoneDigit(day));
  const own = number + zoneDigit(number);
  const all = own + dates.join('') + '<'.repeat(15);
  return [
    'P<UTOMUSTERFELD<<IDA'.padEnd(44, '<'),
    `${own}UTO${dates[0]}F${dates[1]}${'<'.repeat(14)}<${zoneDigit(all)}`,
  ];
}

test('a number whose check digit fails is the printed one that differs in a sign', () => {
  const [first, second] = passport('T7130482<');
  const read = readZone([first, second.replace('T7130482', '17130482')])!;
  assert.equal(read.proven, false);
  assert.equal(withPrintedNumber(read, ['T7130483', 'T7130482'])?.proven, true);
  assert.equal(withPrintedNumber(read, ['X9930482']), null);
});

test('a French card’s surname is the printed one where its last check digit then holds', () => {
  const first = `${'IDFRAFONTENAC'.padEnd(30, '<')}693112`;
  const body = `130769301842${zoneDigit('130769301842')}ODETTE<<<<<<<<871104${zoneDigit('871104')}F`;
  const read = readZone([first.replace('FONTENAC', 'FO2TENAC'), body + zoneDigit(first + body)])!;
  assert.equal(withPrintedSurname(read, 'Fonténac')?.proven, true);
  assert.equal(withPrintedSurname(read, 'Montclair'), null);
});

test('a passport’s first line may lose fillers, be parted before them, and have figures in its state', () => {
  const [first, second] = passport('537184206');
  const rows = [[40, first.slice(0, 30).replace('UTO', 'UT0')] as const, [220, '<<<<<'] as const];
  const { lines } = layOut(typeset([rows, [[40, second]]]));
  assert.equal(findZones(lines)[0]?.value, `${first}\n${second}`);
});
