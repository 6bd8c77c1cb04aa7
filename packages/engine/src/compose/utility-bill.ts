import type { ExtractedValue } from '@millrace/document-model';
import { parseAmount } from '../candidates/amount.ts';
import { neighboursOf, rowOf, visualRows } from '../layout/neighbours.ts';
import type { ComposedFields, Findings } from './compose.ts';
import { type LabelledRow, labelledRows, labelOf } from './labelled-rows.ts';
import { composePeriod } from './period.ts';
import { candidateValue, composedValue } from './value.ts';

/** What is due now, as bills say it. */
const due =
  /^(?:your )?(?:(?:total |new |current )?(?:amount|balance|charges) (?:now )?due(?: now| by| on)?|total due|amount to pay|please pay|pay this amount|total amount payable|amount payable|total to pay|total new balance|new balance|account balance|gesamtbetrag|zu zahlen(?:der betrag)?|zahlbetrag|rechnungsbetrag|montant a payer|total a payer|net a payer|total a pagar|importe total|totale da pagare|importo da pagare|valor a pagar|te betalen)(?!\p{L})/u;
/** What was due before, was paid, or is due under a condition. */
const otherwise =
  /(?<!\p{L})(?:previous|prior|last|past|payments?|received|before|after|late|vorher\p{L}*|bisher\p{L}*|precedent\p{L}*|anterior\p{L}*|precedente)(?!\p{L})/u;

/** Energy, gas and water by their units; not power (kW). */
const consumed =
  /(?<![\p{L}\d.,-])(-?\d[\d.,' ]*\d|\d) ?(kwh|mwh|m3|m³|ccf|hcf|mcf|cf|cubic (?:feet|met(?:er|re)s)|therms?|gal(?:lons?)?|kgal|tgal|litres|liters|kl|mj|gj|dth)(?![\p{L}\d/])/giu;
const usageLabel =
  /(?<!\p{L})(?:total|usage|used|use|consumption|consumed|billed|units|verbrauch\p{L}*|conso\p{L}*|consum\p{L}*|verbruik\p{L}*)(?!\p{L})/u;
const otherUsage =
  /(?<!\p{L})(?:average|avg|daily|per day|a day|last year|previous|prior|last month|compar\p{L}*|similar|neighbou?rs?|year|annual|estimated|demand|rate|first|next|over|tier|block|peak|durchschnitt\p{L}*|vorjahr\p{L}*|moyenne?|promedio|media)(?!\p{L})/u;

/** A bill's amount that is due now, apart from earlier ones, and what was consumed in its period. */
export function composeUtilityBill(findings: Findings): ComposedFields {
  const { layout, candidates } = findings;
  return {
    ...composePeriod(findings, 'period_start_date', 'period_end_date'),
    total_amount: dueNow(labelledRows(layout, candidates)),
    ...(metered(findings) ?? totalUsed(findings) ?? consumption(findings)),
  };
}

/** The amount that rows of this kind agree on; null where they name several. */
function dueNow(rows: readonly LabelledRow[]): ExtractedValue | null {
  // Beside a column of its own, the label is what stands nearest to the amount.
  const stated = rows.filter(({ label, lines }) => {
    const nearest = labelOf(lines.at(-1)?.text ?? '');
    return [label, nearest].some((each) => due.test(each) && !otherwise.test(each));
  });
  const byAmount = Map.groupBy(stated, ({ values }) => values.at(-1)!.value);
  const [first, second] = [...byAmount.values()].sort((a, b) => b.length - a.length);
  if (!first || (second && second.length === first.length)) return null;
  const { values } = first[0]!;
  return candidateValue(values.at(-1)!, first.length > 1 ? 91 : 90, first.length > 1 ? ['readings_agree'] : []);
}

const unitWord =
  /(?<![\p{L}\d])(kwh|mwh|m3|m³|ccf|hcf|mcf|cubic (?:feet|met(?:er|re)s)|therms?|gal(?:lons?)?|kgal|tgal|litres|liters|kl|mj|gj|dth)(?![\p{L}\d])/iu;
const readingHeading =
  /(?<!\p{L})(?:present|current|previous|prior|reading\p{L}*|meter|zähler\p{L}*|relev\p{L}*|index|lectura\p{L}*|lettura|leitura|stand)(?!\p{L})/iu;

/** A meter's two readings and, beside them, their difference under a heading with its unit: what was consumed. */
function metered({ layout, locale }: Findings): ComposedFields | null {
  const rows = visualRows(layout).slice(0, 2000);
  for (const [at, row] of rows.entries()) {
    const numbers = row.flatMap((line) =>
      line.text.length > 120
        ? []
        : [...line.text.matchAll(/(?<![\p{L}\d.,/-])\d[\d.,' ]*(?![\p{L}\d/:-])/gu)].flatMap((match) => {
            const literal = match[0].trim();
            const grouped = /^\d{1,3}(?: \d{3})+$/.test(literal) ? literal.replaceAll(' ', '') : literal;
            const value = parseAmount(grouped, locale)?.value;
            return value === undefined
              ? []
              : [{ value, line, start: match.index, end: match.index + match[0].trimEnd().length }];
          }),
    );
    const difference = numbers.find((number, index) => {
      const [first, second] = [numbers[index - 2], numbers[index - 1]];
      if (!first || !second || number.value <= 0 || Math.min(first.value, second.value) <= number.value) return false;
      return Math.abs(Math.abs(first.value - second.value) - number.value) < 0.006;
    });
    if (!difference) continue;
    const heads = rows.slice(Math.max(0, at - 3), at + 1).flat();
    const unit = heads.flatMap((line) => {
      const match = unitWord.exec(line.text);
      return match ? [{ line, start: match.index, end: match.index + match[1]!.length, text: match[1]! }] : [];
    })[0];
    if (!unit || !heads.some(({ text }) => readingHeading.test(text))) continue;
    return {
      consumption: composedValue(difference.value, 86, [difference]),
      consumption_unit: composedValue(unit.text, 80, [unit]),
    };
  }
  return null;
}

const usedIn =
  /(?<!\p{L})(?:total|gesamt)\p{L}*\b.{0,50}\b(?:used|usage|use|consumption|consumed|verbrauch)\b.{0,30}\b(?:in|\() ?(kwh|ccf|hcf|therms?|gallons|m3|m³)\)?:?\s*([\d.,]+)?$/iu;

/** What a bill says was used in all, with the unit in the label: `Total electricity you used in kWh 538`. */
function totalUsed({ layout, locale }: Findings): ComposedFields | null {
  for (const line of layout.lines.slice(0, 2000)) {
    const match = line.text.length > 160 ? null : usedIn.exec(line.text);
    if (!match) continue;
    const { right } = neighboursOf(layout, line);
    const place = match[2] !== undefined ? { line, text: match[2] } : right && { line: right, text: right.text };
    const value = place && parseAmount(place.text.trim(), locale)?.value;
    if (!place || value === undefined || value === null || value <= 0) continue;
    const unitAt = line.text.toLowerCase().lastIndexOf(match[1]!.toLowerCase());
    return {
      consumption: composedValue(value, 86, [{ line: place.line, start: place.line.text.length - place.text.length }]),
      consumption_unit: composedValue(match[1]!, 82, [{ line, start: unitAt, end: unitAt + match[1]!.length }]),
    };
  }
  return null;
}

/** The quantity whose label says that it is all that was used. */
function consumption({ layout, locale }: Findings): ComposedFields {
  let best: { readonly score: number; readonly fields: ComposedFields } | null = null;
  const seen = new Map<number, number>();
  for (const line of layout.lines.slice(0, 3000)) {
    if (line.text.length > 200) continue;
    for (const match of line.text.matchAll(consumed)) {
      const value = parseAmount(match[1]!.trim(), locale)?.value;
      if (value === undefined || value <= 0) continue;
      const times = (seen.get(value) ?? 0) + 1;
      seen.set(value, times);
      const left = rowOf(layout, line).filter(({ box }) => box.x1 <= line.box.x0);
      const label = labelOf(
        [
          ...left.map(({ text }) => text),
          line.text.slice(0, match.index),
          line.text.slice(match.index + match[0].length),
        ].join(' '),
      );
      const score =
        (usageLabel.test(label) ? 1 : 0) +
        (/(?<!\p{L})(?:total|gesamt\p{L}*|totale?)(?!\p{L})/u.test(label) ? 1 : 0) +
        Math.min(1, (times - 1) * 0.5) -
        (otherUsage.test(label) ? 2 : 0) -
        (label.length > 80 ? 0.5 : 0);
      if (score < 1 || (best && score <= best.score)) continue;
      const start = match.index;
      const end = start + match[1]!.trimEnd().length;
      best = {
        score,
        fields: {
          consumption: composedValue(value, score >= 2 ? 84 : 72, [{ line, start, end }]),
          consumption_unit: composedValue(match[2]!, 80, [
            { line, start: start + match[0].length - match[2]!.length, end: start + match[0].length },
          ]),
        },
      };
    }
  }
  return best?.fields ?? {};
}
