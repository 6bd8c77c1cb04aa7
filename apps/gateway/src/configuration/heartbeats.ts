import { setTimeout } from 'node:timers/promises';
import type { Heartbeat } from '@millrace/gateway-configuration/reports';
import * as z from 'zod';

const HeartbeatResponse = z.object({
  drain: z.enum(['none', 'draining']),
  /** Nodes of the environment that count together. */
  nodes: z.int().min(1).optional(),
});
type HeartbeatResponse = z.infer<typeof HeartbeatResponse>;

interface HeartbeatOptions {
  describe(): Heartbeat;
  /** Delivers one, and returns the data of the response. */
  send(heartbeat: Heartbeat): Promise<unknown>;
  onResponse(response: HeartbeatResponse): void;
}

export interface Heartbeats {
  /** Sends one immediately; several simultaneous calls send one. */
  now(): void;
  /** Sends no more on its own; sends another one, and waits briefly for its delivery. */
  stop(): Promise<void>;
  /** The same again, with what was only known after the stop. */
  last(): Promise<void>;
}

const everyMs = 5_000;
const lastMs = 1_000;

/** Reports the node's status to the control plane every few seconds. An undelivered report is not repeated: the next one
 * is complete. */
export function startHeartbeats({ describe, send, onResponse }: HeartbeatOptions): Heartbeats {
  let isStopped = false;
  let isWanted = false;
  let sending: Promise<void> | null = null;

  const beat = async (): Promise<void> => {
    // A turn later, so that simultaneous changes are reported together.
    await null;
    isWanted = false;
    const response = HeartbeatResponse.safeParse(await send(describe()).catch(() => null));
    if (response.success && !isStopped) onResponse(response.data);
  };
  const now = (): void => {
    isWanted = true;
    if (sending !== null || isStopped) return;
    sending = beat().finally(() => {
      sending = null;
      if (isWanted) now();
    });
  };
  const timer = setInterval(now, everyMs);
  const last = async (): Promise<void> => {
    const lastOne = (sending ?? Promise.resolve()).then(beat);
    await Promise.race([lastOne, setTimeout(lastMs, null, { ref: false })]);
  };

  return {
    now,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await last();
    },
    last,
  };
}
