import { setTimeout } from 'node:timers/promises';
import type { BalanceStore } from '@millrace/counters';
import type { Logger } from 'pino';
import * as z from 'zod';
import type { Configuration } from './configuration/configuration.ts';

export interface RestoredBalances {
  /** Resolves once what the management API knows of is restored, or can't be for now. */
  readonly restored: Promise<void>;
  /** The store lost its counts: restores them again. */
  again(): void;
  stop(): void;
}

export interface RestoredBalancesOptions {
  readonly balances: BalanceStore;
  readonly configuration: Pick<Configuration, 'read'>;
  /** Whether the usage that a process before this one counted is delivered. */
  readonly isDelivered: () => boolean;
  readonly logger: Logger;
}

const Page = z.object({
  balances: z.array(z.object({ subscriptionId: z.string(), usedMicro: z.int() })),
  more: z.boolean(),
});

/** How long a start waits for this node's own usage to be delivered, and for what the management API knows of. */
const startMs = 5_000;
const checkEveryMs = 50;
/** When it is asked again, since other nodes may deliver what they counted before a restart. */
const againAfterMs = [5_000, 15_000, 45_000];

/**
 * Restores what is used of prepaid balances at a start and after the store lost its counts: a node that counts on its own
 * has lost them with the process before, and a store that all nodes share may have lost them with theirs.
 */
export function restoreBalances(options: RestoredBalancesOptions): RestoredBalances {
  const { balances, configuration, isDelivered, logger } = options;
  const stopping = new AbortController();
  let round = 0;

  /** How many balances there are. */
  const restore = async (): Promise<number> => {
    let count = 0;
    try {
      for (let after = ''; ; ) {
        const page = Page.parse(await configuration.read(`/gateway/balances${after && `?after=${after}`}`));
        for (const { subscriptionId, usedMicro } of page.balances) balances.restoreUsed(subscriptionId, usedMicro);
        count += page.balances.length;
        after = page.balances.at(-1)?.subscriptionId ?? '';
        if (!page.more || stopping.signal.aborted) break;
      }
    } catch (error) {
      if (!stopping.signal.aborted) logger.warn({ error }, 'prepaid balances continue from what was published last');
    }
    return count;
  };
  const restoreLater = async (): Promise<void> => {
    round += 1;
    const own = round;
    for (const ms of againAfterMs) {
      await setTimeout(ms, null, { signal: stopping.signal, ref: false });
      if (own !== round) return;
      await restore();
    }
  };
  const later = () => void restoreLater().catch(() => {});

  const restoreNow = async (): Promise<void> => {
    const beganMs = performance.now();
    if ((await restore()) === 0 || isDelivered()) return;
    while (!isDelivered() && performance.now() - beganMs < startMs) await setTimeout(checkEveryMs);
    await restore();
  };
  later();
  return {
    restored: Promise.race([restoreNow(), setTimeout(2 * startMs, undefined, { ref: false })]),
    again() {
      void restore();
      later();
    },
    stop: () => stopping.abort(),
  };
}
