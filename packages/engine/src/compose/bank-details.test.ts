import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOut } from '../layout/layout.ts';
import { typeset } from '../layout/typeset.ts';
import { composeBankDetails } from './bank-details.ts';

const accountIn = (...lines: string[]) =>
  composeBankDetails({ layout: layOut(typeset(lines.map((text) => [[40, text]]))) }).bank_account_number?.value;

test('a sentence states the account to pay to with its sort code', () => {
  const sentence = 'Please pay by bank transfer to Example Ltd, sort code 20-45-77, account number 41882206, quoting';
  assert.equal(accountIn(sentence, 'INV-2047.'), '41882206');
  assert.equal(accountIn(sentence, 'Sort code 20-45-77 Account No. 41882207'), undefined, 'two accounts');
  assert.equal(accountIn('by 5th March, to J Sample, sort code 09-01-28, account 30119472.'), '30119472');
  assert.equal(accountIn('Bank: Sort 20-45-77 A/C 60318842'), '60318842');
  assert.equal(accountIn('Bank: Lloyds 30-18-44 A/c 04471182'), '04471182', 'behind a sort code without a caption');
  assert.equal(accountIn('EFT: Example Savings, transit 12310,', 'account 100-448-271.'), '100-448-271');
  assert.equal(accountIn('Your account number 41882206'), undefined, 'a customer’s account');
  assert.equal(accountIn('Bank: Example A/c 0441 2100 88714 IFSC: EXMP0004417'), '0441 2100 88714', 'of India');
  assert.equal(accountIn('BSB 084-961', 'Account 44 187 2206'), '44 187 2206', 'in short groups');
});

test('a Polish account is one by its check digits, in one line or two', () => {
  assert.equal(accountIn('mBank 61 1090 1014 0000 0712 1981 2874'), '61 1090 1014 0000 0712 1981 2874');
  assert.equal(accountIn('mBank 61 1090 1014 0000 0712', '1981 2874'), '61 1090 1014 0000 0712 1981 2874');
  assert.equal(accountIn('mBank 62 1090 1014 0000 0712 1981 2874'), undefined);
});

test('an account of New Zealand is known by its form', () => {
  assert.equal(accountIn('Please pay into account 06-0118-0204471-00. Thank you'), '06-0118-0204471-00');
  assert.equal(accountIn('06-0118-0204471-00', '12-3081-0044718-00'), undefined, 'two accounts');
});

test('a reference that its form gives away goes with the payment', () => {
  const referenceIn = (text: string) =>
    composeBankDetails({ layout: layOut(typeset([[[40, text]]])) }).payment_reference?.value;
  assert.equal(referenceIn('met gestructureerde mededeling +++250/0871/00147+++'), '+++250/0871/00147+++');
  assert.equal(referenceIn('Viite RF18 5390 0754 7034'), 'RF18 5390 0754 7034');
  assert.equal(referenceIn('Tel. 02/555.01.47'), undefined);
});
