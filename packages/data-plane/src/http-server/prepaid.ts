import type { BalanceCounter, BalanceStore, Debited } from '@millrace/counters';
import { type Caller, later, type Outcome, type Prepaid } from '@millrace/policies/run';
import type { Exchange } from './exchange.ts';

type KeyCaller = Extract<Caller, { kind: 'key' }>;

/** What a request in flight was debited. */
export interface Debit {
  readonly counter: BalanceCounter;
  readonly prepaid: Prepaid;
  readonly amount: number;
}

const microOfMinor = 1_000_000;
const microOfUnit = 1_000_000;

/**
 * Debits a prepaid request before it is admitted: by what its call costs, and one unit where units cost something, but never
 * nothing. What it costs beyond that is only known from its response: see {@link settle}.
 *
 * @returns 402 if the balance doesn't suffice; null: it is admitted
 */
export function debit(exchange: Exchange, caller: KeyCaller, prepaid: Prepaid, balances: BalanceStore): Outcome {
  const amount = amountAhead(prepaid, exchange.proxy.id);
  const counter = balances.balance(caller.subscriptionId);
  const { credit, used, counting: mode } = prepaid;
  const decide = ({ admitted, remaining }: Debited) => {
    exchange.answerHeaders.set('X-Balance-Remaining', String(Math.floor(remaining / microOfMinor)));
    if (!admitted) return { kind: 'refusal', error: 'balance_exhausted' } as const;
    // A caller that left meanwhile gets back what was debited for it.
    if (exchange.isOver) counter.adjust(-amount);
    else exchange.debit = { counter, prepaid, amount };
    return null;
  };
  const debited = counter.debit({ amount, credit, used, mode });
  return debited instanceof Promise ? later(debited.then(decide)) : decide(debited);
}

/** Debits what a request really cost beyond its debit, or gives back what it didn't. Called once, when it has ended. */
export function settle({ counter, prepaid, amount }: Debit, exchange: Exchange, isRefused: boolean): void {
  const cost = isRefused ? 0 : costOf(prepaid, exchange);
  if (cost !== amount) counter.adjust(cost - amount);
}

function amountAhead({ charges }: Prepaid, proxyId: string): number {
  let amount = 0;
  for (const { meter, proxyIds, price } of charges) {
    if ((meter === 'requests' || meter === 'units') && isOf(proxyIds, proxyId)) amount += price;
  }
  return Math.max(1, Math.ceil(amount));
}

function costOf({ charges }: Prepaid, exchange: Exchange): number {
  const statusClass = Math.floor(exchange.status / 100);
  let cost = 0;
  for (const { meter, statusClasses, proxyIds, price } of charges) {
    if (!statusClasses.includes(statusClass) || !isOf(proxyIds, exchange.proxy.id)) continue;
    cost += price * quantityOf(exchange, meter);
  }
  return Math.round(cost);
}

function quantityOf(exchange: Exchange, meter: Prepaid['charges'][number]['meter']): number {
  switch (meter) {
    case 'requests':
      return 1;
    case 'request_bytes':
      return exchange.requestBytes;
    case 'response_bytes':
      return exchange.responseBytes;
    case 'units':
      return exchange.microUnits / microOfUnit;
  }
}

function isOf(proxyIds: readonly string[] | null, proxyId: string): boolean {
  return proxyIds === null || proxyIds.includes(proxyId);
}
