import {
  type Period,
  type PlanTerms,
  type Priced,
  type PricedLine,
  priceLateUsage,
  priceRecurringFee,
  priceUsage,
  toMajor,
  trialEndOf,
} from '@millrace/pricing';
import type { NotBillable, NotBillableReason } from './not-billable.ts';
import type { LateTermUsage, TermUsage } from './usage.ts';

/** A subscription on one version of a plan, with what its invoice lines say. */
export interface BillableTerm {
  readonly id: string;
  readonly subscriptionId: string;
  readonly developerId: string;
  readonly productId: string;
  readonly ratePlanId: string;
  readonly planVersion: number;
  readonly productName: string;
  readonly planName: string;
  readonly appName: string;
  readonly startsAt: string;
  /** Null: it is open. */
  readonly endsAt: string | null;
  /** When the subscription's first term began. */
  readonly subscribedAt: string;
  /** It begins where another term of the subscription ends. */
  readonly isContinuation: boolean;
  /** The subscription had an earlier term on this plan. */
  readonly isRepeated: boolean;
  readonly terms: PlanTerms;
}

/** A period as it is billed. */
export interface BilledPeriod {
  readonly id: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly timeZone: string;
  /** The organization's first. */
  readonly isFirst: boolean;
  /** The whole week, month or quarter that fees are shares of. */
  readonly whole: Period;
}

/** A line of an invoice, with the time that it bills. */
type BilledLine = PricedLine & {
  readonly term: BillableTerm;
  readonly meter: PlanTerms['charges'][number]['meter'] | null;
  /** What was used of the charge and what the plan includes of that, on its first line. */
  readonly usage: { readonly quantity: string; readonly included: string } | null;
  readonly startsAt: string;
  readonly endsAt: string;
};

/** What a term's invoice has, and how many calls it accounts for. */
export interface BilledTerm {
  readonly term: BillableTerm;
  readonly lines: readonly BilledLine[];
  readonly requests: number;
  readonly billed: number;
  readonly notBillable: NotBillable;
  readonly lateRequests: number;
}

/** What the bill of a term depends on. */
export interface TermToBill {
  readonly term: BillableTerm;
  readonly period: BilledPeriod;
  /** The one after it, whose fees in advance are billed with this one. */
  readonly next: BilledPeriod;
  readonly usage: readonly TermUsage[];
  /** Of closed periods, with what was billed of them. */
  readonly late: readonly LateTermUsage[];
  /** Every closed period that late usage is from, by its id. */
  readonly closed: ReadonlyMap<string, BilledPeriod>;
}

/**
 * Bills a term for a period: its fee and usage, the next period's fee where the plan bills in advance, and usage that
 * arrived after its own period was closed. Everything follows from rows that no longer change, so that a closing that is
 * repeated comes to the same.
 *
 * @throws PricingError for an amount that is too large to be exact
 */
export function billTerm({ term, period, next, usage, late, closed }: TermToBill): BilledTerm {
  const requests = sumOf(usage);
  const lateRequests = sumOf(late.filter(({ isBilled }) => !isBilled));
  const counted = { requests, ...countCalls(term, usage), lateRequests };
  if (term.terms.type === 'prepaid') return { term, lines: [], ...counted };
  return {
    term,
    lines: [
      ...usageLines(term, period, usage),
      ...advanceLines(term, period, next),
      ...[...Map.groupBy(late, ({ periodId }) => periodId)].flatMap(([periodId, rows]) =>
        lateLines(term, closed.get(periodId)!, rows),
      ),
    ],
    ...counted,
  };
}

/** The end of the trial, by which usage is counted; null: the plan has none. */
export function trialEndsAt({ terms, subscribedAt }: Pick<BillableTerm, 'terms' | 'subscribedAt'>, timeZone: string) {
  return terms.trialDays === 0 ? null : trialEndOf(subscribedAt, terms.trialDays, timeZone);
}

function usageLines(term: BillableTerm, period: BilledPeriod, usage: readonly TermUsage[]): BilledLine[] {
  const { lines, charges } = priceUsage({ ...spanOf(term, period), usage: quantities(term.terms, usage) });
  const unstated = new Map(charges.map((charge) => [charge.charge, statedUsage(charge)]));
  return lines.filter(isWorthALine).map((line) => {
    const stated = (line.kind === 'usage' && line.charge !== null && unstated.get(line.charge)) || null;
    unstated.delete(line.charge ?? '');
    return { ...located(line, term, period), usage: stated };
  });
}

function statedUsage({ usage, allowance, billable }: Priced['charges'][number]) {
  return { quantity: usage, included: billable === '0' ? usage : allowance };
}

/** Each charge's usage in a period, and what of it the plan includes, prorated to the term's part of the period. */
export function pricedCharges(term: BillableTerm, period: BilledPeriod, usage: readonly TermUsage[]) {
  return priceUsage({ ...spanOf(term, period), usage: quantities(term.terms, usage) }).charges;
}

/** The next period's fee, and what an ended term gets back of the fee that it paid in advance for this one. */
function advanceLines(term: BillableTerm, period: BilledPeriod, next: BilledPeriod): BilledLine[] {
  const { terms } = term;
  if (terms.feeTiming !== 'advance' || terms.recurringFee === null) return [];
  const lines: BilledLine[] = [];
  if (wasPaidInAdvance(term, period)) {
    const { currency } = terms;
    const paid = advanceFee(term, period)?.amountMinor ?? 0;
    const due = priceRecurringFee(spanOf(term, period))?.amountMinor ?? 0;
    if (paid !== due) {
      const amountMinor = due - paid;
      const unitPrice = toMajor(Math.abs(amountMinor), currency);
      const line = {
        ...plainLine,
        kind: 'recurring',
        quantity: amountMinor < 0 ? '-1' : '1',
        unitPrice,
        amountMinor,
      } as const;
      lines.push(located(line, term, period));
    }
  }
  const isHeld =
    isBefore(term.startsAt, period.endsAt) && (term.endsAt === null || isBefore(period.endsAt, term.endsAt));
  const fee = isHeld ? advanceFee(term, next) : null;
  if (fee !== null && isWorthALine(fee)) lines.push(located(fee, term, next));
  return lines;
}

const plainLine = { charge: null, tier: null, isFlatFee: false, share: null } as const;

/** The fee of a period as it was billed with the one before: nobody knew then that the term would end. */
function advanceFee(term: BillableTerm, period: BilledPeriod): PricedLine | null {
  return priceRecurringFee({ ...spanOf({ ...term, endsAt: null }, period) });
}

function wasPaidInAdvance(term: BillableTerm, period: BilledPeriod): boolean {
  return (
    term.terms.feeTiming === 'advance' &&
    !period.isFirst &&
    isBefore(term.startsAt, period.startsAt) &&
    (term.endsAt === null || isBefore(period.startsAt, term.endsAt))
  );
}

function lateLines(term: BillableTerm, closed: BilledPeriod, rows: readonly LateTermUsage[]): BilledLine[] {
  const { lines } = priceLateUsage({
    ...spanOf(term, closed),
    billed: quantities(
      term.terms,
      rows.filter(({ isBilled }) => isBilled),
    ),
    late: quantities(
      term.terms,
      rows.filter(({ isBilled }) => !isBilled),
    ),
  });
  return lines.filter(({ amountMinor }) => amountMinor !== 0).map((line) => located(line, term, closed));
}

/** The part of a period that a term is billed for, as pricing takes it. */
function spanOf(term: BillableTerm, period: BilledPeriod) {
  const startsHere = isBefore(period.startsAt, term.startsAt) || period.isFirst;
  return {
    terms: term.terms,
    period: period.whole,
    within: {
      from: later(term.startsAt, period.startsAt),
      to: term.endsAt === null ? period.endsAt : earlier(term.endsAt, period.endsAt),
    },
    isContinuation: startsHere && term.isContinuation,
    isFirst: (startsHere || term.startsAt === period.startsAt) && !term.isRepeated,
    isFeeBilled: wasPaidInAdvance(term, period),
    trialEndsAt: trialEndsAt(term, period.timeZone),
    timeZone: period.timeZone,
  };
}

/** Usage by charge, of the calls that it applies to. */
function quantities({ charges }: PlanTerms, usage: readonly TermUsage[]): Record<string, string> {
  return Object.fromEntries(
    charges.map((charge) => [
      charge.name,
      sumDecimals(usage.filter((row) => !row.inTrial && applies(charge, row)).map((row) => row[charge.meter])),
    ]),
  );
}

function applies({ statusClasses, proxyIds }: PlanTerms['charges'][number], row: TermUsage): boolean {
  return statusClasses.includes(row.statusClass) && (proxyIds === null || proxyIds.includes(row.proxyId));
}

/** The calls that a charge applies to, and the others by the reason. */
function countCalls(
  { terms }: Pick<BillableTerm, 'terms'>,
  usage: readonly TermUsage[],
): { readonly billed: number; readonly notBillable: NotBillable } {
  let billed = 0;
  const notBillable: Partial<Record<NotBillableReason, number>> = {};
  for (const row of usage) {
    const reason = reasonOf(terms, row);
    if (reason === null) billed += Number(row.requests);
    else notBillable[reason] = (notBillable[reason] ?? 0) + Number(row.requests);
  }
  return { billed, notBillable };
}

function reasonOf({ type, charges }: PlanTerms, row: TermUsage): NotBillableReason | null {
  if (row.statusClass === 0) return 'refused';
  if (type === 'prepaid') return 'prepaid';
  if (row.inTrial) return 'trial';
  if (charges.length === 0) return 'no_charge';
  if (charges.some((charge) => applies(charge, row))) return null;
  return charges.some(({ statusClasses }) => statusClasses.includes(row.statusClass)) ? 'api' : 'status';
}

function located(
  line: PricedLine,
  term: BillableTerm,
  { startsAt, endsAt }: { readonly startsAt: string; readonly endsAt: string },
): BilledLine {
  const meter = term.terms.charges.find(({ name }) => name === line.charge)?.meter ?? null;
  return { ...line, term, meter, usage: null, startsAt, endsAt };
}

/** A line of no units at no price says nothing. */
function isWorthALine({ amountMinor, quantity }: PricedLine): boolean {
  return amountMinor !== 0 || (Number(quantity) !== 0 && quantity !== '1');
}

function sumOf(usage: readonly TermUsage[]): number {
  return usage.reduce((total, { requests }) => total + Number(requests), 0);
}

const digits = 12;

/** The sum of decimals with at most 12 digits behind the point. */
function sumDecimals(decimals: readonly string[]): string {
  let sum = 0n;
  for (const decimal of decimals) {
    const [whole = '', fraction = ''] = decimal.split('.');
    sum += BigInt(`${whole}${fraction.padEnd(digits, '0')}`);
  }
  const text = String(sum).padStart(digits + 1, '0');
  const fraction = text.slice(-digits).replace(/0+$/, '');
  return `${text.slice(0, -digits)}${fraction === '' ? '' : `.${fraction}`}`;
}

function isBefore(first: string, second: string): boolean {
  return Date.parse(first) < Date.parse(second);
}

function later(first: string, second: string): string {
  return isBefore(first, second) ? second : first;
}

function earlier(first: string, second: string): string {
  return isBefore(first, second) ? first : second;
}
