/** The endpoints of targets, and the choice between them. */

import type { ConnectionOptions } from 'node:tls';
import type { Exchange } from '@millrace/policies/run';
import type { PreparedText } from '../http/head-writer.ts';
import type { Condition } from './condition.ts';
import type { Http2Pool } from './http2-pool.ts';
import type { ConnectionPool } from './pool.ts';
import type { Reach } from './reach.ts';
import type { RetryBudget } from './retry.ts';

/** A target server of the environment, as routes name it. Kept over changes of the configuration that leave it as it is. */
export interface Target {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly scheme: 'http' | 'https';
  /** `auto`: TLS chooses. */
  readonly protocol: 'http1' | 'http2' | 'auto';
  /** What TLS chose; null: it is not known yet. */
  negotiated: 'http1' | 'http2' | null;
  /** Requested by GET every few seconds; null: only responses determine an endpoint's health. */
  readonly healthPath: string | null;
  /** For `tls.connect`; null where the scheme is http. */
  readonly tls: ConnectionOptions | null;
  /** Of all that it is configured with: two targets with one fingerprint are the same. */
  readonly fingerprint: string;
  /** Keeps retries from multiplying its load while it fails. */
  readonly retries: RetryBudget;
  /** At least one. */
  readonly endpoints: readonly Endpoint[];
}

/** One server of a target. */
export interface Endpoint {
  readonly target: Target;
  readonly host: string;
  readonly port: number;
  readonly weight: number;
  /** `host:port`, as it stands in logs and heartbeats. */
  readonly address: string;
  readonly reach: Reach;
  /** What the first line of a request ends with, and the Host field behind it, whatever address it is reached at. */
  readonly versionAndHost: PreparedText;
  /** As requests name it: without the scheme's own port. */
  readonly authority: string;
  /** Its pooled connections of HTTP/1.1. */
  readonly pool: ConnectionPool;
  /** Its connections of HTTP/2; null where it never speaks that. */
  readonly http2: Http2Pool | null;
  /** Its state, from its responses. */
  readonly condition: Condition;
}

/** How a request to an endpoint went. Aborts by the caller are not reported: they say nothing about the endpoint. */
export type Outcome =
  | { readonly kind: 'answered'; readonly status: number; readonly headMs: number }
  /** No connection, a broken one, or a response that is not HTTP. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'timed_out' };

/** Chooses among the endpoints of a target by their state. */
export interface Balancer {
  /**
   * Where a request goes; null: nowhere now, which is answered as `no_target`. Every endpoint that is returned gets its
   * {@link Balancer.report} or {@link Balancer.release}.
   *
   * @param tried endpoints that have failed this request already; none of them is chosen again
   * @param nowMs of a steady clock, as in {@link Balancer.report}
   */
  pickEndpoint(target: Target, exchange: Exchange, tried: readonly Endpoint[], nowMs: number): Endpoint | null;
  report(endpoint: Endpoint, outcome: Outcome, nowMs: number): void;
  /** A request ended without an outcome because its caller disconnected. */
  release(endpoint: Endpoint): void;
  /** The targets of the configuration that serves from now on; those of the one before are no longer watched. */
  use(targets: readonly Target[]): void;
  stop(): void;
}

/** Sends everything to the first endpoint of an enabled target that has not failed the request. */
export const firstEndpoint: Balancer = {
  pickEndpoint(target, _exchange, tried) {
    if (!target.enabled) return null;
    return target.endpoints.find((endpoint) => !tried.includes(endpoint)) ?? null;
  },
  report() {},
  release() {},
  use() {},
  stop() {},
};
