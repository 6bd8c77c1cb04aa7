import type { ComposedFields, Findings } from './compose.ts';
import { composedValue } from './value.ts';

/** How a sentence about when to pay begins, in the languages of invoices. */
const terms =
  /(?<!\p{L})(?:zahlbar (?:ohne|innerhalb|binnen|bis|sofort|nach|rein)|zahlung (?:innerhalb|binnen|bis|sofort|ohne)|bitte (?:überweisen|zahlen) sie .{0,40}(?:bis|innerhalb|binnen)|payable (?:within|in|on|upon|by|before)|payment (?:is )?(?:due|required) (?:within|in|on|upon|by|before)|payment within|due (?:upon|on) receipt|net(?:to)? \d{1,3} (?:days|tage)|paiement (?:à|sous|comptant|dès)|payable (?:à|sous)|règlement (?:à|sous)|pago (?:a|en|al|dentro)|pagamento (?:a|entro|em)|betaling binnen|te betalen binnen)(?!\p{L})/iu;
const otherwise = /(?<!\p{L})(?:late|overdue|interest|verzug|mahn\p{L}*|retard|pénalité)(?!\p{L})/iu;

/**
 * The terms of payment where a sentence states them without a caption.
 *
 * @param before how other sentences begin that go before those about when to pay
 */
export function composePaymentTerms({ layout }: Findings, before?: RegExp): ComposedFields {
  for (const line of layout.lines.slice(0, 2000)) {
    if (line.text.length > 160 || otherwise.test(line.text)) continue;
    const match = before?.exec(line.text) ?? terms.exec(line.text);
    if (!match) continue;
    // The sentence that it begins or stands in, without what is before it on the line.
    const start = line.text.lastIndexOf('. ', match.index) < 0 ? 0 : line.text.lastIndexOf('. ', match.index) + 2;
    const text = line.text.slice(start).trimEnd();
    return { payment_terms: composedValue(text, 66, [{ line, start, end: start + text.length }]) };
  }
  return {};
}
