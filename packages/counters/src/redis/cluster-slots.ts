import type { ServerAddress } from './address.ts';
import type { Reply } from './protocol.ts';

/** Slots of a cluster (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/). */
const slots = 16_384;

/** The slot of a key, or of its hash tag: CRC-16/XMODEM of its bytes. */
export function slotOf(key: string): number {
  let crc = 0;
  for (const byte of Buffer.from(key)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc % slots;
}

/** Slots from the first to the last, and the server that has them. */
export interface SlotRange {
  readonly first: number;
  readonly last: number;
  readonly server: ServerAddress;
}

/**
 * Reads the answer to `CLUSTER SLOTS`.
 *
 * @param asked the server that answered: one that doesn't know its own host leaves it out
 * @throws Error if the answer is none of that command
 */
export function readSlots(reply: Reply, asked: ServerAddress): readonly SlotRange[] {
  if (!Array.isArray(reply)) throw new Error('This is not a server of a Redis Cluster.');
  return (reply as readonly Reply[]).map((range) => {
    const [first, last, primary] = Array.isArray(range) ? (range as readonly Reply[]) : [];
    const [host, port] = Array.isArray(primary) ? (primary as readonly Reply[]) : [];
    if (typeof first !== 'number' || typeof last !== 'number' || typeof port !== 'number') {
      throw new Error('This is not a server of a Redis Cluster.');
    }
    return { first, last, server: serverAt(typeof host === 'string' ? host : '', port, asked) };
  });
}

/** What a server refuses a key with that is on another: `MOVED slot host:port`, or `ASK …` while the slot moves there. */
export interface Redirection {
  readonly isMoved: boolean;
  readonly slot: number;
  readonly server: ServerAddress;
}

/** @param asked the server that refused, see {@link readSlots} */
export function readRedirection(refusal: string, asked: ServerAddress): Redirection | null {
  const [, kind, slot, host = '', port] = /^(MOVED|ASK) (\d{1,5}) (.*):(\d{1,5})$/.exec(refusal) ?? [];
  if (kind === undefined) return null;
  return { isMoved: kind === 'MOVED', slot: Number(slot), server: serverAt(host, Number(port), asked) };
}

function serverAt(host: string, port: number, asked: ServerAddress): ServerAddress {
  return { path: null, host: host === '' || host === '?' ? asked.host : host, port };
}
