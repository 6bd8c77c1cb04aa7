import type { RequestRecord } from '@millrace/data-plane/record';
import type { Logger } from 'pino';

const everyMs = 60_000;
/** Products remembered at most; all are forgotten at once, which costs a repeated line at worst. */
const mostProducts = 1_000;

/** Logs unreadable units, at most once a minute for each product: every call may have some. */
export function createUnitsWarnings(logger: Pick<Logger, 'warn'>): (record: RequestRecord) => void {
  const lastMs = new Map<string, number>();
  return ({ unitsState, productId, proxyId, requestId, startedAtMs }) => {
    if (unitsState !== 'unreadable' || productId === null) return;
    if (Math.abs(startedAtMs - (lastMs.get(productId) ?? -Infinity)) < everyMs) return;
    if (lastMs.size >= mostProducts) lastMs.clear();
    lastMs.set(productId, startedAtMs);
    logger.warn({ productId, proxyId, requestId }, 'the header with units could not be read; they count as 0');
  };
}
