import { hash } from 'node:crypto';
import type { ConsumersPage } from '@millrace/gateway-configuration/consumers';
import type { Caller, ConsumerDirectory } from '@millrace/policies/run';
import { RecentKeys } from './recent-keys.ts';
import { type Admission, ConsumerTables, type FoundCaller } from './tables.ts';

/** The consumers that a node knows, kept up to date by pages of changes. */
export interface Consumers extends ConsumerDirectory {
  /**
   * Applies the next page. One with `after: 0` starts over: what was known stays in force until the last page of that
   * sequence (`more: false`) has come, and is then replaced at once.
   *
   * @throws RangeError if the page doesn't follow the ones applied
   */
  apply(page: ConsumersPage): void;
  /**
   * Why a caller that was admitted before is now rejected for a proxy's route; null: it isn't. Never for callers without
   * a key.
   *
   * @param nowMs Unix milliseconds
   */
  refusalOf(caller: Caller, proxyId: string, routeId: string, nowMs: number): KeyRefusal | null;
  /** Calls back after every change. */
  onChange(listener: () => void): void;
  /** Number of credentials. */
  readonly size: number;
  /** Up to which change they are known; null until they are complete for the first time. */
  readonly sequence: number | null;
}

type KeyRefusal = Extract<ReturnType<ConsumerDirectory['findByKey']>, string>;

/** Longer keys can't be keys of the platform. */
const longestKeyBytes = 200;
/** Number of keys remembered as they were received; at most twice as many. */
const rememberedKeys = 8_192;

/** What is remembered of a key: most are used for one route many times in a row. */
interface Remembered extends Admission {
  /** That it was used for last; null: none yet. */
  route: { readonly id: string } | null;
  caller: Caller | 'suspended' | 'not_subscribed';
}

interface Building {
  readonly tables: ConsumerTables;
  readonly upTo: number;
}

/**
 * Starts without consumers. A recently seen key is found as it was received; any other by its SHA-256.
 * Remembered keys are dropped with every change, and times are compared at every call.
 */
export function createConsumerDirectory(): Consumers {
  let tables = new ConsumerTables();
  let sequence: number | null = null;
  let building: Building | null = null;
  let recent = new RecentKeys<Remembered>();
  let earlier = new RecentKeys<Remembered>();
  const listeners: (() => void)[] = [];

  const look = (key: Uint8Array, start: number, end: number): Remembered | null => {
    if (end - start > longestKeyBytes) return null;
    let found = earlier.find(key, start, end);
    if (found === null) {
      const admission = tables.admissionOf(hash('sha256', key.subarray(start, end), 'buffer'));
      if (admission === null) return null;
      // Not spread: properties of such objects stand in another one, which is as far away as the first.
      const { validUntilMs, active, grants } = admission;
      found = { validUntilMs, active, grants, route: null, caller: 'not_subscribed' };
    }
    if (recent.size >= rememberedKeys) {
      earlier = recent;
      recent = new RecentKeys();
    }
    recent.add(key, start, end, found);
    return found;
  };

  const callerOf = (
    { grants }: Admission,
    proxyId: string,
    routeId: string,
  ): Caller | 'suspended' | 'not_subscribed' => {
    let suspended = false;
    for (const { product, caller } of grants) {
      const routes = product.proxies.get(proxyId);
      if (routes === undefined || (routes !== null && !routes.has(routeId))) continue;
      if (product.active) return caller;
      suspended = true;
    }
    return suspended ? 'suspended' : 'not_subscribed';
  };

  const isOver = ({ validUntilMs }: Admission, nowMs: number) => validUntilMs !== null && nowMs >= validUntilMs;

  return {
    findByKey(key, start, end, proxyId, route, nowMs) {
      const known = recent.find(key, start, end) ?? look(key, start, end);
      if (known === null || isOver(known, nowMs)) return 'key_invalid';
      if (!known.active) return 'suspended';
      if (known.route !== route) {
        known.caller = callerOf(known, proxyId, route.id);
        known.route = route;
      }
      return known.caller;
    },

    apply({ after, upTo, more, changes }) {
      if (after === 0) building = { tables: new ConsumerTables(), upTo: 0 };
      if (building !== null && building.upTo === after) {
        for (const change of changes) building.tables.apply(change);
        building = { tables: building.tables, upTo };
        if (more) return;
        tables = building.tables;
      } else if (after === sequence) {
        for (const change of changes) tables.apply(change);
      } else {
        throw new RangeError(`Consumers from ${after} on do not follow those up to ${sequence ?? 'none'}.`);
      }
      building = null;
      sequence = upTo;
      recent = new RecentKeys();
      earlier = new RecentKeys();
      for (const listener of listeners) listener();
    },

    refusalOf(caller, proxyId, routeId, nowMs) {
      if (!isFound(caller)) return null;
      const admission = tables.admissionOf(caller.keyHash);
      if (admission === null || isOver(admission, nowMs)) return 'key_invalid';
      if (!admission.active) return 'suspended';
      const found = callerOf(admission, proxyId, routeId);
      return typeof found === 'string' ? found : null;
    },

    onChange(listener) {
      listeners.push(listener);
    },

    get size() {
      return tables.size;
    },
    get sequence() {
      return sequence;
    },
  };
}

function isFound(caller: Caller): caller is FoundCaller {
  return 'keyHash' in caller;
}
