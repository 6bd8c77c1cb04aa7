import type { Exchange } from '../run.ts';

/** Exchanges answered from a cache, with their id at that time: a gateway may reuse the object for another request. */
const hits = new WeakMap<Exchange, string>();

/** Marks that a cached response is passing through the response flow. */
export function markHit(exchange: Exchange): void {
  hits.set(exchange, exchange.id);
}

/** Marks that the response is not cached, or is past the position at which it was cached. */
export function clearHit(exchange: Exchange): void {
  hits.delete(exchange);
}

/** Whether the response passed this position of the response flow before it was cached. */
export function wasSeen(exchange: Exchange): boolean {
  return hits.get(exchange) === exchange.id;
}
