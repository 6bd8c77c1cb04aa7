import type { PlacedCandidate } from '../candidates/placed.ts';
import { neighboursOf, rowOf } from '../layout/neighbours.ts';
import { isTotalLabel } from '../lines/vocabulary.ts';
import type { ScoredField, ScoredValue } from '../score/score.ts';
import { isNear, sumOfTerms, sumsOf } from './sums.ts';
import { isBeside, isTax, type TaxBreakdown } from './tax-breakdown.ts';

/** What the sums of a document are chosen to be: for each field a value, or null where it has none. */
export interface MoneyChoice {
  readonly values: ReadonlyMap<string, ScoredValue>;
  /** The fields whose values a sum proves. */
  readonly proven: ReadonlySet<string>;
  /** The fields of a sum that should hold and does not. */
  readonly failing: ReadonlySet<string>;
  /** The fields of which the lines of taxes tell the value, whatever stands beside it. */
  readonly settled: ReadonlySet<string>;
}

/** Values of each field that are tried together. */
const triedValues = 4;
/** How much likelier a set of values is whose sum holds, as a logarithm. */
const sumBonus = 1.5;

/** Below this probability the items' sum is no sum before tax where the lines of taxes tell another. */
const byChance = 0.01;

/** Lines of taxes that leave more of the items aside, discounts or not, are not all the document's. */
const leastTaxedShare = 0.75;

/**
 * Chooses the amounts of a document together: of the likeliest values of each field those whose sum holds, if that
 * costs less probability than the sum gains. Only values that stand in the document are chosen.
 *
 * @param rowSum the sum of the line items, or null where there are none.
 * @param breakdown what the lines of taxes add up to, or null where there are none.
 * @param isRounded totals may be rounded to what coins there are, so that the lines of taxes tell no more than the tax
 */
export function chooseMoney(
  scored: readonly ScoredField[],
  rowSum: number | null,
  breakdown: TaxBreakdown | null = null,
  isRounded = false,
): MoneyChoice {
  const fields = new Map(
    scored.filter(({ field }) => field.kind === 'amount').map((entry) => [entry.field.name, entry]),
  );
  const total = fields.get('total_amount');
  const chosen = new Map<string, ScoredValue>();
  for (const [name, entry] of fields) {
    const best = likeliest(entry);
    if (best) chosen.set(name, best);
  }
  if (total)
    for (const [name, value] of bestSum(fields, total, { rowSum, chosen, isRounded }))
      value ? chosen.set(name, value) : chosen.delete(name);
  // No tax is all that is to be paid.
  const tax = amountOf(chosen, 'tax_amount');
  if (tax !== null && tax !== 0 && tax === amountOf(chosen, 'total_amount')) chosen.delete('tax_amount');
  addBetweenSums(fields, rowSum, chosen);
  const settled = !breakdown
    ? new Map<string, ScoredValue | null>()
    : isRounded
      ? taxSettledBy(breakdown, fields, chosen)
      : settledBy(breakdown, fields, rowSum);
  for (const [name, value] of settled) value ? chosen.set(name, value) : chosen.delete(name);
  const byRate = taxByRate(scored, fields, chosen);
  if (byRate) chosen.set('tax_amount', byRate);
  const { proven, failing } = judge(chosen, rowSum);
  const decided = [...settled.keys(), ...(byRate ? ['tax_amount'] : [])].filter((name) => chosen.has(name));
  return {
    values: chosen,
    proven: new Set([...proven, ...decided]),
    failing: new Set([...failing].filter((name) => !decided.includes(name))),
    settled: new Set(decided),
  };
}

/** What the scorer has to think of a charge that is what a sum leaves. */
const leastOfCharge = 0.3;

/**
 * Adds what sums alone tell: the discount that a sum before it and the total leave, printed with a minus, the freight that
 * they leave, and the payment between the total and what is left to pay.
 */
function addBetweenSums(
  fields: ReadonlyMap<string, ScoredField>,
  rowSum: number | null,
  chosen: Map<string, ScoredValue>,
): void {
  chooseSoleSum(fields, rowSum, chosen);
  const total = amountOf(chosen, 'total_amount');
  if (total === null) return;
  const subtotal = amountOf(chosen, 'subtotal') ?? rowSum;
  if (subtotal !== null && !chosen.has('discount_amount')) {
    const left = sumOfTerms((name) => amountOf(chosen, name), subtotal) - total;
    const discount =
      left > 0.05 && fields.get('discount_amount')?.ranked.find(({ candidate }) => isTakenAway(candidate, left));
    if (discount) chosen.set('discount_amount', discount);
  }
  if (subtotal !== null && !chosen.has('shipping_amount')) {
    const charge = total - sumOfTerms((name) => amountOf(chosen, name), subtotal);
    const shipping =
      charge > 0.05 &&
      fields
        .get('shipping_amount')
        ?.ranked.find(
          ({ candidate, probability }) => probability >= leastOfCharge && isSameSize(candidate.value, charge),
        );
    if (shipping) chosen.set('shipping_amount', shipping);
  }
  const tax = amountOf(chosen, 'tax_amount');
  if (
    subtotal !== null &&
    tax !== null &&
    !['shipping_amount', 'tip_amount', 'discount_amount'].some((name) => chosen.has(name))
  ) {
    // Of a tax in two parts, as a state's and a country's, the sum is printed too.
    const ranked = fields.get('tax_amount')?.ranked ?? [];
    const rest = total - subtotal - tax;
    const whole = ranked.find(({ candidate }) => isSameSize(candidate.value, total - subtotal));
    const isPart = rest > 0.05 && ranked.some(({ candidate }) => isSameSize(candidate.value, rest));
    if (isPart && whole) chosen.set('tax_amount', whole);
    else if (isPart && isNear(rest, tax)) chosen.delete('tax_amount');
  }
  const due = amountOf(chosen, 'amount_due');
  if (due !== null && due < total && !chosen.has('amount_paid')) {
    const paid = fields
      .get('amount_paid')
      ?.ranked.find(
        (value) =>
          isSameSize(value.candidate.value, total - due) &&
          value.candidates.some(
            (each) =>
              chosen.get('total_amount')!.candidates.some((other) => isAbove(other, each)) &&
              chosen.get('amount_due')!.candidates.some((other) => isAbove(each, other)),
          ),
      );
    if (paid) chosen.set('amount_paid', paid);
  }
}

/**
 * Takes the one sum of a document, which the items add up to, for its total: in place of an item's amount, or of a sum
 * before a tax that an order or an offer does not state.
 */
function chooseSoleSum(
  fields: ReadonlyMap<string, ScoredField>,
  rowSum: number | null,
  chosen: Map<string, ScoredValue>,
): void {
  if (rowSum === null) return;
  const total = chosen.get('total_amount');
  const isChanged = ['tax_amount', 'discount_amount', 'amount_paid', 'tip_amount'].some((name) => chosen.has(name));
  const isItems = total && !isChanged && Number(total.candidate.value) < rowSum && !total.candidates.some(isLabelled);
  const isBilled = ['amount_due', 'tip_amount'].some((name) => fields.has(name));
  if (total && !isItems) {
    if (!isBilled && !isChanged && isPrintedOnce(total, chosen.get('subtotal') ?? null)) chosen.delete('subtotal');
    return;
  }
  const subtotal = amountOf(chosen, 'subtotal');
  const isSole = subtotal === null || (isSameSize(subtotal, rowSum) && !isChanged && (isItems || !isBilled));
  const sum = isSole ? totalOfRows(fields, rowSum) : null;
  if (!sum) return;
  chosen.set('total_amount', sum);
  chosen.delete('subtotal');
}

/** Whether an amount stands at the label of a sum, on its line or left of it. */
function isLabelled({ layout, lines, start }: PlacedCandidate): boolean {
  const [line] = lines;
  const labels = line ? [line.text.slice(0, start), neighboursOf(layout, line).left?.text ?? ''] : [];
  return labels.some((label) => isTotalLabel(label.trim()));
}

const subtotalLabel = /^(?:sub ?-? ?total|zwischensumme|sous[- ]?total|subtotale|subtotaal)\W*$/iu;
const taxAlone = /^(?:sales )?(?:tax|vat|gst|hst|mwst|tva|iva|btw)\W*$/iu;

/** Whether an amount stands at the label of a sum before tax above that of the tax, which a form has room for: no total. */
function isBeforeTax({ layout, lines, start }: PlacedCandidate): boolean {
  const [line] = lines;
  const label = line?.text.slice(0, start).trim() || (line && neighboursOf(layout, line).left?.text.trim());
  return (
    label !== undefined &&
    subtotalLabel.test(label) &&
    layout.lines.some(
      ({ page, box, text }) => page === line!.page && box.y0 > line!.box.y0 && taxAlone.test(text.trim()),
    )
  );
}

/** Whether a row has the label of a sum and nothing but figures up to an amount: `TOTAL`, `1,230`, `1,606.50`, `14,123.70`. */
function isInRowOfSums({ layout, lines: [line] }: PlacedCandidate): boolean {
  if (!line) return false;
  const left = rowOf(layout, line).filter(({ box }) => box.x1 <= line.box.x0);
  const label = left.findLast(({ text }) => /\p{L}{2}/u.test(text));
  return label !== undefined && isTotalLabel(label.text.trim());
}

/** The amount at the label of a sum that the items add up to. */
function totalOfRows(fields: ReadonlyMap<string, ScoredField>, rowSum: number | null): ScoredValue | null {
  const found = fields
    .get('total_amount')
    ?.ranked.find(
      ({ candidate, candidates }) =>
        rowSum !== null &&
        isSameSize(candidate.value, rowSum) &&
        /[.,]\d{2}(?!\d)|[€$£]/u.test(candidate.text) &&
        candidates.some((each) => (isLabelled(each) && !isBeforeTax(each)) || isInRowOfSums(each)),
    );
  return found ?? null;
}

function isTakenAway({ value, lines }: PlacedCandidate, amount: number): boolean {
  return isSameSize(value, amount) && /[-−–] ?\)? ?[$€£]? ?\d|\d ?[-−](?!\d)/u.test(lines[0]?.text ?? '');
}

function isAbove(upper: PlacedCandidate, lower: PlacedCandidate): boolean {
  return upper.page === lower.page && upper.box.y1 <= lower.box.y0 + 0.5 * (lower.box.y1 - lower.box.y0);
}

/**
 * The values that the lines of taxes tell: total and tax, and the sum before tax unless the items' own sum is another.
 * A tax that is not printed as a sum is none of its parts; a sum to be paid that is larger than the total is none.
 */
function settledBy(
  { net, tax, gross }: TaxBreakdown,
  fields: ReadonlyMap<string, ScoredField>,
  rowSum: number | null,
): ReadonlyMap<string, ScoredValue | null> {
  const settled = new Map<string, ScoredValue | null>();
  const find = (name: string, amount: number) =>
    fields.get(name)?.ranked.find(({ candidate }) => isSameSize(candidate.value, amount)) ?? null;
  const total = find('total_amount', gross);
  const isPart = rowSum !== null && Math.abs(net) < leastTaxedShare * Math.abs(rowSum);
  if (!total || isPart) return settled;
  settled.set('total_amount', total);
  settled.set('tax_amount', find('tax_amount', tax));
  const items = rowSum === null || isSameSize(rowSum, gross) ? null : find('subtotal', rowSum);
  const taxed = find('subtotal', net);
  // Of a few items that were found, the sum is printed by chance.
  const subtotal = items && (!taxed || items.probability >= byChance) ? items : taxed;
  if (subtotal) settled.set('subtotal', subtotal);
  const due = fields.get('amount_due')?.ranked[0];
  if (due && Math.abs(Number(due.candidate.value)) > Math.abs(gross))
    settled.set('amount_due', find('amount_due', gross));
  return settled;
}

/** The tax that the lines of taxes tell, and no part of it, where they make the total that was chosen or is printed. */
function taxSettledBy(
  { net, tax, gross }: TaxBreakdown,
  fields: ReadonlyMap<string, ScoredField>,
  chosen: ReadonlyMap<string, ScoredValue>,
): ReadonlyMap<string, ScoredValue | null> {
  const found = fields.get('tax_amount')?.ranked.find(({ candidate }) => isSameSize(candidate.value, tax));
  const likely = chosen.get('total_amount');
  // The sum before tax is no total where the one with it is printed too.
  const isUntaxed = !likely || isSameSize(likely.candidate.value, net);
  const printed = fields.get('total_amount')?.ranked.find(({ candidate }) => isSameSize(candidate.value, gross));
  const total = isUntaxed ? printed : likely;
  const settled = new Map<string, ScoredValue | null>();
  // What is paid may be rounded to what coins there are.
  const paid = Math.abs(Number(total?.candidate.value ?? 0));
  const tip = Number(chosen.get('tip_amount')?.candidate.value ?? 0);
  if (!total || !(isNear(paid, Math.abs(gross)) || isNear(paid - tip, Math.abs(gross)))) return settled;
  if (total !== likely) settled.set('total_amount', total);
  settled.set('tax_amount', found ?? null);
  return settled;
}

/** The tax that the document's only rate, beside it, makes of the sum before it, where the total would leave it out. */
function taxByRate(
  scored: readonly ScoredField[],
  fields: ReadonlyMap<string, ScoredField>,
  chosen: ReadonlyMap<string, ScoredValue>,
): ScoredValue | null {
  const net = amountOf(chosen, 'subtotal');
  if (net === null || chosen.has('tax_amount')) return null;
  const ranked = scored.find(({ field }) => field.name === 'tax_rate')?.ranked ?? [];
  const rates = ranked.flatMap(({ candidates }) => candidates).filter(({ text }) => text.includes('%'));
  if (new Set(rates.map(({ value }) => value)).size !== 1) return null;
  const isMadeOfNet = ({ value, page, box }: PlacedCandidate) =>
    typeof value === 'number' &&
    value !== 0 &&
    rates.some((rate) => isTax(value, net, Number(rate.value)) && rate.page === page && isBeside(rate.box, box));
  return fields.get('tax_amount')?.ranked.find(({ candidates }) => candidates.some(isMadeOfNet)) ?? null;
}

/** Whether amounts are equal but for the sign, which a credit note's page and its fields do not share. */
function isSameSize(value: unknown, amount: number): boolean {
  return typeof value === 'number' && Math.abs(Math.abs(value) - Math.abs(amount)) < 0.005;
}

function likeliest({ ranked, threshold }: ScoredField): ScoredValue | null {
  const best = ranked[0];
  return best && best.probability >= threshold ? best : null;
}

/** Tries the likeliest values of total, subtotal and tax together, the other terms as they are or left out. */
function bestSum(
  fields: ReadonlyMap<string, ScoredField>,
  total: ScoredField,
  {
    rowSum,
    chosen,
    isRounded,
  }: {
    readonly rowSum: number | null;
    readonly chosen: ReadonlyMap<string, ScoredValue>;
    readonly isRounded: boolean;
  },
): readonly (readonly [string, ScoredValue | null])[] {
  const optionsOf = (name: string): readonly (ScoredValue | null)[] => {
    const entry = fields.get(name);
    return entry ? [...entry.ranked.slice(0, triedValues), null] : [null];
  };
  const others = ['shipping_amount', 'tip_amount', 'discount_amount'].filter((name) => chosen.has(name));
  const [likeliestTotal] = total.ranked;
  // What the items add up to is sure as well.
  const isTotalSure =
    likeliestTotal !== undefined &&
    (likeliestTotal.probability > sureProbability ||
      (likeliestTotal.probability > leastOfRows &&
        rowSum !== null &&
        isSameSize(likeliestTotal.candidate.value, rowSum)));
  let best: { score: number; picks: (readonly [string, ScoredValue | null])[] } | null = null;
  for (const totalValue of optionsOf('total_amount')) {
    for (const subtotal of optionsOf('subtotal')) {
      // An amount that stands in one place is no total where another one surely is.
      const isOther = isTotalSure && totalValue !== likeliestTotal;
      if ((!isRounded || isOther) && isPrintedOnce(totalValue, subtotal)) continue;
      for (const tax of optionsOf('tax_amount')) {
        for (let mask = 0; mask < 1 << others.length; mask += 1) {
          const picks: (readonly [string, ScoredValue | null])[] = [
            ['total_amount', totalValue],
            ['subtotal', subtotal],
            ['tax_amount', tax],
            ...others.map((name, index) => [name, (mask >> index) & 1 ? chosen.get(name)! : null] as const),
          ];
          let score = 0;
          for (const [name, value] of picks) {
            const entry = fields.get(name);
            if (entry) score += Math.log(value ? probabilityOf(entry, value) : absence(entry));
          }
          if (sumHolds(new Map(picks.flatMap(([name, value]) => (value ? [[name, value] as const] : []))), rowSum))
            score += sumBonus;
          if (!best || score > best.score) best = { score, picks };
        }
      }
    }
  }
  // A value that is too improbable on its own is kept only if the sum needs it.
  const picks = best?.picks ?? [];
  const holds = sumHolds(new Map(picks.flatMap(([name, value]) => (value ? [[name, value] as const] : []))), rowSum);
  return holds ? picks : [['total_amount', likeliest(total)]];
}

/** What the scorer is sure of. */
const sureProbability = 0.7;
/** What the scorer has to think of a total that the items add up to. */
const leastOfRows = 0.5;

/** Whether two fields would have the same amount, which is printed in one place alone. */
function isPrintedOnce(a: ScoredValue | null, b: ScoredValue | null): boolean {
  if (!a || !b || a.candidate.value !== b.candidate.value) return false;
  const places = new Set([...a.candidates, ...b.candidates].map(({ page, box }) => `${page} ${box.x0} ${box.y0}`));
  return places.size < 2;
}

function probabilityOf(entry: ScoredField, value: ScoredValue): number {
  return Math.max(1e-4, Math.min(1, (value.probability * 0.5) / Math.max(0.05, entry.threshold)));
}

function absence({ ranked }: ScoredField): number {
  return Math.max(0.01, 1 - ranked.reduce((sum, { probability }) => sum + probability, 0));
}

function amountOf(values: ReadonlyMap<string, ScoredValue>, name: string): number | null {
  const value = values.get(name)?.candidate.value;
  return typeof value === 'number' ? value : null;
}

/** Whether subtotal, tax and the rest make the total; false where too few of them are known to tell. */
function sumHolds(values: ReadonlyMap<string, ScoredValue>, rowSum: number | null): boolean {
  const total = amountOf(values, 'total_amount');
  const subtotal = amountOf(values, 'subtotal') ?? (amountOf(values, 'tax_amount') !== null ? rowSum : null);
  if (total === null || subtotal === null || total <= 0) return false;
  if (amountOf(values, 'subtotal') === null && rowSum === null) return false;
  const made = sumOfTerms((name) => amountOf(values, name), subtotal);
  const tax = amountOf(values, 'tax_amount') ?? 0;
  // A state's and a country's tax may be the same amount, printed for each.
  const isTwofold = (values.get('tax_amount')?.candidates.length ?? 0) > 1 && isNear(made + tax, total);
  return isNear(made, total) || isNear(made - tax, total) || isTwofold;
}

/** Says which of the chosen values sums prove, and which of them contradict each other. */
function judge(
  values: ReadonlyMap<string, ScoredValue>,
  rowSum: number | null,
): Pick<MoneyChoice, 'proven' | 'failing'> {
  const sums = sumsOf(amountsOf(values), rowSum);
  const proven = new Set(sums.flatMap(({ fields, holds }) => (holds ? fields : [])));
  const failing = new Set(
    sums.flatMap(({ fields, holds }) => (holds ? [] : fields.filter((name) => !proven.has(name)))),
  );
  return { proven, failing };
}

function amountsOf(values: ReadonlyMap<string, ScoredValue>): ReadonlyMap<string, number> {
  return new Map(
    [...values].flatMap(([name, { candidate }]) =>
      typeof candidate.value === 'number' ? [[name, candidate.value] as const] : [],
    ),
  );
}
