import type { Exchange } from '../run.ts';

/** Exchanges answered from a cache, with the id that each had then: a gateway may use the object for another request. */
const hits = new WeakMap<Exchange, string>();

/** Notes that a kept answer is on its way through the response flow. */
export function markHit(exchange: Exchange): void {
  hits.set(exchange, exchange.id);
}

/** Notes that the answer is not a kept one, or is past the place at which it was kept. */
export function clearHit(exchange: Exchange): void {
  hits.delete(exchange);
}

/** Whether the answer went through this place of the response flow before it was kept. */
export function wasSeen(exchange: Exchange): boolean {
  return hits.get(exchange) === exchange.id;
}
