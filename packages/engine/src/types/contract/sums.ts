import type { ExtractedValue, Layout, Locale } from '@millrace/document-model';
import { findNumbers, resolveNumber } from '../../candidates/amount.ts';
import type { Prose } from '../../compose/prose.ts';
import { composedValue } from '../../compose/value.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import { isRateBehind } from './fees.ts';

const searchedLength = 60_000;
/** What names the sum that is to be paid under a contract in all, up to its figures. */
const totals =
  /(?<!\p{L})(?:(?:total|aggregate|overall)(?: \p{L}+){0,2}? (?:rent|fees?|price|amount|compensation|consideration|sum|value|cost)|(?:an? )(?:total|aggregate)(?= of)|(?:licen[cs]e|engagement|fixed|flat) fee|lump sum|(?:lends?|lent|loan(?:ed|s)?|advances?)(?: \p{L}+){1,6} (?:sum|amount) of|(?:purchase|contract) price|principal (?:sum|amount)|fees? for (?:these|the|our|such|this) (?:\p{L}+ )?(?:services|engagement|work)|somme forfaitaire|prix (?:total|global|forfaitaire)|montant (?:total|global|forfaitaire)|gesamtvergütung|gesamtpreis|pauschal(?:vergütung|honorar|preis)|kaufpreis|festpreis|gesamthonorar|precio (?:total|global|cerrado)|importe total|corrispettivo (?:complessivo|totale|globale)|compenso (?:complessivo|totale|globale)|prezzo (?:complessivo|totale)|(?:valor|pre[çc]o|montante|remunera[çc][ãa]o) (?:total|global)|honorarios totales|totale (?:vergoeding|prijs)|totaalprijs|aanneemsom|koopsom)(?!\p{L})[^.;\d$€£]{0,70}?(?:(?:shall not exceed|not to exceed|of|is)(?: (?:up to|the sum of))? (?:\p{L}+[ -]){2,14}(?:dollars|pounds|euros?)(?: and \p{L}+(?:[ -]\p{L}+)? cents)? ?\(?)?$/iu;
/** A clause that names the sum in all is surer than what stands near an amount. */
const confidence = 95;
const figures =
  /(?:(?:US|A|C|NZ)?[$€£]|(?<![A-Z])(?:USD|EUR|GBP|CHF|CAD|AUD|INR|Rs\.?)) ?(?=\d)|(?<![\d.,$€£A-Z]|[$€£A-Z] |\d[ \u00a0\u202f])\d[\d.,' \u00a0\u202f]{1,14} ?(?:€|EUR|euros?|USD|CHF|GBP)/g;
const namedWithin = 220;
/** What parts the sum in all: `The fixed fee is paid in three instalments of …`. */
const part =
  /(?<!\p{L})(?:instal\p{L}*|each|monthly|deposit|première échéance|raten?|mensualit\p{L}*|cuotas?|rate)(?!\p{L})/iu;

/** A sum without cents whose thousands a blank parts, as French writes it: `26 400 €`. */
function spacedSum(text: string) {
  const [all, digits] = /^(\d{1,3}(?:[ \u00a0\u202f]\d{3})+)(?![\d.,]) ?(?:€|EUR|euros?)(?!\p{L})/u.exec(text) ?? [];
  if (all === undefined || digits === undefined) return null;
  return { start: 0, end: all.length, value: Number(digits.replace(/\s/g, '')), currency: 'EUR', percent: false };
}

/** A text with noughts for the letters that OCR takes some for within sums: `$18,0oo.00`. */
function withNoughts(text: string): string {
  return text.replace(/(?<=\d[\d.,]*)[oO]+(?=[oO]*[.,]?\d)/g, (letters) => '0'.repeat(letters.length));
}

/** The sum of a contract where its clauses name one; null where they name none, or one by the month or the hour. */
export function totalOf(prose: Prose, locale: Locale): ExtractedValue | null {
  const text = withNoughts(prose.text.slice(0, searchedLength));
  // A sum has its currency before or behind its figures.
  for (const { index } of text.matchAll(figures)) {
    const start = index;
    const name = totals.exec(text.slice(Math.max(0, start - namedWithin), start))?.[0];
    if (name === undefined || part.test(name)) continue;
    const sum = sumAt(text, start, locale);
    if (sum) return composedValue(sum.value, confidence, prose.stretchesOf(sum.start, sum.end));
  }
  return null;
}

/** The sum that begins at a place of a text, unless it is one by the month or the hour. */
function sumAt(text: string, at: number, locale: Locale) {
  const rest = text.slice(at, at + 40);
  const finding = spacedSum(rest) ?? findNumbers(rest)[0];
  if (!finding || finding.start > 5 || finding.percent) return null;
  if (finding.currency === null && !/^ ?euros?(?!\p{L})/iu.test(rest.slice(finding.end))) return null;
  if (isRateBehind(rest.slice(finding.end))) return null;
  const value = Math.abs('value' in finding ? finding.value : resolveNumber(finding, locale));
  return { value, start: at + finding.start, end: at + finding.end };
}

/** The lines at a contract's head in which its particulars are captioned. */
const captionedLines = 150;

/** The sum in all in a box of its own, beside or below its caption: `Fixed fee`. */
export function captionedTotal(layout: Layout, locale: Locale): ExtractedValue | null {
  for (const line of layout.lines.slice(0, captionedLines)) {
    if (line.text.length > 50 || !totals.test(line.text) || part.test(line.text)) continue;
    const { right, below } = neighboursOf(layout, line);
    for (const place of [right, below]) {
      const sum = place && place.text.length <= 40 ? sumAt(place.text, 0, locale) : null;
      if (place && sum) return composedValue(sum.value, confidence, [{ line: place, start: sum.start, end: sum.end }]);
    }
  }
  return null;
}
