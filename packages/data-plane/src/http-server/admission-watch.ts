import type { Consumers } from '../consumers/directory.ts';
import type { Timed } from '../http/deadlines.ts';
import type { Exchange } from './exchange.ts';
import type { Front } from './front.ts';

/**
 * How long after a change connections are checked, and how long rejected requests then have to end: with the
 * steps of the deadlines, it is over 800 ms after the change.
 */
const graceMs = 350;
/** Without a change, for keys that expire. */
const betweenMs = 2_000;

/**
 * Ends requests in flight whose caller's key is no longer valid. A request is checked when it begins, so tunnels and
 * long responses would outlive a revocation. Requests are not registered for this: the connections are scanned, which is
 * rare.
 */
export class AdmissionWatch implements Timed {
  deadlineMs: number;
  readonly #front: Front;
  readonly #consumers: Consumers;
  /** Requests that the last check rejected; the next one ends them if they are still rejected. */
  #refused: ReadonlySet<Exchange> = new Set();

  constructor(front: Front, consumers: Consumers) {
    this.#front = front;
    this.#consumers = consumers;
    this.deadlineMs = front.deadlines.nowMs + betweenMs;
    front.deadlines.add(this);
    consumers.onChange(() => {
      this.deadlineMs = Math.min(this.deadlineMs, front.deadlines.read() + graceMs);
    });
  }

  onDeadline(): void {
    const { deadlines, inFlight } = this.#front;
    this.#refused = inFlight === 0 ? new Set() : this.#look();
    this.deadlineMs = deadlines.nowMs + (this.#refused.size === 0 ? betweenMs : graceMs);
  }

  #look(): ReadonlySet<Exchange> {
    const { connections, deadlines, flow } = this.#front;
    const nowMs = deadlines.unixMs;
    const found = new Set<Exchange>();
    const look = (exchange: Exchange) => {
      if (exchange.caller === null) return;
      const error = this.#consumers.refusalOf(exchange.caller, exchange.proxy.id, exchange.route.id, nowMs);
      if (error === null) return;
      if (!this.#refused.has(exchange)) {
        found.add(exchange);
        return;
      }
      flow.refuse(exchange, error);
      exchange.connection.flush();
    };
    for (const connection of connections) connection.eachExchange(look);
    return found;
  }
}
