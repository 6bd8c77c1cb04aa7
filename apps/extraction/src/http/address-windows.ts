import { clientNetwork } from '@millrace/sign-in/client-network';
import type { RateWindow } from './authenticate.ts';

const windowSeconds = 60;
/** Beyond this many addresses in one window, further ones share one count. */
const addressLimit = 50_000;

/** Counts calls without a valid key by the address they come from, in windows of one minute. */
export interface AddressWindows {
  /** Counts a call. */
  count(address: string): RateWindow;
}

/** @param limit calls a minute of one address, in this process. */
export function createAddressWindows(limit: number): AddressWindows {
  let windowStart = 0;
  let used = new Map<string, number>();
  return {
    count(address) {
      const start = Math.floor(Date.now() / 1000 / windowSeconds) * windowSeconds;
      if (start !== windowStart) {
        windowStart = start;
        used = new Map();
      }
      const network = clientNetwork(address);
      const counted = used.has(network) || used.size < addressLimit ? network : 'others';
      const calls = (used.get(counted) ?? 0) + 1;
      used.set(counted, calls);
      return { limit, used: calls, resetSeconds: start + windowSeconds };
    },
  };
}
