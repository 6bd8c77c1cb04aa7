import type { Budget } from './budgets.ts';
import type { PortalBudget } from './contract.ts';

/** The share of a budget that is spent, in percent with one decimal. */
function percentOf(spentMinor: number, amountMinor: number): number {
  return Math.round((spentMinor / amountMinor) * 1_000) / 10;
}

/** What is spent and budgeted in each currency that has either. */
export function currenciesOf(
  spent: ReadonlyMap<string, number>,
  budgets: readonly Budget[],
  periodId: string | null,
): PortalBudget['currencies'] {
  const byCurrency = new Map(budgets.map((budget) => [budget.currency, budget]));
  return [...new Set([...spent.keys(), ...byCurrency.keys()])].toSorted().map((currency) => {
    const budget = byCurrency.get(currency);
    const spentMinor = spent.get(currency) ?? 0;
    return {
      currency,
      spentMinor,
      amountMinor: budget?.amountMinor ?? null,
      percent: budget === undefined ? null : percentOf(spentMinor, budget.amountMinor),
      alertedPercent: budget !== undefined && budget.alerted_period_id === periodId ? budget.alerted_percent : null,
    };
  });
}

/** The level to be alerted; null: none that wasn't alerted in this period. */
export function dueLevel(
  { amountMinor, alerted_percent, alerted_period_id }: Budget,
  spentMinor: number,
  periodId: string,
): 80 | 100 | null {
  const reached = spentMinor >= amountMinor ? 100 : spentMinor * 100 >= amountMinor * 80 ? 80 : null;
  const alerted = alerted_period_id === periodId ? (alerted_percent ?? 0) : 0;
  return reached !== null && reached > alerted ? reached : null;
}
