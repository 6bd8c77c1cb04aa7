import type { SlotRow } from '@millrace/gateway-configuration/reports';

/** What a node reports of a slot: so many requests of ten milliseconds, of which some failed. */
export function slotRow(slotMs: number, proxyId: string, requests: number, errors: number): SlotRow {
  const times = requests === 0 ? [] : [bucketOfTenMs, requests];
  return {
    slot: new Date(slotMs).toISOString(),
    proxyId,
    requests,
    status2xx: requests - errors,
    status3xx: 0,
    status4xx: 0,
    status5xx: errors,
    limited: 0,
    requestBytes: 0,
    responseBytes: 0,
    gatewayTime: times,
    targetTime: times,
    latency: times,
  };
}

/** Of the histogram's buckets, that of 10,000 microseconds. */
const bucketOfTenMs = 163;
