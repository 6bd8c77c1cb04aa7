import { isEncodedHistogram } from '@millrace/histograms';
import * as z from 'zod';

const id = z.string().max(64);
const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const mostBuckets = 1_000;
/**
 * A histogram of microseconds, as `@millrace/histograms` encodes it: bucket, count, bucket, count, …, ascending. Checked as
 * a whole: a batch has hundreds of thousands of numbers, each of which would cost as much as a row.
 */
const Histogram = z
  .custom<number[]>(
    (value) =>
      Array.isArray(value) &&
      value.length <= 2 * mostBuckets &&
      value.every((number) => Number.isSafeInteger(number)) &&
      isEncodedHistogram(value),
    'Give each bucket with its count, ascending.',
  )
  .meta({ type: 'array', items: { type: 'integer', minimum: 0 }, maxItems: 2 * mostBuckets });

/** One of an app's last requests: neither its path nor anything that it carried. */
export const RecentRequest = z.strictObject({
  requestId: z.string().regex(/^[\x21-\x7e]{1,100}$/),
  at: z.iso.datetime(),
  appId: id,
  productId: id.nullable(),
  proxyId: id,
  /** Null: no route matched. */
  routeId: id.nullable(),
  method: z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,20}$/),
  status: z.int().min(0).max(999),
  durationUs: count,
});
export type RecentRequest = z.infer<typeof RecentRequest>;

/** What a node reports about itself, every few seconds and immediately after each load. */
export const Heartbeat = z.strictObject({
  software: z.string().max(100),
  startedAt: z.iso.datetime(),
  /** Where callers reach it, such as `http://127.0.0.1:4300`. */
  address: z
    .string()
    .max(500)
    .regex(/^https?:\/\/[\x21-\x7e]+$/)
    .optional(),
  /** What it serves now; null before the first load. */
  configuration: z.strictObject({ sequence: z.int().min(0), hash: z.string().max(64) }).nullable(),
  consumersSequence: count,
  /** What it was given and did not load, and why; null where nothing was refused since the last load. */
  refused: z
    .strictObject({
      sequence: z.int().min(0),
      reason: z.string().max(1_000),
      /** There where the configuration is at fault, and not the node or the way to it. */
      fault: z
        .strictObject({
          /** The one that cannot be loaded; null where it is none of them alone. */
          deploymentId: id.nullable(),
        })
        .optional(),
    })
    .nullable(),
  /** Whether all assigned revisions are loaded. */
  ready: z.boolean(),
  drain: z.enum(['none', 'draining', 'drained']),
  targets: z
    .array(
      z.strictObject({
        name: z.string().max(63),
        endpoint: z.string().max(300),
        state: z.enum(['healthy', 'unhealthy', 'ejected', 'open']),
      }),
    )
    .max(10_000),
  /** All usage of requests that began before this is delivered; `stopped`: all there is; null: unknown. */
  usageCompleteUntil: z
    .union([z.iso.datetime(), z.literal('stopped')])
    .nullable()
    .default(null),
  /** The last requests of apps since the report before; of bursts some are left out. */
  recentRequests: z.array(RecentRequest).max(1_000).default([]),
  metrics: z.strictObject({
    cpuPercent: z.number().min(0),
    memoryBytes: count,
    connections: count,
    /** Over the last ten seconds. */
    requestsPerSecond: z.number().min(0),
    errorsPerSecond: z.number().min(0),
    eventLoopDelayMs: z.number().min(0),
    spooledBatches: count,
  }),
});
export type Heartbeat = z.infer<typeof Heartbeat>;

const statuses = {
  requests: count,
  status2xx: count,
  status3xx: count,
  status4xx: count,
  status5xx: count,
} as const;

/** One row per hour, proxy, app, product and country: requests that ended in the hour. */
export const TrafficRow = z.strictObject({
  /** Beginning of the hour. */
  hour: z.iso.datetime(),
  proxyId: id,
  /** Null where no policy found the caller. */
  appId: id.nullable(),
  productId: id.nullable(),
  /** ISO 3166-1 alpha-2; `ZZ` where it is unknown. */
  country: z.string().length(2),
  ...statuses,
  /** Refused by the gateway with 429. */
  limited: count,
  requestBytes: count,
  responseBytes: count,
  /** Time in the gateway alone, and until the target's whole answer; microseconds. */
  gatewayTime: Histogram,
  targetTime: Histogram,
});
export type TrafficRow = z.infer<typeof TrafficRow>;

/** One row per minute in which requests ended, and deployment, for evaluating a canary. */
export const DeploymentRow = z.strictObject({
  minute: z.iso.datetime(),
  deploymentId: id,
  ...statuses,
  /** From the head of the request to the end of the answer; microseconds. */
  latency: Histogram,
});
export type DeploymentRow = z.infer<typeof DeploymentRow>;

/** One row per hour in which requests ended, and route. */
export const RouteRow = z.strictObject({ hour: z.iso.datetime(), proxyId: id, routeId: id, ...statuses });
export type RouteRow = z.infer<typeof RouteRow>;

/** One row per hour, proxy, route, app and product: requests of identified apps that ended in the hour with 4xx or 5xx. */
export const FailureRow = z.strictObject({
  /** Beginning of the hour. */
  hour: z.iso.datetime(),
  proxyId: id,
  /** Null: no route matched. */
  routeId: id.nullable(),
  appId: id,
  productId: id.nullable(),
  status4xx: count,
  status5xx: count,
});
export type FailureRow = z.infer<typeof FailureRow>;

/** One row per quarter of an hour in which requests began, term, proxy and status class: what is billed. */
export const MeteredRow = z.strictObject({
  /** Beginning of the quarter of an hour. */
  quarter: z.iso.datetime(),
  termId: id,
  proxyId: id,
  /** First digit of the status; 0: rejected by the gateway before anything was sent to a target. */
  statusClass: z.int().min(0).max(5),
  requests: count,
  requestBytes: count,
  responseBytes: count,
  /** Exact decimal. */
  units: z.string().regex(/^\d{1,16}(?:\.\d{1,6})?$/, 'Give a decimal of up to six fractional digits.'),
  /** Responses without the header that states units, and those whose header was unreadable: 0 units each. */
  withoutUnits: count,
  unreadableUnits: count,
});
export type MeteredRow = z.infer<typeof MeteredRow>;

/** More than ten seconds have, and so little that sums of all reports stay exact. */
const countOfSlot = z
  .int()
  .min(0)
  .max(2 ** 40);

/** One row per ten seconds in which requests ended, and proxy: for alerts and the live view. */
export const SlotRow = z.strictObject({
  /** Beginning of the ten seconds. */
  slot: z.iso.datetime(),
  proxyId: id,
  requests: countOfSlot,
  status2xx: countOfSlot,
  status3xx: countOfSlot,
  status4xx: countOfSlot,
  status5xx: countOfSlot,
  /** Refused by the gateway with 429. */
  limited: countOfSlot,
  requestBytes: countOfSlot,
  responseBytes: countOfSlot,
  /** Time in the gateway alone, and until the target's whole answer; microseconds. */
  gatewayTime: Histogram,
  targetTime: Histogram,
  /** From the head of the request to the end of the answer; microseconds. */
  latency: Histogram,
});
export type SlotRow = z.infer<typeof SlotRow>;

const usageRows = {
  traffic: z.array(TrafficRow).max(5_000),
  deployments: z.array(DeploymentRow).max(5_000),
  routes: z.array(RouteRow).max(5_000),
  metered: z.array(MeteredRow).max(5_000),
  /** Nodes of earlier versions have none. */
  slots: z.array(SlotRow).max(5_000).default([]),
  /** Nodes of earlier versions have none. */
  failures: z.array(FailureRow).max(5_000).default([]),
} as const;

/** What a node counted, without a number that would make it a batch. */
export const UsageRows = z.strictObject(usageRows);
export type UsageRows = z.infer<typeof UsageRows>;

/** Counts of a node since its last batch. Its number in its stream never comes again: applied twice it counts once. */
export const UsageBatch = z.strictObject({
  /** Of the node's process that made it: `usb_` and 26 characters. */
  streamId: z.string().regex(/^usb_[0-9a-z]{26}$/),
  /** Counted from 0. */
  sequence: count,
  ...usageRows,
});
export type UsageBatch = z.infer<typeof UsageBatch>;
