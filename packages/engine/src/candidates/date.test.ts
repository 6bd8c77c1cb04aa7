import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDates, parseDate, resolveDate, yearFirstReading } from './date.ts';

/** The dates found in a text, read day first. */
function datesIn(text: string): string[] {
  return findDates(text).map((finding) => resolveDate(finding, { dateOrder: 'dmy' }).value);
}

test('dates are read in every usual order, with names of months in many languages', () => {
  const dates: Record<string, string> = {
    '15/06/2018': '2018-06-15',
    '04/03/18': '2018-03-04',
    '6-1-2018': '2018-01-06',
    '10.10.20': '2020-10-10',
    '2018-03-18': '2018-03-18',
    '2018/3/5': '2018-03-05',
    '2019年3月5日': '2019-03-05',
    '20180318': '2018-03-18',
    '25032018': '2018-03-25',
    '15 JUN 18': '2018-06-15',
    '24MAR2018': '2018-03-24',
    '05-JAN-2017': '2017-01-05',
    "18 MAR'18": '2018-03-18',
    'OCT 3, 2016': '2016-10-03',
    "Mar14'25": '2025-03-14',
    'Apri1 12, 2024': '2024-04-12',
    'March 3rd, 2018': '2018-03-03',
    '3. März 2018': '2018-03-03',
    '4 December 2023': '2023-12-04',
    '29. Dezember 2023': '2023-12-29',
    '31-Dez-2019': '2019-12-31',
    '1er janvier 2018': '2018-01-01',
    '14 août 2021': '2021-08-14',
    '3 de marzo de 2018': '2018-03-03',
    '5 maggio 2018': '2018-05-05',
    '7 de março de 2020': '2020-03-07',
    '9 mei 2022': '2022-05-09',
    '2 Disember 2020': '2020-12-02',
    '15.06.99': '1999-06-15',
  };
  for (const [text, date] of Object.entries(dates)) assert.deepEqual(datesIn(text), [date], text);
});

test('dates are found among other text', () => {
  const texts: Record<string, string[]> = {
    'DATE : 21/03/2017 8:13:39 PM': ['2017-03-21'],
    'DATE15/06/2018': ['2018-06-15'],
    '15/06/201814:22': ['2018-06-15'],
    '05Mar 201818:24': ['2018-03-05'],
    'ORD #07 -REG #19- 10/03/2018': ['2018-03-10'],
    'vom 4.4.2018 bis 5.5.2018': ['2018-04-04', '2018-05-05'],
    '15 / 06 / 2018': ['2018-06-15'],
    'l5/O6/2018': ['2018-06-15'],
  };
  for (const [text, dates] of Object.entries(texts)) assert.deepEqual(datesIn(text), dates, text);
});

test('numbers that only look like dates are none', () => {
  for (const text of [
    '1/2 kg',
    'Total 10.10.20',
    'RM 10.10.20',
    '192.168.1.1',
    'NO.2, JALAN 19/9, 43200 CHERAS',
    '23/1, 40300 SHAH ALAM',
    'Tel 03-5122-1701',
    '012-6651783',
    '31.02.2018',
    '13/25/2018',
    '12/2018',
    '10.10',
    'version 1.2.18',
    '1214-JINJANG',
    'IBAN DE89 3704 0044',
    '10/10/18 kg',
    '00/12/2018',
  ]) {
    assert.deepEqual(datesIn(text), [], text);
  }
});

test('whether day or month stands first is left open until the locale decides', () => {
  const [finding] = findDates('04/03/2018');
  assert.equal(finding?.readings.length, 2);
  assert.deepEqual(resolveDate(finding!, { dateOrder: 'dmy' }), { value: '2018-03-04', ambiguous: true });
  assert.deepEqual(resolveDate(finding!, { dateOrder: 'mdy' }), { value: '2018-04-03', ambiguous: true });
  assert.deepEqual(parseDate('12/25/2018', { dateOrder: 'dmy' }), { value: '2018-12-25', ambiguous: false });
});

test('letters taken for digits are marked and cost quality', () => {
  const [clean] = findDates('15/06/2018');
  const [confused] = findDates('l5/06/2O18');
  assert.equal(clean?.confused, false);
  assert.equal(confused?.confused, true);
  assert.ok(confused!.quality < clean!.quality);
});

test('parseDate takes a whole text or nothing', () => {
  assert.equal(parseDate(' 15.06.2018. ', { dateOrder: 'dmy' })?.value, '2018-06-15');
  assert.equal(parseDate('due 15.06.2018', { dateOrder: 'dmy' }), null);
  assert.equal(parseDate('', { dateOrder: 'dmy' }), null);
});

test('the day of a range’s end is no year', () => {
  assert.deepEqual(datesIn('Jul 1 - Jul 31, 2022'), ['2022-07-31']);
  assert.deepEqual(datesIn('02 Nov - 01 Dec 2023'), ['2023-12-01']);
  assert.deepEqual(datesIn('12 Mar 25 12 Mar 25'), ['2025-03-12', '2025-03-12']);
  assert.deepEqual(datesIn('Dec 18 - Jan 20 (33 days)'), []);
  assert.deepEqual(datesIn('18 ene. - 17 feb. 2024'), ['2024-02-17']);
  assert.deepEqual(datesIn('Period 01/04/2025-30/04/2025'), ['2025-04-01', '2025-04-30']);
  assert.deepEqual(datesIn('28.03.25–28.04.25'), ['2025-03-28', '2025-04-28']);
});

test('a word before a date takes nothing of it', () => {
  assert.deepEqual(datesIn('Invoice date 14 December 2025'), ['2025-12-14']);
  assert.deepEqual(datesIn('Datum 31. Mai 2025'), ['2025-05-31']);
  assert.deepEqual(datesIn('12 rue 14 mai 2025'), ['2025-05-14']);
  assert.deepEqual(datesIn('Page 2 Date 10 Jan 2024 Due 24 Jan 2024'), ['2024-01-10', '2024-01-24']);
  assert.deepEqual(datesIn('No 12 May 14, 2025'), ['2025-05-14']);
});

test('two days that begin with their year have nothing but a dash between them', () => {
  const days = (text: string) => findDates(text).map(({ readings }) => readings[0]?.value);
  assert.deepEqual(days('2024-05-08-2024-06-07 (31)'), ['2024-05-08', '2024-06-07']);
  assert.deepEqual(days('2024-05-08-2024'), []);
});

test('a day may begin with its year', () => {
  assert.equal(yearFirstReading('25/06/29'), '2025-06-29');
  assert.equal(yearFirstReading('25/13/29'), null);
  assert.equal(yearFirstReading('2025/06/29'), null);
});
