import type { PreparedStatement } from '@millrace/postgres';
import type { ControlDatabase } from '../../database/schema.ts';
import { ApiError } from '../../frame/errors.ts';

/** Gateway nodes waiting for something new, each with an open call that holds no transaction. */
export interface NodeWaits {
  /**
   * Waits until the organization's sequence number for its gateway nodes is no longer this one.
   *
   * @returns false if the time is up, the node waits elsewhere, or the service stops
   * @throws ApiError `unavailable` if too many nodes wait
   */
  untilChanged(
    node: { readonly id: string; readonly homeOrganizationId: string },
    head: string,
    waitMs: number,
  ): Promise<boolean>;
  /** Ends all waits, and later ones immediately. */
  stop(): void;
  readonly stopped: boolean;
}

interface Waiting {
  readonly organizationId: string;
  readonly head: string;
  end(changed: boolean): void;
}

/** A revocation has to be effective within a second on every node. */
const pollMs = 100;
/** Per process; each holds a connection. */
const mostWaiting = 2_000;

const heads: PreparedStatement<{ organization_id: string; sequence: string }> = {
  name: 'heads of gateway nodes',
  text: 'select organization_id, sequence from gateway_heads where organization_id = any($1)',
};

/** Polls the database while any node waits, once for all of them. */
export function createNodeWaits(database: ControlDatabase): NodeWaits {
  const waits = new Map<string, Waiting>();
  let polling = false;
  let stopped = false;

  const poll = async (): Promise<void> => {
    const organizationIds = [...new Set([...waits.values()].map(({ organizationId }) => organizationId))];
    // Without the database nothing has changed; the waits end when their time is up.
    const rows = await database.prepared(heads, [organizationIds]).catch(() => []);
    const sequences = new Map(rows.map((row) => [row.organization_id, row.sequence]));
    for (const wait of [...waits.values()]) {
      const sequence = sequences.get(wait.organizationId);
      if (sequence !== undefined && sequence !== wait.head) wait.end(true);
    }
  };
  const keepPolling = async (): Promise<void> => {
    if (polling) return;
    polling = true;
    while (waits.size > 0 && !stopped) {
      await new Promise((done) => setTimeout(done, pollMs));
      if (waits.size > 0 && !stopped) await poll();
    }
    polling = false;
  };

  return {
    get stopped() {
      return stopped;
    },
    untilChanged: async (node, head, waitMs) => {
      if (stopped) return false;
      const key = `${node.homeOrganizationId} ${node.id}`;
      waits.get(key)?.end(false);
      if (waits.size >= mostWaiting) throw new ApiError('unavailable');
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const wait: Waiting = {
        organizationId: node.homeOrganizationId,
        head,
        end: (changed) => {
          clearTimeout(timer);
          if (waits.get(key) === wait) waits.delete(key);
          resolve(changed);
        },
      };
      const timer = setTimeout(() => wait.end(false), waitMs);
      waits.set(key, wait);
      void keepPolling();
      return promise;
    },
    stop: () => {
      stopped = true;
      for (const wait of [...waits.values()]) wait.end(false);
    },
  };
}
