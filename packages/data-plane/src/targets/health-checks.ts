/** Checks the health of endpoints every few seconds. */
import http from 'node:http';
import https from 'node:https';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { servernameOf } from './connection.ts';
import type { Endpoint } from './endpoints.ts';
import { statusByHttp2 } from './http2-status.ts';

const timeoutMs = 2_000;
/** Number of consecutive equal results that change an endpoint's health. */
const toTurnBad = 2;
const toTurnGood = 2;
/** Maximum concurrent checks, over all endpoints. */
const mostAtOnce = 50;

interface Watched {
  readonly endpoint: Endpoint;
  dueMs: number;
  well: boolean;
  /** Consecutive results that contradict its current health. */
  contradictions: number;
}

export interface HealthChecks {
  /** Watches these from now on, and no others; what is known of those that were watched before is kept. */
  watch(endpoints: readonly Endpoint[]): void;
  stop(): void;
}

/**
 * Checks each endpoint of a target with a health path by GET: 2xx and 3xx are healthy, anything else or no response within
 * two seconds is not. An endpoint counts as healthy until two checks in a row fail, and again after two that succeed.
 *
 * @param onChange called when the health of an endpoint changes
 */
export function startHealthChecks(
  onChange: (endpoint: Endpoint, well: boolean) => void,
  { intervalMs = 5_000 }: { readonly intervalMs?: number } = {},
): HealthChecks {
  let watched = new Map<Endpoint, Watched>();
  const stopping = new AbortController();
  let running = 0;

  const checkDue = () => {
    const nowMs = performance.now();
    for (const entry of watched.values()) {
      if (running >= mostAtOnce) return;
      if (entry.dueMs > nowMs) continue;
      entry.dueMs = nowMs + intervalMs;
      running += 1;
      void isWell(entry.endpoint, stopping.signal).then((well) => {
        running -= 1;
        if (watched.get(entry.endpoint) === entry) take(entry, well);
      });
    }
  };
  const take = (entry: Watched, well: boolean) => {
    entry.contradictions = well === entry.well ? 0 : entry.contradictions + 1;
    if (entry.contradictions < (well ? toTurnGood : toTurnBad)) return;
    entry.contradictions = 0;
    entry.well = well;
    onChange(entry.endpoint, well);
  };
  const timer = setInterval(checkDue, Math.min(intervalMs, 250));
  timer.unref();

  return {
    watch(endpoints) {
      const nowMs = performance.now();
      const checked = endpoints.filter(({ target }) => target.healthPath !== null && target.enabled);
      watched = new Map(
        checked.map((endpoint) => [
          endpoint,
          // Spread, so that many endpoints are not asked at one moment.
          watched.get(endpoint) ?? {
            endpoint,
            dueMs: nowMs + Math.random() * intervalMs,
            well: true,
            contradictions: 0,
          },
        ]),
      );
    },
    stop() {
      clearInterval(timer);
      stopping.abort();
    },
  };
}

function isWell(endpoint: Endpoint, signal: AbortSignal): Promise<boolean> {
  const { target, host, port, reach } = endpoint;
  if (reach.refusalOf(host) !== null) return Promise.resolve(false);
  if (target.protocol === 'http2')
    return isWellByHttp2(endpoint, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
  return new Promise((resolve) => {
    const request = (target.tls === null ? http : https).request({
      ...target.tls,
      host,
      port,
      lookup: reach.lookup,
      path: target.healthPath,
      method: 'GET',
      // A connection of its own: whether new ones can be had is part of the question.
      agent: false,
      headers: { 'user-agent': 'millrace-gateway' },
      timeout: timeoutMs,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      resolve(status >= 200 && status < 400);
      response.destroy();
    });
    request.on('error', () => resolve(false));
    request.on('close', () => resolve(false));
    request.end();
  });
}

async function isWellByHttp2(
  { target, host, port, reach, authority }: Endpoint,
  signal: AbortSignal,
): Promise<boolean> {
  const where = { host, port, lookup: reach.lookup };
  const socket =
    target.tls === null
      ? connect(where)
      : connectTls({ ...where, ...servernameOf(host), ...target.tls, ALPNProtocols: ['h2'] });
  try {
    const asked = { authority, scheme: target.scheme, path: target.healthPath! };
    const status = await statusByHttp2(socket, asked, signal);
    return status >= 200 && status < 400;
  } catch {
    return false;
  }
}
