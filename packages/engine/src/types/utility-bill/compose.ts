import type { ExtractedValue, Layout, Locale, TextLine } from '@millrace/document-model';
import { hasPlace, hasStreet, isStreetLine } from '../../candidates/address-lines.ts';
import { parseAmount } from '../../candidates/amount.ts';
import { isoDate, monthOf } from '../../candidates/date.ts';
import type { PlacedCandidate } from '../../candidates/placed.ts';
import { textsAtCaption } from '../../compose/captioned.ts';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { type LabelledRow, labelledRows, labelOf } from '../../compose/labelled-rows.ts';
import { composeDayOfCollection } from '../../compose/payment-terms.ts';
import { composeDaysOrMonth, datesOn } from '../../compose/period.ts';
import { otherUsage } from '../../compose/usage.ts';
import { candidateValue, composedValue, onlyValue } from '../../compose/value.ts';
import { isBelowAtEdge } from '../../layout/geometry.ts';
import { neighboursOf, rowOf, visualRows } from '../../layout/neighbours.ts';
import { addressOfBlock, partyBlocksOf } from '../../parties/blocks.ts';

/** What is due now, as bills say it. */
const due =
  /^(?:your )?(?:(?:total |new |current )?(?:amount|balance|charges) (?:now )?due(?: now| by| on)?|total due|total bill|bill total|amount to pay|please pay|pay this amount|total amount payable|amount payable|net (?:amount )?payable(?: amount)?|payable amount|net amount due|total to pay|(?:what|how much|amount) you (?:need|have) to pay|(?:total )?(?:amount )?you (?:now )?owe(?: us)?|balance (?:now )?due|net due|(?:please )?remit|balance to pay|amount of this bill|total for this bill|total new balance|new balance|account balance|gesamtbetrag|(?:ihre )?nachzahlung(?:sbetrag)?|(?:noch )?zu zahlen(?:der betrag)?|zahlbetrag|rechnungsbetrag|montant (?:total )?(?:a payer|a regler|ttc|de la facture|preleve)|total a payer|net a payer|total ttc|total a pagar|importe (?:total|(?:de (?:la )?)?factura)|total (?:importe )?factura|totale (?:da pagare|bolletta|fattura)|importo (?:da pagare|totale)|valor a pagar|(?:valor )?total da fatura|(?:bij |nog )?te betalen|totaal te betalen|totaalbedrag)(?!\p{L})/u;
/** What is left to pay of a bill's amount when what was paid beforehand is taken off. */
const remaining =
  /^(?:noch zu zahlen|(?:ihre )?nachzahlung|restbetrag|offener (?:rest)?betrag|reste a payer|solde a (?:payer|regler)|resta da pagare|saldo a pagar|nog te betalen|left to pay)(?!\p{L})/u;
/** What was due before, was paid, or is due under a condition. */
const otherwise =
  /(?<!\p{L})(?:previous|prior|last|past|payments?|received|before|after|late|vorher\p{L}*|bisher\p{L}*|precedent\p{L}*|anterior\p{L}*|precedente|excl\p{L}*|net of vat)(?!\p{L})/u;

/** Energy, gas and water by their units; not power (kW). */
const consumed =
  /(?<![\p{L}\d.,-])(-?\d[\d.,' ]*\d|\d) ?(kwh|mwh|m3|m³|ccf|hcf|mcf|cf|cubic (?:feet|met(?:er|re)s)|therms?|gal(?:lons?)?|kgal|tgal|litres|liters|kl|mj|gj|dth|smc|mc|metri cubi)(?![\p{L}\d/])/giu;
const usageLabel =
  /(?<!\p{L})(?:total|usage|used|use|consumption|consumed|billed|units|verbrauch\p{L}*|conso\p{L}*|consum\p{L}*|verbruik\p{L}*)(?!\p{L})/u;
/** A bill's amount that is due now, apart from earlier ones, and what was consumed in its period. */
export function composeUtilityBill(findings: Findings): ComposedFields {
  const { layout, candidates } = findings;
  const dates = datesOn(findings);
  return {
    ...readingDays(dates, layout),
    ...composeDaysOrMonth(findings, 'period_start_date', 'period_end_date'),
    ...periodOfUse(dates),
    total_amount: dueNow([...labelledRows(layout, candidates), ...amountsBelow(layout, candidates)]),
    due_date: composeDayOfCollection(findings) ?? dueWithoutYear(dates, layout),
    bill_date: titled(dates, layout),
    bill_number: numberBelowTitle(layout) ?? numberBehindDay(layout),
    service_address: addressAtCaption(findings),
    ...(converted(findings) ?? metered(findings) ?? totalUsed(findings) ?? consumption(findings)),
  };
}

const useFirst = /^(?:consommations?|consumos?|consumi|verbrauch|verbruik|usage|consumption)(?!\p{L})/u;
const standingCharge =
  /^(?:abonnements?|grundpreis|grundgebuhr|vastrecht|standing charge|termino fijo|cuota fija|quota fissa)(?!\p{L})/u;

/** The days of what was used, where a charge that is paid in advance has days of its own: `Abonnement (du … au …)`. */
function periodOfUse(dates: readonly PlacedCandidate[]): ComposedFields {
  const datesBehind = (caption: RegExp) =>
    Map.groupBy(
      dates.filter(({ lines, start }) => start > 0 && caption.test(labelOf(lines[0]!.text))),
      ({ lines }) => lines[0]!,
    );
  const [used, ...more] = datesBehind(useFirst).values();
  const [first, last, ...further] = used ?? [];
  if (!first || !last || more.length + further.length > 0 || datesBehind(standingCharge).size === 0) return {};
  return { period_start_date: candidateValue(first, 89.5), period_end_date: candidateValue(last, 89.5) };
}

const dueDay =
  /(?<!\p{L})(?:due (?:on|by)|due date:?|(?:please )?pay by) (\p{L}{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?(?!\d|,? ?(?:19|20)\d{2})/giu;

/** The day by which to pay where it has no year, `Total due on Mar 21`: the one nearest to the document's other dates. */
function dueWithoutYear(dates: readonly PlacedCandidate[], layout: Layout): ExtractedValue | null {
  const known = dates.map(({ value }) => Date.parse(String(value))).toSorted((a, b) => a - b);
  const middle = known[known.length >> 1];
  if (middle === undefined) return null;
  const found = layout.lines.slice(0, 500).flatMap((line) =>
    line.text.length > 160
      ? []
      : [...line.text.matchAll(dueDay)].flatMap((match) => {
          const month = monthOf(match[1]!);
          const year = new Date(middle).getUTCFullYear();
          const days = [year - 1, year, year + 1]
            .flatMap((each) => (month === null ? [] : (isoDate(each, month, Number(match[2])) ?? [])))
            .toSorted((a, b) => Math.abs(Date.parse(a) - middle) - Math.abs(Date.parse(b) - middle));
          const end = match.index + match[0].length;
          return days[0] ? [{ value: days[0], stretch: { line, start: end - match[0].length, end } }] : [];
        }),
  );
  const [first] = found;
  return first && found.every(({ value }) => value === first.value)
    ? composedValue(first.value, 80, [first.stretch])
    : null;
}

const numberedTitle =
  /(?<!\p{L})(?:bolletta|fattura|facture|factura|fatura|rechnung|factuur|invoice|bill)(?: (?:n[.ro°º]*|nummer|number|numero|número))*[:\s]+\S*\d\S* (?:vom|du|del|dated|van|de|do|of) $|^votre facture(?: \p{L}['’]?\p{L}*){0,3} du $|^(?:your )?(?:bill|invoice) (?:reference|ref|number|no)\.?:? ?\S*\d\S* \($/iu;

const town =
  /^\p{Lu}[\p{L}.'’-]{2,30}(?: (?:\p{Lu}[\p{L}.'’-]*|am|an|der|de|la|les?|sur|en|di|del|do|da|upon|on|of|aan|den)){0,4}, (?:den |le |li |lì |a )?$/u;

const datedBy = /^(?:vom|du|del|dated|van|de|do|of) $/iu;

/** The day behind a bill's own number (`Bolletta n. 41188 del 14/03/2023`), or behind the town where it was written. */
function titled(dates: readonly PlacedCandidate[], layout: Layout): ExtractedValue | null {
  const found = dates.filter(({ lines, start, end }) => {
    const [before, behind] = [lines[0]!.text.slice(0, start), lines[0]!.text.slice(end)];
    if (numberedTitle.test(before) || (town.test(before) && behind.trim() === '')) return true;
    // In a narrow column the day takes the line below the number.
    const isParted = datedBy.test(before) && behind.trim() === '';
    const above = isParted ? neighboursOf(layout, lines[0]!).above : null;
    return above !== null && numberedTitle.test(`${above.text} ${before}`);
  });
  return onlyValue(found, 84);
}

const plainAddress = /^address\s*:?$/iu;
const customerCaption =
  /^(?:name\s*:?$|(?:consumer|customer|account(?: holder)?)(?:'s)?(?: name| no\.?| number| id)?\s*:?)/iu;

/** An address in one line behind the caption of the place of supply, or behind `Address` among the customer's rows. */
function addressAtCaption({ type, layout }: Findings): ExtractedValue | null {
  const found = textsAtCaption(type, 'service_address', layout).find(
    ({ text, place, score }) => place !== 'below' && score >= 0.9 && (isWholeAddress(text) || isStreetAndTown(text)),
  );
  if (found) return composedValue(found.text, 89.5, [found.stretch]);
  const captions = new Set(type.fields.find(({ name }) => name === 'service_address')?.captions.map(labelOf));
  const block = partyBlocksOf(layout).find(({ caption }) => caption !== null && captions.has(labelOf(caption)));
  if (block) return addressOfBlock(block, 89.5);
  const street = textsAtCaption(type, 'service_address', layout).find(
    ({ text, place, stretch, isExact }) =>
      isExact && place !== 'below' && text.length <= 60 && isStreetLine(text) && !goesOn(stretch.line, layout),
  );
  if (street) return composedValue(street.text, 89.5, [street.stretch]);
  for (const line of layout.lines.slice(0, 500)) {
    const { above, right } = plainAddress.test(line.text) ? neighboursOf(layout, line) : { above: null, right: null };
    const over = above && neighboursOf(layout, above).above;
    const isCustomers = [above, over].some((other) => other && customerCaption.test(other.text));
    if (!right || !isCustomers) continue;
    // In a narrow cell the town takes the next line.
    const rest = goesOn(right, layout) ? neighboursOf(layout, right).below! : null;
    const text = rest ? `${right.text.replace(/[\s,]+$/, '')}, ${rest.text}` : right.text;
    if (isWholeAddress(text) || isHouseAndTown(text))
      return composedValue(text, 89.5, [{ line: right }, ...(rest ? [{ line: rest }] : [])]);
  }
  return null;
}

/** Whether an address goes on in the line below, at its left edge. */
function goesOn(line: TextLine, layout: Layout): boolean {
  const { below } = neighboursOf(layout, line);
  return below !== null && isBelowAtEdge(line.box, below.box) && (hasPlace(below.text) || isStreetLine(below.text));
}

/** Whether a text has a street with its number and, behind a comma, a town in capitals without a postal code. */
function isStreetAndTown(text: string): boolean {
  const [street, town, ...more] = text.split(', ');
  const isTown = town !== undefined && /^\p{Lu}[\p{Lu} .'’-]{2,30}$/u.test(town);
  return more.length === 0 && isTown && /\d/.test(street!) && isStreetLine(street!);
}

/** Whether a text ends with a town's postal code and has a house or a sector before it, as Indian addresses do. */
function isHouseAndTown(text: string): boolean {
  return text.length <= 110 && /\d.*\p{L}{3}.*[ -]\d{3} ?\d{3}$/u.test(text) && !text.includes(':');
}

/** Whether a text has the town of an address as well as what stands before it, perhaps a house without a number. */
function isWholeAddress(text: string): boolean {
  const parts = text.split(',');
  // A name before the street is no part of it.
  if (!/\d/.test(parts[0]!) && parts.slice(1).some((part) => isStreetLine(part))) return false;
  const hasTown = hasPlace(text) || hasPlace(parts.at(-1)!.trim());
  return text.length <= 110 && hasTown && (hasStreet(text) || parts.length > 2 || /\d/.test(parts.slice(0, -1).join()));
}

const billTitle = /^(?:votre |ma )?(?:facture|factura|fattura|fatura|rechnung|bill|invoice)(?!\p{L})/iu;
const numbered = /^n(?:[°ºo]|r|o)?\.?:? ?(\d[\d ]{4,24}\d)$/iu;

/** A number right below the title of the bill, where no other caption stands: `Facture du 18/02/2025`, `N° 40 117 883`. */
function numberBelowTitle(layout: Layout): ExtractedValue | null {
  for (const line of layout.lines.slice(0, 500)) {
    const match = numbered.exec(line.text);
    const { above } = neighboursOf(layout, line);
    if (!match || !above || above.text.length > 60 || !billTitle.test(above.text)) continue;
    const start = line.text.length - match[1]!.length;
    return composedValue(match[1]!, 84, [{ line, start, end: line.text.length }]);
  }
  return null;
}

const numberedBehindDay =
  /^(?:votre |ma )?facture (?:du |de )?\d{1,2}[ ./-][\p{L}\d]{2,9}\.?[ ./-]\d{2,4},? ?[-–]? ?n[°ºo]?\.? ?:? ?(\d[\d ]{4,24}\d)$/iu;

/** A number behind the day of the bill in the title itself, as in France: `Facture du 18/02/2025 n° 40 117 883`. */
function numberBehindDay(layout: Layout): ExtractedValue | null {
  for (const line of layout.lines.slice(0, 500)) {
    const match = line.text.length < 80 ? numberedBehindDay.exec(line.text) : null;
    if (!match) continue;
    const start = line.text.length - match[1]!.length;
    return composedValue(match[1]!, 84, [{ line, start, end: line.text.length }]);
  }
  return null;
}

const earlierReading =
  /(?<!\p{L})(?:prev(?:ious)?|prior|old|earlier|last|start|opening|anterior|ancien|précédent|precedente|vorige)(?!\p{L})/iu;
const laterReading =
  /(?<!\p{L})(?:pres(?:ent)?|curr(?:ent)?|new|latest|this|end|closing|actual|nouvel|nouveau|attuale|huidige)(?!\p{L})/iu;
const aboutReading =
  /(?<!\p{L})(?:reads?|readings?|rdgs?|dates?|meter|lectura|relevé|index|lettura|stand|meterstand|fecha|data)(?!\p{L})/iu;

/** The days on which a meter was read for this bill and the one before it, by their captions or column headings. */
function readingDays(dates: readonly PlacedCandidate[], layout: Layout): ComposedFields {
  const days = dates.flatMap((candidate) => {
    const { lines, start } = candidate;
    if (lines[0]!.text.length > 120) return [];
    const before = lines[0]!.text.slice(0, start);
    const { left, above } = neighboursOf(layout, lines[0]!);
    const label = /\p{L}{3}/u.test(before) ? before : (start < 3 && (headingOf(above, candidate) ?? left?.text)) || '';
    const part = label.slice(-40);
    if (!aboutReading.test(part)) return [];
    return earlierReading.test(part) !== laterReading.test(part)
      ? [{ candidate, isEarlier: earlierReading.test(part) }]
      : [];
  });
  if (days.length === 0) return readingDaysOfRow(dates, layout);
  const [starts, ends] = [days.filter((day) => day.isEarlier), days.filter((day) => !day.isEarlier)];
  const [first, last] = [starts[0]?.candidate, ends[0]?.candidate];
  if (!first || !last) return {};
  const isOne = (all: typeof days) => all.every(({ candidate }) => candidate.value === all[0]!.candidate.value);
  const length = (Date.parse(String(last.value)) - Date.parse(String(first.value))) / 86_400_000;
  if (!isOne(starts) || !isOne(ends) || length < 5 || length > 370) return {};
  return { period_start_date: candidateValue(first, 80), period_end_date: candidateValue(last, 80) };
}

const readOn =
  /^(?:releve du|ablesedatum|abgelesen am|fecha (?:de )?lectura|data lettura|read(?:ing)? date|date read)$/u;

/** The days of a meter's row where both readings' columns have the same heading: `Relevé du`, `Relevé du`. */
function readingDaysOfRow(dates: readonly PlacedCandidate[], layout: Layout): ComposedFields {
  const headed = dates.filter(({ lines: [line] }) => {
    const { above } = neighboursOf(layout, line!);
    return above !== null && readOn.test(labelOf(above.text));
  });
  // One reading to a row, the later one below the earlier.
  const next = headed.length === 1 ? neighboursOf(layout, headed[0]!.lines[0]!).below : null;
  const under = dates.filter(({ lines: [line] }) => line === next);
  const read = [...headed, ...under];
  const [first, last, ...more] = read.toSorted((a, b) => (String(a.value) < String(b.value) ? -1 : 1));
  if (!first || !last || more.length > 0) return {};
  if (under.length === 0 && !rowOf(layout, first.lines[0]!).includes(last.lines[0]!)) return {};
  const length = (Date.parse(String(last.value)) - Date.parse(String(first.value))) / 86_400_000;
  if (length < 5 || length > 370) return {};
  return { period_start_date: candidateValue(first, 80), period_end_date: candidateValue(last, 80) };
}

/** What stands above a column's cell, where it is a heading. */
function headingOf(above: TextLine | null, { lines }: PlacedCandidate): string | null {
  return above && /\p{L}{3}/u.test(above.text) && above.box.x1 > lines[0]!.box.x0 ? above.text : null;
}

/** Amounts alone on their lines, each below what calls it the one to pay. */
function amountsBelow(layout: Layout, candidates: Findings['candidates']): readonly LabelledRow[] {
  return (candidates as readonly PlacedCandidate[]).flatMap((candidate): LabelledRow[] => {
    const [line, ...more] = candidate.lines;
    if (candidate.kind !== 'amount' || candidate.layout !== layout || !line || more.length > 0) return [];
    const rest = line.text.slice(0, candidate.start) + line.text.slice(candidate.end);
    if (/[\p{L}\d]/u.test(rest) || !/[.,]\d{2}(?!\d)|\p{Sc}/u.test(candidate.text)) return [];
    const { above, left } = neighboursOf(layout, line);
    if (!above || /\p{L}/u.test(left?.text ?? '')) return [];
    const label = labelOf(above.text);
    return label.length <= 60 ? [{ label, lines: [above], values: [candidate] }] : [];
  });
}

/** What a bill comes to with its tax, apart from what was paid or owed before. */
const charged =
  /^total (?:charges|cost|(?:new|current) charges|of this bill)(?: (?:incl\p{L}*|with) (?:vat|tax|gst|\d.*))/u;

/** The amount that rows of this kind agree on, or else the one that is called all charges; null where they name several. */
function dueNow(rows: readonly LabelledRow[]): ExtractedValue | null {
  return agreedOn(rows, due) ?? agreedOn(rows, charged);
}

function agreedOn(rows: readonly LabelledRow[], called: RegExp): ExtractedValue | null {
  // Beside a column of its own, the label is what stands nearest to the amount.
  const labelsOf = ({ label, lines }: LabelledRow) => [label, labelOf(lines.at(-1)?.text ?? '')];
  const dueRows = rows.filter((row) => labelsOf(row).some((each) => called.test(each) && !otherwise.test(each)));
  const left = dueRows.filter((row) => labelsOf(row).some((each) => remaining.test(each)));
  const stated = left.length > 0 ? left : dueRows;
  const byAmount = Map.groupBy(stated, ({ values }) => values.at(-1)!.value);
  const [first, second] = [...byAmount.values()].sort((a, b) => b.length - a.length);
  if (!first || (second && second.length === first.length)) return null;
  const { values } = first[0]!;
  return candidateValue(values.at(-1)!, first.length > 1 ? 91 : 90, first.length > 1 ? ['readings_agree'] : []);
}

const unitWord =
  /(?<![\p{L}\d])(kwh|kilowatt[ -]hours?|mwh|m3|m³|ccf|hcf|mcf|cubic (?:feet|met(?:er|re)s)|therms?|gal(?:lons?)?|kgal|tgal|litres|liters|kl|mj|gj|dth|smc|mc|metri cubi)(?![\p{L}\d])/iu;
const readingHeading =
  /(?<!\p{L})(?:pres(?:ent)?|curr(?:ent)?|prev(?:ious)?|prior|reads?|rdgs?|reading\p{L}*|meter\p{L}*|zähler\p{L}*|compteur|relev\p{L}*|index|contador|lectura\p{L}*|contatore|lettur[ae]|leitura\p{L}*|\p{L}*stand)(?!\p{L})/iu;

/** The one unit that a bill speaks of anywhere: `Unit = 1 kWh`. */
function onlyUnit(layout: Layout): ExtractedValue | null {
  const units = layout.lines.slice(0, 2000).flatMap((line) => {
    const match = unitWord.exec(line.text);
    return match ? [{ line, start: match.index, end: match.index + match[1]!.length, text: match[1]! }] : [];
  });
  const [first] = units;
  const isOne = first && units.every(({ text }) => text.toLowerCase() === first.text.toLowerCase());
  return isOne ? composedValue(first.text, 80, [first]) : null;
}

/** A meter's two readings and, beside them, their difference under a heading with its unit: what was consumed. */
function metered({ layout, locale }: Findings): ComposedFields | null {
  const rows = visualRows(layout).slice(0, 2000);
  const differences: { readonly value: number; readonly fields: ComposedFields }[] = [];
  for (const [at, row] of rows.entries()) {
    if (differences.length > 8) break;
    const numbers = row.flatMap((line) =>
      line.text.length > 120
        ? []
        : [...line.text.matchAll(/(?<![\p{L}\d.,/-])\d[\d.,' ]*(?![\p{L}\d/:-])/gu)].flatMap((match) => {
            const literal = match[0].trim();
            const grouped = /^\d{1,3}(?: \d{3})+$/.test(literal) ? literal.replaceAll(' ', '') : literal;
            const value = parseAmount(grouped, locale)?.value;
            return value === undefined ||
              monthOf(/(\p{L}+)\.? $/u.exec(line.text.slice(0, match.index))?.[1] ?? '') !== null
              ? []
              : [{ value, line, start: match.index, end: match.index + match[0].trimEnd().length }];
          }),
    );
    const isDifference = (index: number, at: number, factor: number) => {
      const [first, second, number] = [numbers[at - 1], numbers[at], numbers[index]!];
      if (!first || !second || number.value <= 0 || Math.max(first.value, second.value) <= number.value / factor)
        return false;
      const least = Math.min(first.value, second.value);
      // Three small numbers are a sum by chance.
      if (least <= number.value / factor && !(least === 0 || number.value >= 20)) return false;
      return Math.abs(Math.abs(first.value - second.value) * factor - number.value) < 0.0101 * Math.max(1, factor);
    };
    // A meter's factor may stand between its readings and what they come to.
    const found = numbers.findIndex((_, index) => {
      const factor = numbers[index - 1]?.value ?? 0;
      return isDifference(index, index - 1, 1) || (factor >= 1 && isDifference(index, index - 2, factor));
    });
    if (found < 0) continue;
    // What they differ by may be multiplied by the factor behind it.
    const [factor, multiplied] = [numbers[found + 1], numbers[found + 2]];
    const isMultiplied =
      factor &&
      multiplied &&
      factor.value > 1 &&
      Math.abs(numbers[found]!.value * factor.value - multiplied.value) < 0.001 * multiplied.value;
    const heads = rows.slice(Math.max(0, at - 3 - differences.length), at + 1).flat();
    const inUnit = isMultiplied ? null : inHeadedUnit(numbers.slice(found), heads);
    const difference = isMultiplied ? multiplied : (inUnit?.number ?? numbers[found]!);
    // The unit may stand where the difference is charged for: `782 kWh x 0.41`.
    const charged = rows
      .slice(at + 1, at + 8)
      .flat()
      .filter(({ text }) => quantitiesIn(text, locale).includes(difference.value));
    const unit = [...(inUnit ? [inUnit.head] : heads), ...charged].flatMap((line) => {
      const match = unitWord.exec(line.text);
      return match ? [{ line, start: match.index, end: match.index + match[1]!.length, text: match[1]! }] : [];
    })[0];
    if (!heads.some(({ text }) => readingHeading.test(text))) continue;
    if (!unit) {
      const isNamed = [
        /(?<!\p{L})(?:prev(?:ious)?|prior|old)(?!\p{L})/iu,
        /(?<!\p{L})(?:pres(?:ent)?|curr(?:ent)?|new)(?!\p{L})/iu,
      ];
      if (!isNamed.every((word) => heads.some(({ text }) => word.test(text)))) continue;
      const fields = {
        consumption: composedValue(difference.value, 84, [difference], ['arithmetic_holds']),
        consumption_unit: onlyUnit(layout),
      };
      differences.push({ value: difference.value, fields });
      continue;
    }
    differences.push({
      value: difference.value,
      fields: {
        consumption: composedValue(difference.value, 91, [difference], ['arithmetic_holds']),
        consumption_unit: composedValue(/^kilowatt/i.test(unit.text) ? 'kWh' : unit.text, 89.5, [unit]),
      },
    });
  }
  const [first, ...others] = differences;
  if (!first || others.every(({ value }) => value === first.value)) return first?.fields ?? null;
  // Of several meters without a sum, none is what was consumed.
  const sum = sumOf(differences, layout, locale);
  return sum && { ...first.fields, consumption: sum };
}

/**
 * What a meter counted, as a column beside its difference gives it in tens, hundreds or thousands under a heading that is
 * no more than a unit: a difference of 122, and below `Mcf` 12.2.
 */
function inHeadedUnit<N extends { readonly value: number; readonly line: TextLine }>(
  [difference, ...others]: readonly N[],
  heads: readonly TextLine[],
): { readonly number: N; readonly head: TextLine } | null {
  for (const number of others) {
    const power = Math.log10(number.value / difference!.value);
    if (power === 0 || Math.abs(power) > 3.01 || Math.abs(power - Math.round(power)) > 0.002) continue;
    const head = heads.find(
      ({ box, text }) => wholeUnit.test(text) && box.x0 < number.line.box.x1 && box.x1 > number.line.box.x0,
    );
    if (head) return { number, head };
  }
  return null;
}

const wholeUnit = /^\(?(?:ccf|hcf|mcf|cf|therms?|kgal|gal(?:lons)?|kwh|m3|m³|dth|kl)\)?(?: used| usage)?$/iu;

/** What several registers of a meter counted together, where a line with `total` prints it. */
function sumOf(
  differences: readonly { readonly value: number }[],
  layout: Layout,
  locale: Locale,
): ExtractedValue | null {
  const sum = differences.reduce((all, { value }) => all + value, 0);
  for (const line of layout.lines.slice(0, 2000)) {
    if (line.text.length > 60) continue;
    const left = rowOf(layout, line).filter(({ box }) => box.x1 <= line.box.x0);
    const label = [...left.map(({ text }) => text), line.text].join(' ');
    if (!/(?<!\p{L})(?:total\p{L}*|gesamt\p{L}*|summe|totaal)(?!\p{L})/iu.test(label)) continue;
    for (const match of line.text.matchAll(/(?<![\p{L}\d.,/-])\d[\d.,']*(?![\d/-])/gu)) {
      const value = parseAmount(match[0].replace(/[.,]$/, ''), locale)?.value;
      if (value === undefined || Math.abs(value - sum) > 0.006) continue;
      const place = { line, start: match.index, end: match.index + match[0].length };
      return composedValue(value, 91, [place], ['arithmetic_holds']);
    }
  }
  return null;
}

const conversion =
  /(?<![\p{L}\d.,-])(\d[\d.,]*) ?(?:m3|m³|ccf|hcf|cf|smc)[^=]{0,80}[x×*][^=]{0,80}= ?(\d[\d.,]*) ?(kwh|therms?|mj|gj)(?![\p{L}\d/])/iu;
/** A column of volumes, or of what these are multiplied by to be energy. */
const volumeHeading =
  /(?<![\p{L}\d])(?:m3|m³|ccf|hcf|cf|smc|volume|volumen|cubic|conversion|(?:pressure|correction|heat(?:ing)?|therm) factor|brennwert|zustandszahl|coefficient|pcs)(?![\p{L}\d])/iu;
const energyHeading = /(?<![\p{L}\d])(kwh|therms?|mj|gj)(?![\p{L}\d])/iu;

/**
 * The energy of a volume of gas, which is what is charged: `101 m³ x 11.762 = 1,188 kWh`, or a meter's row on which the
 * difference of two readings and factors multiply to what stands in a column of energy.
 */
function converted({ layout, locale }: Findings): ComposedFields | null {
  for (const line of layout.lines.slice(0, 2000)) {
    const match = line.text.length > 200 ? null : conversion.exec(line.text);
    const value = match && parseAmount(match[2]!, locale)?.value;
    if (!match || !value) continue;
    const end = match.index + match[0].length;
    const start = line.text.indexOf(match[2]!, match.index + match[0].lastIndexOf('='));
    return {
      consumption: composedValue(value, 89.5, [{ line, start, end: start + match[2]!.length }]),
      consumption_unit: composedValue(match[3]!, 89.5, [{ line, start: end - match[3]!.length, end }]),
    };
  }
  const rows = visualRows(layout).slice(0, 2000);
  for (const [at, row] of rows.entries()) {
    const heads = rows.slice(Math.max(0, at - 3), at).flat();
    const unit = heads.find(({ text }) => text.length < 60 && energyHeading.test(text));
    if (!unit || !heads.some(({ text }) => volumeHeading.test(text))) continue;
    const numbers = row.flatMap((line) => {
      // Behind a reading stands how it was taken: `10442 (actual)`.
      const [, digits] = /^([\d.,]+)(?: ?\(?\p{L}{1,10}\)?)?$/u.exec(line.text.trim()) ?? [];
      const value = digits === undefined ? undefined : parseAmount(digits, locale)?.value;
      return value ? [{ value, line }] : [];
    });
    const isDifference = (index: number) =>
      index > 1 &&
      Math.abs(Math.abs(numbers[index - 1]!.value - numbers[index - 2]!.value) - numbers[index]!.value) < 0.006;
    for (let from = 2; from < numbers.length - 1; from += 1) {
      if (!isDifference(from)) continue;
      let product = numbers[from]!.value;
      for (const { value, line } of numbers.slice(from + 1)) {
        const isUnder = line.box.x0 < unit.box.x1 && line.box.x1 > unit.box.x0;
        // A calorific value in megajoules goes into kilowatt-hours 3.6 times.
        const isProduct = [product, product / 3.6].some((energy) => Math.abs(energy - value) < 0.01 * value);
        // The factors may stand in a line of their own; natural gas has ten to twelve kilowatt-hours to the cubic metre.
        const perVolume = value / numbers[from]!.value;
        const isNaturalGas = /kwh/iu.test(unit.text) && perVolume > 9.5 && perVolume < 12.5;
        if (isUnder && (isNaturalGas || (product !== numbers[from]!.value && isProduct))) {
          const heading = energyHeading.exec(unit.text)!;
          const place = { line: unit, start: heading.index, end: heading.index + heading[0].length };
          return {
            consumption: composedValue(value, 91, [{ line }], ['arithmetic_holds']),
            consumption_unit: composedValue(heading[1]!, 89.5, [place]),
          };
        }
        product *= value;
      }
    }
  }
  return null;
}

/** What a line says was consumed, each with a unit behind it. */
function quantitiesIn(text: string, locale: Locale): readonly (number | undefined)[] {
  return text.length > 200
    ? []
    : [...text.matchAll(consumed)].map(([, literal]) => parseAmount(literal!.trim(), locale)?.value);
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
      consumption: composedValue(value, 89.5, [
        { line: place.line, start: place.line.text.length - place.text.length },
      ]),
      consumption_unit: composedValue(match[1]!, 89.5, [{ line, start: unitAt, end: unitAt + match[1]!.length }]),
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
          // Another sentence of the line speaks of something else.
          line.text
            .slice(0, match.index)
            .split(/[.;] (?=\p{Lu})/u)
            .at(-1)!,
          line.text.slice(match.index + match[0].length).split(/[.;] ?(?=\p{Lu})/u)[0]!,
        ].join(' '),
      );
      const score =
        (usageLabel.test(label) ? 1 : 0) +
        (/(?<!\p{L})(?:total|gesamt\p{L}*|totale?|billed|fatturat\p{L}*|facturee?s?|facturad\p{L}*)(?!\p{L})/u.test(
          label,
        )
          ? 1
          : 0) +
        Math.min(1, (times - 1) * 0.5) -
        (otherUsage.test(label) ? 2 : 0) -
        (label.length > 80 ? 0.5 : 0);
      if (score < 1 || (best && score <= best.score)) continue;
      const start = match.index;
      const end = start + match[1]!.trimEnd().length;
      best = {
        score,
        fields: {
          consumption: composedValue(value, score >= 2 ? 89.5 : 72, [{ line, start, end }]),
          consumption_unit: composedValue(match[2]!, score >= 2 ? 89.5 : 72, [
            { line, start: start + match[0].length - match[2]!.length, end: start + match[0].length },
          ]),
        },
      };
    }
  }
  return best?.fields ?? {};
}

/** The unit that stands behind what was consumed, wherever the bill prints it with one, where no unit is known. */
export function unitOfConsumption(
  { consumption: amount, consumption_unit: unit }: Readonly<Record<string, ExtractedValue>>,
  { layout, locale }: Findings,
): Readonly<Record<string, ExtractedValue>> {
  if (!amount || unit) return {};
  const found = layout.lines.slice(0, 3000).flatMap((line) =>
    line.text.length > 200
      ? []
      : [...line.text.matchAll(consumed)]
          .filter(([, literal]) => parseAmount(literal!.trim(), locale)?.value === amount.value)
          .map((match) => {
            const end = match.index + match[0].length;
            return { text: match[2]!, line, start: end - match[2]!.length, end };
          }),
  );
  const [first] = found;
  const isOne = first && found.every(({ text }) => text.toLowerCase() === first.text.toLowerCase());
  return isOne ? { consumption_unit: composedValue(first.text, Math.min(80, amount.confidence), [first]) } : {};
}
