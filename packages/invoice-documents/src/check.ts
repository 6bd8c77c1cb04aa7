import { type DateRange, type InvoiceDocument, type PostalAddress, taxCategories } from './document.ts';
import { InvoiceDocumentError } from './errors.ts';

const limits = { lines: 10_000, addressLines: 6, notes: 20 };

/** Characters. Every part fits on one page, so that the printed table never has to break a row. */
const lengths = { short: 100, name: 200, description: 500, paragraph: 1_000 };

const decimal = /^-?\d{1,15}(\.\d{1,12})?$/;
const civilDate = /^\d{4}-\d\d-\d\d$/;

/**
 * Checks a document's bounds and its sums before anything is made of it.
 *
 * @throws InvoiceDocumentError `invalid_document` for the first fault, with the path of the value
 */
export function checkDocument(document: InvoiceDocument): void {
  const { seller, buyer } = document;
  required('number', document.number, lengths.short);
  date('issueDate', document.issueDate);
  if (document.dueDate !== null) date('dueDate', document.dueDate);
  range('period', document.period);
  matches('currency', document.currency, /^[A-Z]{3}$/);
  required('seller.name', seller.name, lengths.name);
  required('buyer.name', buyer.name, lengths.name);
  for (const [path, text] of Object.entries({
    'seller.registration': seller.registration,
    'seller.vatId': seller.vatId,
    'seller.taxNumber': seller.taxNumber,
    'seller.email': seller.email,
    'seller.phone': seller.phone,
    'seller.contactName': seller.contactName,
    'seller.bank.iban': seller.bank?.iban,
    'seller.bank.bic': seller.bank?.bic,
    'seller.bank.accountName': seller.bank?.accountName,
    'buyer.contactName': buyer.contactName,
    'buyer.vatId': buyer.vatId,
    'buyer.email': buyer.email,
    'buyer.reference': buyer.reference,
    'precedingInvoice.number': document.precedingInvoice?.number,
  })) {
    atMost(path, text ?? '', lengths.name);
  }
  address('seller.address', seller.address);
  address('buyer.address', buyer.address);
  if (document.precedingInvoice) date('precedingInvoice.issueDate', document.precedingInvoice.issueDate);
  if (document.notes.length > limits.notes) fail('notes', `has more than ${limits.notes} entries`);
  for (const note of document.notes) atMost('notes', note, lengths.paragraph);
  atMost('paymentTerms', document.paymentTerms, lengths.paragraph);
  checkLines(document);
  checkSums(document);
}

function checkLines({ lines }: InvoiceDocument): void {
  if (lines.length === 0) fail('lines', 'is empty');
  if (lines.length > limits.lines) fail('lines', `has more than ${limits.lines} entries`);
  for (const [index, line] of lines.entries()) {
    const path = `lines.${index}`;
    atMost(`${path}.group`, line.group, lengths.name);
    required(`${path}.name`, line.name, lengths.name);
    atMost(`${path}.description`, line.description, lengths.description);
    matches(`${path}.quantity`, line.quantity, decimal);
    matches(`${path}.unitCode`, line.unitCode, /^[A-Z0-9]{2,3}$/);
    matches(`${path}.unitPrice`, line.unitPrice, decimal);
    whole(`${path}.amountMinor`, line.amountMinor);
    if (!taxCategories.includes(line.taxCategory)) fail(`${path}.taxCategory`, 'is not a tax category');
    matches(`${path}.taxRate`, line.taxRate, decimal);
    range(`${path}.period`, line.period);
  }
}

function checkSums(document: InvoiceDocument): void {
  const { lines, taxes, linesMinor, taxMinor, totalMinor, paidMinor, dueMinor } = document;
  for (const [path, amount] of Object.entries({ linesMinor, taxMinor, totalMinor, paidMinor, dueMinor })) {
    whole(path, amount);
  }
  const byRate = new Map<string, number>();
  for (const line of lines) {
    const key = taxKey(line.taxCategory, line.taxRate);
    byRate.set(key, (byRate.get(key) ?? 0) + line.amountMinor);
  }
  for (const [index, tax] of taxes.entries()) {
    whole(`taxes.${index}.taxMinor`, tax.taxMinor);
    atMost(`taxes.${index}.exemptionReason`, tax.exemptionReason ?? '', lengths.paragraph);
    if (byRate.get(taxKey(tax.category, tax.rate)) !== tax.basisMinor) {
      fail(`taxes.${index}.basisMinor`, 'is not the sum of the lines with that category and rate');
    }
  }
  if (taxes.length !== byRate.size) fail('taxes', 'does not cover every category and rate of the lines once');
  if (sum(lines.map((line) => line.amountMinor)) !== linesMinor) fail('linesMinor', 'is not the sum of the lines');
  if (sum(taxes.map((tax) => tax.taxMinor)) !== taxMinor) fail('taxMinor', 'is not the sum of the taxes');
  if (linesMinor + taxMinor !== totalMinor) fail('totalMinor', 'is not the sum of linesMinor and taxMinor');
  if (totalMinor - paidMinor !== dueMinor) fail('dueMinor', 'is not totalMinor less paidMinor');
}

/** Same category and same rate, however the rate is written. */
function taxKey(category: string, rate: string): string {
  return `${category} ${Number(rate)}`;
}

function address(path: string, { lines, postalCode, city, countryCode }: PostalAddress): void {
  if (lines.length > limits.addressLines) fail(`${path}.lines`, `has more than ${limits.addressLines} entries`);
  for (const line of lines) atMost(`${path}.lines`, line, lengths.name);
  atMost(`${path}.postalCode`, postalCode, lengths.short);
  atMost(`${path}.city`, city, lengths.short);
  matches(`${path}.countryCode`, countryCode, /^[A-Z]{2}$/);
}

function required(path: string, text: string, length: number): void {
  if (text.trim() === '') fail(path, 'is empty');
  atMost(path, text, length);
}

function atMost(path: string, text: string, length: number): void {
  if (text.length > length) fail(path, `is longer than ${length} characters`);
}

function matches(path: string, text: string, pattern: RegExp): void {
  if (!pattern.test(text)) fail(path, 'has the wrong form');
}

function date(path: string, text: string): void {
  matches(path, text, civilDate);
  const time = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) fail(path, 'is not a date');
}

function range(path: string, value: DateRange | null): void {
  if (value === null) return;
  date(`${path}.from`, value.from);
  date(`${path}.to`, value.to);
  if (value.to < value.from) fail(path, 'ends before it begins');
}

function whole(path: string, amount: number): void {
  if (!Number.isSafeInteger(amount)) fail(path, 'is not a whole number of minor units');
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

function fail(path: string, fault: string): never {
  throw new InvoiceDocumentError('invalid_document', `The invoice document is invalid: ${path} ${fault}.`);
}
