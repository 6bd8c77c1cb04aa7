import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasCenRules, loadCenRules } from '../cen-rules-testing.ts';
import type { InvoiceDocument } from '../document.ts';
import { generateInvoice } from '../invoices-testing.ts';
import { invoiceXml, type XmlFormat, xmlProblems } from './invoice-xml.ts';

interface Case {
  readonly index: number;
  readonly document: InvoiceDocument;
  readonly format: XmlFormat;
}

const cases: readonly Case[] = Array.from({ length: 260 }, (_, index) => ({ index, document: generateInvoice(index) }))
  .flatMap(({ index, document }) => (['factur-x', 'xrechnung'] as const).map((format) => ({ index, document, format })))
  .filter(({ document, format }) => xmlProblems(document, format).length === 0);

/** What makes a document different for the rules. */
function traitsOf({ document, format }: Case): readonly string[] {
  const { kind, language, currency, paidMinor, dueMinor, seller, period, taxes, lines, buyer } = document;
  const paid = paidMinor === 0 ? 'unpaid' : dueMinor === 0 ? 'paid' : 'partly paid';
  return [
    `${kind} ${format} ${taxes.map((tax) => tax.category).join('+')}`,
    `${kind} ${language}`,
    `${kind} ${paid}`,
    `${format} ${currency}`,
    `bank ${seller.bank !== null}`,
    `period ${period !== null} ${taxes[0]?.category === 'K'}`,
    `buyer ${buyer.name}`,
    ...lines.map((line) => `line ${line.name}`),
  ];
}

/** Few documents that have every trait of all: each time the one with the most new traits for its length. */
function coveringSelection(all: readonly Case[]): readonly Case[] {
  const missing = new Set(all.flatMap(traitsOf));
  const selection: Case[] = [];
  while (missing.size > 0) {
    const worth = (one: Case) =>
      traitsOf(one).filter((trait) => missing.has(trait)).length / (one.document.lines.length + 4);
    const best = all.reduce((first, second) => (worth(second) > worth(first) ? second : first));
    selection.push(best);
    for (const trait of traitsOf(best)) missing.delete(trait);
  }
  return selection;
}

const full = process.env.MILLRACE_FULL === '1';

test('every electronic invoice and credit note passes the CEN rules of EN 16931', {
  skip: !hasCenRules && 'no CEN rules',
}, () => {
  const failedRules = loadCenRules();
  const validated = full ? cases : coveringSelection(cases);
  assert.ok(!full || new Set(validated.map(({ index }) => index)).size >= 200);
  for (const { index, document, format } of validated) {
    const { failed, applied } = failedRules(invoiceXml(document, format));
    assert.deepEqual(failed, [], `document ${index} as ${format}`);
    assert.ok(applied > 20, `only ${applied} rules applied to document ${index}`);
  }
  console.log(`${validated.length} electronic invoices validated`);
});

test('the check of the CEN rules can fail', { skip: !hasCenRules && 'no CEN rules' }, () => {
  const xml = invoiceXml(generateInvoice(0), 'factur-x').replace(
    /<ram:DuePayableAmount>[^<]*/,
    '<ram:DuePayableAmount>1',
  );
  assert.match(loadCenRules()(xml).failed.join(), /BR-CO-16/);
});
