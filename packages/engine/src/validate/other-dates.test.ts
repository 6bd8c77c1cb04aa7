import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placed } from '../candidates/placed.ts';
import { layOut } from '../layout/layout.ts';
import { type PrintedRow, typeset } from '../layout/typeset.ts';
import { isDateOfAnother } from './other-dates.ts';

/** Whether a date in the first line that has its text is another's than the field's. */
function isOfAnother(name: string, text: string, ...rows: PrintedRow[]): boolean {
  const layout = layOut(typeset(rows));
  const line = layout.lines.find((each) => each.text.includes(text))!;
  const start = line.text.indexOf(text);
  const candidate = placed('date', '2024-04-17', 1, layout, [line], start, start + text.length);
  return isDateOfAnother({ name, kind: 'date', description: '', captions: [] }, candidate);
}

test('a number that is made of its day is no date', () => {
  const row = (caption: string): PrintedRow => [
    [40, caption],
    [140, '20240417'],
  ];
  assert.equal(isOfAnother('invoice_date', '20240417', row('Rechnungs-Nr.')), true);
  assert.equal(isOfAnother('invoice_date', '20240417', [[40, 'Invoice number: 20240417']]), true);
  assert.equal(isOfAnother('invoice_date', '20240417', row('Date')), false);
});

test('the days of a list of charges are none of the invoice', () => {
  const row = (day: string, item: string): PrintedRow => [
    [40, day],
    [100, item],
    [300, '159.00'],
  ];
  const nights = [row('17-04-24', 'Accommodation'), row('18-04-24', 'Dinner'), row('19-04-24', 'Breakfast')];
  assert.equal(isOfAnother('invoice_date', '17-04-24', ...nights), true);
  assert.equal(isOfAnother('invoice_date', '17-04-24', nights[0]!), false);
});

test('a day before the caption of a discount is the one by which to pay', () => {
  assert.equal(isOfAnother('due_date', '17/04/2024', [[40, 'Echéance : 17/04/2024 Escompte : néant']]), false);
  assert.equal(isOfAnother('due_date', '17/04/2024', [[40, 'Zahlung bis 17/04/2024 mit 2 % Skonto']]), true);
});

test('the last day of a range is no first day of a service', () => {
  const period: PrintedRow = [[40, 'Billing period July 1 - July 31 , 2024']];
  assert.equal(isOfAnother('service_start_date', 'July 31 , 2024', period), true);
  assert.equal(isOfAnother('service_end_date', 'July 31 , 2024', period), false);
});

test('the day by which a card is to be paid is not the last one of its statement', () => {
  const due: PrintedRow = [
    [40, 'Payment Due Date'],
    [140, '05/01/24'],
  ];
  assert.equal(isOfAnother('statement_end_date', '05/01/24', due), true);
  assert.equal(
    isOfAnother('statement_end_date', '04/04/24', [[40, 'Opening/Closing Date 03/05/24 - 04/04/24']]),
    false,
  );
});

test('the day on which goods were shipped is not that of the purchase', () => {
  assert.equal(isOfAnother('transaction_date', 'March 5, 2025', [[40, 'Shipped on March 5, 2025']]), true);
  assert.equal(isOfAnother('transaction_date', 'March 4, 2025', [[40, 'Order Placed: March 4, 2025']]), false);
});
