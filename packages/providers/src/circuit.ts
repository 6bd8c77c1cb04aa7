/** Failures in a row after which a provider is left alone, and for how long. */
const failureLimit = 5;
const restMs = 30_000;

/**
 * Keeps calls away from a provider that is down: after several failures in a row none is allowed for half a minute;
 * then one is, whose outcome decides for the rest.
 */
export interface Circuit {
  /** Whether a call may be made now. */
  admit(): boolean;
  /** The outcome of an allowed call. */
  settle(outcome: 'answered' | 'outage'): void;
}

export function createCircuit(now: () => number = () => performance.now()): Circuit {
  let failures = 0;
  let closedUntilMs = 0;
  return {
    admit: () => {
      if (failures < failureLimit) return true;
      if (now() < closedUntilMs) return false;
      // The trial call; until it has ended the others keep waiting.
      closedUntilMs = now() + restMs;
      return true;
    },
    settle: (outcome) => {
      failures = outcome === 'answered' ? 0 : failures + 1;
      if (failures >= failureLimit) closedUntilMs = now() + restMs;
    },
  };
}
