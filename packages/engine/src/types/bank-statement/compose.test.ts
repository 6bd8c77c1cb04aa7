import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractFromWords } from '../../extract.ts';
import { layOut } from '../../layout/layout.ts';
import { type PrintedRow, typeset } from '../../layout/typeset.ts';
import { decideLocale } from '../../locale/locale.ts';
import { candidatesOf } from '../../own-types/candidates.ts';
import { documentTypeOf } from '../registry.ts';
import { composeFields } from '../rules.ts';
import { withoutEmptySums } from './rules.ts';

const type = documentTypeOf('bank_statement');

function composed(...rows: PrintedRow[]): Readonly<Record<string, unknown>> {
  const layout = layOut(typeset(rows));
  const locale = decideLocale(layout);
  const fields = composeFields(type, layout, locale, candidatesOf(type, layout, locale));
  return Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value]));
}

test('a bank’s legal name may have an ampersand between its words', () => {
  assert.equal(
    composed([[40, 'Pennine & Humber Bank plc is authorised by the regulator']]).bank_name,
    'Pennine & Humber Bank plc',
  );
});

test('a British bank is known abroad by the letters that its IBANs begin with', () => {
  const rows: PrintedRow[] = [[[40, 'IBAN GB29NWBK60161331926819']], [[40, 'Branch code']], [[40, 'NWBKGB2108K']]];
  assert.equal(composed(...rows).bic, 'NWBKGB2108K');
  assert.equal(composed(rows[0]!, rows[1]!, [[40, 'PENBGB2108K']]).bic, undefined);
});

test('a card’s hidden number at its caption is the account’s', () => {
  const numberOf = (caption: string) =>
    composed([
      [40, caption],
      [160, 'XXXX XXXX XXXX 4188'],
    ]).account_number;
  assert.equal(numberOf('Account Number:'), 'XXXX XXXX XXXX 4188');
  assert.equal(numberOf('Purchase with'), undefined);
});

test('a bank’s address stands behind its name in one line, between marks', () => {
  const addressOf = (line: string) => composed([[40, line]]).bank_address;
  const address = 'Königstr. 2, 90402 Nürnberg';
  assert.equal(addressOf('Regnitz Direktbank AG · Königstr. 2 · 90402 Nürnberg · Vorstand: K. Seybold'), address);
  assert.equal(addressOf('Sparkasse Mittelland · Königstr. 2 · 90402 Nürnberg · Tel. 0911 55018'), address);
  assert.equal(addressOf('Max Muster · Königstr. 2 · 90402 Nürnberg'), undefined);
});

test('a sum of nothing is left out where the balances differ by more than the other sum', () => {
  const given = (value: number) => ({ value, confidence: 80, provenance: [], flags: [] });
  const sums = { opening_balance: given(612.44), closing_balance: given(501.2), total_debits: given(0) };
  assert.equal(withoutEmptySums({ ...sums, total_credits: given(612.44) }).total_debits, undefined);
  assert.equal(withoutEmptySums({ ...sums, total_credits: given(111.24) }).total_debits?.value, 0);
});

test('a branch at the head comes before the seat at the foot', () => {
  const document = typeset([
    [[40, 'BANCA VALDARNO']],
    null,
    [[40, 'Filiale di Montevarchi - 01140']],
    [[40, 'Piazza Cavour 3']],
    [[40, '52025 Montevarchi (AR)']],
    null,
    [[40, 'Banca Valdarno S.p.A. - Sede legale: Corso Italia 88, 52027 San Giovanni Valdarno (AR) - Capitale']],
  ]);
  const { fields } = extractFromWords(document, { docType: 'bank_statement', fields: null }).extraction;
  assert.equal(fields.bank_address?.value, 'Piazza Cavour 3, 52025 Montevarchi (AR)');
});

const read = (...rows: PrintedRow[]) =>
  Object.fromEntries(
    Object.entries(extractFromWords(typeset(rows), { docType: 'bank_statement', fields: null }).extraction.fields).map(
      ([name, { value }]) => [name, value],
    ),
  );

test('the month of a statement may stand before its days, of which the last is no year', () => {
  const fields = read([[40, 'Statement Period: July 1-31, 2024']]);
  assert.equal(fields.statement_start_date, '2024-07-01');
  assert.equal(fields.statement_end_date, '2024-07-31');
});

test('balances of the year to date beside those of the period are none of it', () => {
  const fields = read(
    [
      [40, 'Account Summary'],
      [300, 'This Period'],
      [420, 'Year to Date'],
    ],
    [
      [40, 'Beginning Account Value'],
      [355, '$ 84,118.27', 'right'],
      [480, '$ 71,940.02', 'right'],
    ],
    [
      [40, 'Ending Account Value'],
      [355, '$ 86,541.50', 'right'],
      [480, '$ 86,541.50', 'right'],
    ],
  );
  assert.equal(fields.opening_balance, 84118.27);
  assert.equal(fields.closing_balance, 86541.5);
});

test('the day of printing ends no period that is printed, and the balance of its first day opens it', () => {
  const fields = read(
    [
      [40, 'Date'],
      [200, ': 6 May 2024'],
    ],
    [
      [40, 'Balance as on 1 Apr 2024'],
      [200, ': 18,204.50'],
    ],
    [[40, 'Account Statement from 1 Apr 2024 to 30 Apr 2024']],
  );
  assert.equal(fields.statement_end_date, '2024-04-30');
  assert.equal(fields.opening_balance, 18204.5);
});

test('neither the day by which to pay nor what may be charged is of a card’s statement', () => {
  const fields = read(
    [
      [40, 'Closing Date 05/21/24'],
      [300, 'Payment Due Date'],
      [420, '06/15/24'],
    ],
    [
      [40, 'Payments/Credits'],
      [300, '-$1,954.18'],
    ],
    [
      [40, 'Available Credit'],
      [300, '$10,081.34'],
    ],
    [[40, 'If we do not receive your payment by the date of 06/15/24, you may have to pay a late fee.']],
  );
  assert.equal(fields.statement_end_date, '2024-05-21');
  assert.equal(fields.total_credits, 1954.18);
});

test('an account’s number has all of the groups that its IBAN has', () => {
  assert.equal(
    composed([[40, 'Compte Courant Postal n° 04 188 22 N 034']], [[40, 'IBAN FR14 2004 1010 1304 1882 2N03 427']])
      .account_number,
    '04 188 22 N 034',
  );
});

test('what is paid on a card comes in, and what leads to the new balance goes out', () => {
  const fields = read(
    [
      [40, 'Previous Balance'],
      [300, '$640.18'],
    ],
    [
      [40, 'Payments'],
      [300, '- $640.18'],
    ],
    [
      [40, 'Transactions'],
      [300, '+ $812.40'],
    ],
    [
      [40, 'New Balance'],
      [300, '= $812.40'],
    ],
    [
      [40, 'Credit Limit'],
      [300, '$4,500.00'],
    ],
  );
  assert.equal(fields.total_credits, 640.18);
  assert.equal(fields.total_debits, 812.4);
});

test('the letters of a bank’s code are no noughts', () => {
  assert.equal(
    composed([[40, 'IBAN GB29NWB0']], [[40, 'BIC NWB0GB2107K']]).bic ?? read([[40, 'BIC TRF0GB2107K']]).bic,
    'TRFOGB2107K',
  );
});
