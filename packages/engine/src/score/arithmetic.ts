import type { PlacedCandidate } from '../candidates/placed.ts';
import { hasBit, type LexiconBits, type LexiconGroup, lexiconGroups } from './lexicon.ts';

/** How the document's other amounts support one amount. */
export interface AmountSupport {
  /** Pairs of other amounts that make it up, at most 3. */
  readonly sumOfTwo: number;
  /** Pairs of other amounts whose difference it is, at most 3. */
  readonly differenceOfTwo: number;
  /** The number of amounts right above it in its column that add up to it; 0 where none do. */
  readonly sumOfColumn: number;
  /** An amount captioned as cash less one captioned as change is this one. */
  readonly cashLessChange: 0 | 1;
  /** An amount captioned as subtotal and one captioned as tax make it up. */
  readonly subtotalAndTax: 0 | 1;
  /** It is one of two amounts that make up a larger one, at most 3 times. */
  readonly isPart: number;
}

/** Beyond so many different amounts (a statement's) pairs say nothing, and would take long. */
const amountLimit = 160;

/** Looks for sums and differences among a document's amounts, in hundredths. */
export function supportOfAmounts(
  candidates: readonly PlacedCandidate[],
  contextOf: (candidate: PlacedCandidate) => LexiconBits,
): ReadonlyMap<PlacedCandidate, AmountSupport> {
  const amounts = candidates.filter((candidate) => candidate.kind === 'amount');
  const money = amounts.filter((candidate) => candidate.quality >= 0.5 && /[.,]\s?\d\d?/.test(candidate.text));
  const cents = [...new Set(money.map(centsOf))].filter((value) => value > 0).sort((a, b) => a - b);
  const sums = new Map<number, number>();
  const differences = new Map<number, number>();
  const parts = new Map<number, number>();
  if (cents.length <= amountLimit) {
    const known = new Set(cents);
    for (let i = 0; i < cents.length; i += 1) {
      for (let j = i + 1; j < cents.length; j += 1) {
        const sum = cents[i]! + cents[j]!;
        if (!known.has(sum)) continue;
        count(sums, sum);
        count(differences, cents[i]!);
        count(differences, cents[j]!);
        count(parts, cents[i]!);
        count(parts, cents[j]!);
      }
    }
  }
  const contexts = money.map(contextOf);
  const captioned = (group: LexiconGroup) => {
    const index = lexiconGroups.indexOf(group);
    return new Set(money.filter((_, at) => hasBit(contexts[at]!, index)).map(centsOf));
  };
  const cash = captioned('cash');
  const change = captioned('change');
  const sub = captioned('sub');
  const tax = captioned('tax');
  const columns = columnSums(money);
  return new Map(
    amounts.map((candidate) => {
      const value = centsOf(candidate);
      return [
        candidate,
        {
          sumOfTwo: Math.min(3, sums.get(value) ?? 0),
          differenceOfTwo: Math.min(3, differences.get(value) ?? 0),
          sumOfColumn: columns.get(candidate) ?? 0,
          cashLessChange: value > 0 && [...cash].some((paid) => paid > value && change.has(paid - value)) ? 1 : 0,
          subtotalAndTax: value > 0 && [...sub].some((part) => part < value && tax.has(value - part)) ? 1 : 0,
          isPart: Math.min(3, parts.get(value) ?? 0),
        },
      ];
    }),
  );
}

function centsOf(candidate: PlacedCandidate): number {
  return Math.round(Math.abs(Number(candidate.value)) * 100);
}

function count(counts: Map<number, number>, value: number): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

const columnLimit = 60;

/** For amounts that are the sum of two or more right above them in the same column: how many. */
function columnSums(amounts: readonly PlacedCandidate[]): ReadonlyMap<PlacedCandidate, number> {
  const found = new Map<PlacedCandidate, number>();
  const sorted = amounts.toSorted((a, b) => a.page - b.page || a.box.y0 - b.box.y0);
  sorted.forEach((candidate, index) => {
    const value = centsOf(candidate);
    const height = candidate.box.y1 - candidate.box.y0;
    let sum = 0;
    let terms = 0;
    for (let other = index - 1; other >= 0 && other >= index - columnLimit * 3 && terms < columnLimit; other -= 1) {
      const above = sorted[other]!;
      if (above.layout !== candidate.layout || above.page !== candidate.page) continue;
      if (Math.abs(above.box.x1 - candidate.box.x1) > 1.5 * height || above.box.y1 > candidate.box.y0 + 0.5 * height)
        continue;
      sum += Math.round(Number(above.value) * 100);
      terms += 1;
      if (terms >= 2 && sum === value) {
        found.set(candidate, terms);
        break;
      }
      if (Math.abs(sum) > value * 4 + 1000) break;
    }
  });
  return found;
}
