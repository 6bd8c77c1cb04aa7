import { addedTaxes } from '../../compose/added-taxes.ts';
import type { ComposedFields, Findings, TypeRules } from '../../compose/compose.ts';
import { composePaymentTerms } from '../../compose/payment-terms.ts';
import { restOfPeriod } from '../../compose/period.ts';
import { composedValue } from '../../compose/value.ts';

/** How a sentence about the way in which a credit is paid out begins. */
const payout =
  /(?<!\p{L})(?:(?:the|this|your) (?:amount|credit|balance|refund|sum)(?: of .{1,30})? (?:is|will be|has been) (?:transferred|paid|refunded|credited|returned|offset|applied|deducted)|we (?:will )?(?:transfer|refund|credit) (?:the|this|your)|(?:der (?:gutschrifts?)?betrag|das guthaben|die gutschrift) (?:wird|haben wir|werden wir) |(?:le montant|la somme|l['’]avoir) (?:est|sera|a été) |(?:el importe|la cantidad) (?:se|será) |(?:l['’]importo|la somma) (?:viene|sarà|verrà) )/iu;

/** An invoice with its day in a sentence or among the items of a credit note: `damaged, inv 44817 dated 03/06/2025`. */
const invoiceWithDay =
  /(?<!\p{L})(?:invoice|inv|rechnung|facture|factura|fattura|fatura|factuur)\.?(?: (?:no|nr|number|n[.°º]))?[.: ]+(?<number>(?=[A-Z\d/.-]*\d)[A-Z\d][A-Z\d/.-]{2,20}) (?:dated|of|vom|du|del|dal|de|van|from)(?!\p{L})/iu;

/** The invoice that is credited, where all that the document names with their days are the same. */
function composeOriginalInvoice({ layout }: Pick<Findings, 'layout'>): ComposedFields {
  const found = layout.lines.slice(0, 2000).flatMap((line) => {
    const match = line.text.length <= 300 ? invoiceWithDay.exec(line.text) : null;
    const number = match?.groups?.number;
    if (!match || !number) return [];
    const start = match.index + match[0].indexOf(number);
    return [composedValue(number, 72, [{ line, start, end: start + number.length }])];
  });
  const [first] = found;
  return first && found.every(({ value }) => value === first.value) ? { original_invoice_number: first } : {};
}

export const creditNoteRules: TypeRules = {
  compose: (findings) => ({
    ...composePaymentTerms(findings, payout),
    ...composeOriginalInvoice(findings),
    ...addedTaxes(findings.layout),
  }),
  check: (fields, _rows, findings) => ({
    ...fields,
    ...restOfPeriod(findings, fields, 'service_start_date', 'service_end_date'),
  }),
};
