import type { ExtractedValue, Locale } from '@millrace/document-model';
import { findNumbers, resolveNumber } from '../../candidates/amount.ts';
import type { Prose } from '../../compose/prose.ts';
import { composedValue } from '../../compose/value.ts';
import { isRateBehind } from './fees.ts';

const searchedLength = 60_000;
/** What names the sum that is to be paid under a contract in all, up to its figures. */
const totals =
  /(?<!\p{L})(?:(?:total|aggregate|overall)(?: \p{L}+){0,2}? (?:rent|fees?|price|amount|compensation|consideration|sum|value|cost)|(?:licen[cs]e|engagement|fixed|flat) fee|lump sum|(?:purchase|contract) price|principal (?:sum|amount)|fees? for (?:these|the|our|such|this) (?:\p{L}+ )?(?:services|engagement|work)|somme forfaitaire|prix (?:total|global|forfaitaire)|montant (?:total|global|forfaitaire)|gesamtvergütung|gesamtpreis|pauschal(?:vergütung|honorar|preis)|kaufpreis|precio (?:total|global|cerrado)|importe total|corrispettivo (?:complessivo|totale)|prezzo (?:complessivo|totale)|valor total|totale vergoeding|koopsom)(?!\p{L})[^.;\d$€£]{0,70}$/iu;
/** A clause that names the sum in all is surer than what stands near an amount. */
const confidence = 95;
const figures =
  /(?:(?:US|A|C|NZ)?[$€£]|(?<![A-Z])(?:USD|EUR|GBP|CHF|CAD|AUD|INR|Rs\.?)) ?(?=\d)|(?<![\d.,$€£A-Z]|[$€£A-Z] |\d[ \u00a0\u202f])\d[\d.,' \u00a0\u202f]{1,14} ?(?:€|EUR|euros?|USD|CHF|GBP)/g;
const namedWithin = 130;

/** A sum without cents whose thousands a blank parts, as French writes it: `26 400 €`. */
function spacedSum(text: string) {
  const [all, digits] = /^(\d{1,3}(?:[ \u00a0\u202f]\d{3})+)(?![\d.,]) ?(?:€|EUR|euros?)(?!\p{L})/u.exec(text) ?? [];
  if (all === undefined || digits === undefined) return null;
  return { start: 0, end: all.length, value: Number(digits.replace(/\s/g, '')), currency: 'EUR', percent: false };
}

/** The sum of a contract where its clauses name one; null where they name none, or one by the month or the hour. */
export function totalOf(prose: Prose, locale: Locale): ExtractedValue | null {
  const text = prose.text.slice(0, searchedLength);
  // A sum has its currency before or behind its figures.
  for (const { index } of text.matchAll(figures)) {
    const start = index;
    if (!totals.test(text.slice(Math.max(0, start - namedWithin), start))) continue;
    const rest = text.slice(start, start + 40);
    const finding = spacedSum(rest) ?? findNumbers(rest)[0];
    if (!finding || finding.start > 5 || finding.currency === null || finding.percent) continue;
    if (isRateBehind(rest.slice(finding.end))) continue;
    const value = Math.abs('value' in finding ? finding.value : resolveNumber(finding, locale));
    return composedValue(value, confidence, prose.stretchesOf(start + finding.start, start + finding.end));
  }
  return null;
}
