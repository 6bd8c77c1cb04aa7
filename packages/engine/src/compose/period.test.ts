import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proposeCandidates } from '../candidates/propose.ts';
import { layOut } from '../layout/layout.ts';
import { type PrintedRow, typeset } from '../layout/typeset.ts';
import { decideLocale } from '../locale/locale.ts';
import { documentTypeOf } from '../types/registry.ts';
import { composeMonth, composePeriod, restOfPeriod } from './period.ts';
import { composedValue } from './value.ts';

function period(...lines: readonly string[]): readonly unknown[] {
  const layout = layOut(typeset(lines.map((line): PrintedRow => [[40, line]])));
  const locale = decideLocale(layout);
  const candidates = proposeCandidates(layout, locale);
  const fields = composePeriod({ type: documentTypeOf('utility_bill'), layout, locale, candidates }, 'start', 'end');
  return [fields.start?.value, fields.end?.value];
}

test('a range of dates is the period of its document', () => {
  assert.deepEqual(period('Service period 03/15/2023 - 04/16/2023'), ['2023-03-15', '2023-04-16']);
  assert.deepEqual(period('Relevé du 25/02/2022 au 24/04/2022'), ['2022-02-25', '2022-04-24']);
  // As OCR reads a dash.
  assert.deepEqual(period('Gas bill for Oct 13· Nov 13,2023'), ['2023-10-13', '2023-11-13']);
});

test('a year that a range leaves out is that of its end, or of the date that follows soon', () => {
  assert.deepEqual(period('Statement', '05 Jan - 04 Feb 2023'), ['2023-01-05', '2023-02-04']);
  assert.deepEqual(period('Bill date Jan 10, 2022', 'For service Dec 8 - Jan 8'), ['2021-12-08', '2022-01-08']);
  assert.deepEqual(period('For service Dec 8 - Jan 8'), [undefined, undefined]);
});

test('a period that is charged in advance begins on about the day of its bill', () => {
  assert.deepEqual(period('Facture du 17 mai 2024', 'Période du 17/05 au 16/06'), ['2024-05-17', '2024-06-16']);
});

test('days without a year stand below headings of their own', () => {
  const layout = layOut(
    typeset([
      [[40, 'Bill date 06/06/2024']],
      [
        [40, 'METER'],
        [120, 'FROM'],
        [200, 'TO'],
        [280, 'DAYS'],
      ],
      [
        [40, '41882'],
        [120, '05/01'],
        [200, '06/01'],
        [280, '31'],
      ],
    ]),
  );
  const locale = { ...decideLocale(layout), dateOrder: 'mdy' as const };
  const candidates = proposeCandidates(layout, locale);
  const fields = composePeriod({ type: documentTypeOf('utility_bill'), layout, locale, candidates }, 'start', 'end');
  assert.deepEqual([fields.start?.value, fields.end?.value], ['2024-05-01', '2024-06-01']);
});

test('a captioned range comes before others, and ranges that differ leave it open', () => {
  assert.deepEqual(period('Promotion 01/01/2023 - 06/30/2023', 'Billing period: 03/15/2023 - 04/16/2023'), [
    '2023-03-15',
    '2023-04-16',
  ]);
  assert.deepEqual(period('01/01/2023 - 01/30/2023', '02/01/2023 - 02/28/2023'), [undefined, undefined]);
});

test('a document is for the month that its title names', () => {
  const month = (...lines: readonly string[]) => {
    const fields = composeMonth(layOut(typeset(lines.map((line): PrintedRow => [[40, line]]))), 'start', 'end');
    return [fields.start?.value, fields.end?.value];
  };
  assert.deepEqual(month('Abrechnung der Brutto-Netto-Bezüge für März 2023'), ['2023-03-01', '2023-03-31']);
  assert.deepEqual(month('Pay slip for the month of February 2024'), ['2024-02-01', '2024-02-29']);
  assert.deepEqual(month('Lohnabrechnung 03/2023'), ['2023-03-01', '2023-03-31']);
  const cells = layOut(
    typeset([
      [[40, 'PERIODO DI RETRIBUZIONE']],
      [
        [40, 'OTTOBRE'],
        [100, '2023'],
      ],
    ]),
  );
  const { start, end } = composeMonth(cells, 'start', 'end');
  assert.deepEqual([start?.value, end?.value], ['2023-10-01', '2023-10-31']);
  assert.deepEqual(month('Monthly pay', 'Paid on 28 March 2023'), [undefined, undefined]);
  const beside = composeMonth(
    layOut(
      typeset([
        [
          [40, 'Entgeltabrechnung'],
          [300, 'fur September 2024'],
        ],
      ]),
    ),
    'start',
    'end',
  );
  assert.equal(beside.start?.value, '2024-09-01');
});

test('a period in numbers without a year is of the year that a date follows soon', () => {
  assert.deepEqual(period('Pay date Oct 3, 2024', 'Pay period 07/01 - 09/30'), ['2024-07-01', '2024-09-30']);
  assert.deepEqual(period('Processed 30/09/2025', 'Period 01/09-30/09 Tax code 1257L'), ['2025-09-01', '2025-09-30']);
  assert.deepEqual(period('Pay date Oct 3, 2024', 'Ratio 07/01 - 09/30'), [undefined, undefined]);
});

test('Spanish days have their month behind a preposition', () => {
  assert.deepEqual(period('Período de liquidación: del 1 de mayo al 31 de mayo de 2025'), ['2025-05-01', '2025-05-31']);
});

test('a period that is charged in advance begins soon after a date, and one heading may stand over both days', () => {
  assert.deepEqual(period('Bill date April 9, 2025', 'Plans (Apr 10 - May 9)'), ['2025-04-10', '2025-05-09']);
  const layout = layOut(
    typeset([
      [[60, 'Service From To']],
      [
        [40, '07/18/24'],
        [110, '08/19/24'],
      ],
    ]),
  );
  const locale = decideLocale(layout);
  const candidates = proposeCandidates(layout, locale);
  const fields = composePeriod({ type: documentTypeOf('utility_bill'), layout, locale, candidates }, 'start', 'end');
  assert.deepEqual([fields.start?.value, fields.end?.value], ['2024-07-18', '2024-08-19']);
});

test('the days of a row may each have its heading', () => {
  const layout = layOut(
    typeset([
      [
        [40, 'From'],
        [110, 'To'],
        [180, 'Days'],
      ],
      [
        [40, '12/26/24'],
        [110, '01/27/25'],
        [180, '32'],
      ],
    ]),
  );
  const locale = decideLocale(layout);
  const candidates = proposeCandidates(layout, locale);
  const fields = composePeriod({ type: documentTypeOf('utility_bill'), layout, locale, candidates }, 'start', 'end');
  assert.deepEqual([fields.start?.value, fields.end?.value], ['2024-12-26', '2025-01-27']);
});

test('the headings of both days may be set in the middle over them', () => {
  const layout = layOut(
    typeset([
      [
        [40, 'Meter'],
        [162, 'From'],
        [200, 'To'],
        [290, 'Days'],
      ],
      [
        [40, '88104421'],
        [118, '01/19/24'],
        [190, '02/18/24'],
        [290, '30'],
      ],
    ]),
  );
  const locale = decideLocale(layout);
  const candidates = proposeCandidates(layout, locale);
  const fields = composePeriod({ type: documentTypeOf('utility_bill'), layout, locale, candidates }, 'start', 'end');
  assert.deepEqual([fields.start?.value, fields.end?.value], ['2024-01-19', '2024-02-18']);
});

test('a range in numbers may have its year behind the last day alone', () => {
  assert.deepEqual(period('Datum 02.07.2024', 'Lieferzeitraum: 17.06. - 21.06.2024'), ['2024-06-17', '2024-06-21']);
  assert.deepEqual(period('Billing period 15/12 - 14/01/25'), ['2024-12-15', '2025-01-14']);
});

test('a range may be broken behind its dash', () => {
  assert.deepEqual(period('Datum 02.07.2024', 'Lieferzeitraum: 17.06. –', '21.06.2024'), ['2024-06-17', '2024-06-21']);
  assert.deepEqual(period('Billing period 15/12/2024 -', '14/01/2025'), ['2024-12-15', '2025-01-14']);
});

test('an invoice is for the month that its services are of', () => {
  const daysOf = (text: string) => {
    const layout = layOut(typeset([[[40, 'Rechnungsdatum 03.09.2024']], [[40, text]]]));
    const locale = decideLocale(layout);
    const findings = { type: documentTypeOf('invoice'), layout, locale, candidates: proposeCandidates(layout, locale) };
    const { start, end } = restOfPeriod(findings, {}, 'start', 'end');
    return [start?.value, end?.value];
  };
  assert.deepEqual(daysOf('Leistungszeitraum: August 2024'), ['2024-08-01', '2024-08-31']);
  assert.deepEqual(daysOf('Projekt August 2024'), [undefined, undefined]);
});

test('the last day of a range is not its first one', () => {
  const layout = layOut(typeset([[[40, 'Leistungszeitraum 17.06.-21.06.2024']]]));
  const locale = decideLocale(layout);
  const findings = { type: documentTypeOf('invoice'), layout, locale, candidates: proposeCandidates(layout, locale) };
  const [first, last] = ['2024-06-17', '2024-06-21'].map((day) => composedValue(day, 60, [{ line: layout.lines[0]! }]));
  for (const fields of [{ start: last! }, { start: first!, end: first! }, { end: first! }]) {
    const days = restOfPeriod(findings, fields, 'start', 'end');
    assert.deepEqual([days.start?.value, days.end?.value], ['2024-06-17', '2024-06-21']);
  }
});
