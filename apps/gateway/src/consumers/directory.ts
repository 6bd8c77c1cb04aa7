import { hash } from 'node:crypto';
import type { ConsumersPage } from '@millrace/configuration/consumers';
import type { ConsumerDirectory } from '@millrace/policies/run';
import { type Admission, ConsumerTables } from './tables.ts';

/** The consumers that a node knows, kept up to date by pages of changes. */
export interface Consumers extends ConsumerDirectory {
  /**
   * Applies the next page. One with `after: 0` begins anew: what was known stays in force until the last page of that
   * row (`more: false`) has come, and is then replaced at once.
   *
   * @throws RangeError where the page does not follow what is held
   */
  apply(page: ConsumersPage): void;
  /** Number of credentials. */
  readonly size: number;
  /** Up to which change they are known; null before they were whole for the first time. */
  readonly sequence: number | null;
}

/** Keys beyond this length are no keys of the platform. */
const longestKey = 200;
/** So many keys are remembered as they were received, twice at most. */
const rememberedKeys = 8_192;

interface Building {
  readonly tables: ConsumerTables;
  readonly upTo: number;
}

/**
 * Starts without any consumer. A key that was seen lately is found as it was received; of another one the SHA-256 is
 * looked up. What is remembered of keys is dropped with every change, and times are compared at every call.
 */
export function createConsumerDirectory(): Consumers {
  let tables = new ConsumerTables();
  let sequence: number | null = null;
  let building: Building | null = null;
  let recent = new Map<string, Admission>();
  let earlier = new Map<string, Admission>();

  const remember = (key: string, admission: Admission): void => {
    if (recent.size >= rememberedKeys) {
      earlier = recent;
      recent = new Map();
    }
    recent.set(key, admission);
  };

  const look = (key: string): Admission | null => {
    const remembered = earlier.get(key);
    if (remembered !== undefined) {
      remember(key, remembered);
      return remembered;
    }
    if (key.length > longestKey) return null;
    const admission = tables.admissionOf(hash('sha256', key, 'buffer'));
    // A copy: the key may be a piece of a text that would be kept whole with it.
    if (admission !== null) remember(Buffer.from(key).toString(), admission);
    return admission;
  };

  return {
    findByKey(key, proxyId, routeId, nowMs) {
      const admission = recent.get(key) ?? look(key);
      if (admission === null || nowMs >= admission.validUntilMs) return 'key_invalid';
      if (!admission.active) return 'suspended';
      let suspended = false;
      for (const { product, caller } of admission.grants) {
        const routes = product.proxies.get(proxyId);
        if (routes === undefined || (routes !== null && !routes.has(routeId))) continue;
        if (product.active) return caller;
        suspended = true;
      }
      return suspended ? 'suspended' : 'not_subscribed';
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
      recent = new Map();
      earlier = new Map();
    },

    get size() {
      return tables.size;
    },
    get sequence() {
      return sequence;
    },
  };
}
