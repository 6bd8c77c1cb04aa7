import type { SlotRow } from '@millrace/gateway-configuration/reports';
import { addEncoded, middleOf } from '@millrace/histograms';

/** Ten-second figures of one environment, as nodes reported them. */
export interface TelemetryReport {
  readonly environmentId: string;
  readonly rows: readonly SlotRow[];
}

/** What proxies and environments are called, by id. */
export type Names = ReadonlyMap<string, string>;

const slotMs = 10_000;
/** `AGGREGATION_TEMPORALITY_DELTA`; OTLP's JSON has enumerations as numbers. */
const delta = 1;

/**
 * Upper bounds in microseconds: powers of two from 64 µs to about 67 s, and the middle between each two. Both are edges of
 * the recorded buckets, so that no count is split.
 */
const boundsUs = Array.from({ length: 21 }, (_, index) => [2 ** (index + 6), 3 * 2 ** (index + 5)]).flat();
const explicitBounds = boundsUs.map((us) => us / 1_000_000);

/**
 * The reports as an `ExportMetricsServiceRequest` in OTLP's JSON (https://opentelemetry.io/docs/specs/otlp/): sums and
 * histograms of ten seconds each with delta temporality, so that adding them up gives the totals whatever comes late.
 *
 * @param instanceId of the service that exports
 */
export function metricsOf(reports: readonly TelemetryReport[], names: Names, instanceId: string): object {
  const points = merged(reports).map(({ environmentId, row }) => pointOf(environmentId, row, names));
  const sum = (name: string, unit: string, description: string, amountOf: (row: SlotRow) => number) => ({
    name,
    unit,
    description,
    sum: {
      aggregationTemporality: delta,
      isMonotonic: true,
      dataPoints: points
        .filter(({ row }) => amountOf(row) > 0)
        .map(({ row, ...point }) => ({ ...point, asInt: String(amountOf(row)) })),
    },
  });
  const histogram = (name: string, description: string, encodedOf: (row: SlotRow) => readonly number[]) => ({
    name,
    unit: 's',
    description,
    histogram: {
      aggregationTemporality: delta,
      dataPoints: points
        .filter(({ row }) => encodedOf(row).length > 0)
        .map(({ row, ...point }) => ({ ...point, ...bucketsOf(encodedOf(row)) })),
    },
  });
  const statusClasses = [
    ['2xx', (row: SlotRow) => row.status2xx],
    ['3xx', (row: SlotRow) => row.status3xx],
    ['4xx', (row: SlotRow) => row.status4xx],
    ['5xx', (row: SlotRow) => row.status5xx],
  ] as const;
  const responses = {
    name: 'millrace.gateway.responses',
    unit: '{response}',
    description: 'Responses by class of status',
    sum: {
      aggregationTemporality: delta,
      isMonotonic: true,
      dataPoints: points.flatMap(({ row, attributes, ...point }) =>
        statusClasses
          .filter(([, countOf]) => countOf(row) > 0)
          .map(([statusClass, countOf]) => ({
            ...point,
            attributes: [...attributes, attribute('http.response.status_class', statusClass)],
            asInt: String(countOf(row)),
          })),
      ),
    },
  };
  const metrics = [
    sum('millrace.gateway.requests', '{request}', 'Requests that ended', (row) => row.requests),
    responses,
    sum('millrace.gateway.limited', '{request}', 'Requests refused by limits', (row) => row.limited),
    sum('millrace.gateway.request.size', 'By', 'Bytes of request bodies', (row) => row.requestBytes),
    sum('millrace.gateway.response.size', 'By', 'Bytes of response bodies', (row) => row.responseBytes),
    histogram(
      'millrace.gateway.request.duration',
      'From the head of a request to the end of its response',
      (row) => row.latency,
    ),
    histogram('millrace.gateway.overhead.duration', 'Time in the gateway itself', (row) => row.gatewayTime),
    histogram('millrace.gateway.target.duration', 'Time of the target', (row) => row.targetTime),
  ].filter((metric) => ('sum' in metric ? metric.sum : metric.histogram).dataPoints.length > 0);
  return {
    resourceMetrics: [
      {
        resource: {
          attributes: [
            attribute('service.name', 'millrace-gateway'),
            attribute('service.namespace', 'millrace'),
            attribute('service.instance.id', instanceId),
          ],
        },
        scopeMetrics: [{ scope: { name: 'millrace.gateway' }, metrics }],
      },
    ],
  };
}

/** The sums of all nodes by ten seconds, environment and proxy. */
function merged(reports: readonly TelemetryReport[]): readonly { environmentId: string; row: SlotRow }[] {
  const sums = new Map<string, { environmentId: string; row: SlotRow }>();
  for (const { environmentId, rows } of reports) {
    for (const row of rows) {
      const key = `${row.slot} ${environmentId} ${row.proxyId}`;
      const present = sums.get(key);
      sums.set(key, { environmentId, row: present === undefined ? row : added(present.row, row) });
    }
  }
  return [...sums.values()];
}

function added(first: SlotRow, second: SlotRow): SlotRow {
  return {
    ...first,
    requests: first.requests + second.requests,
    status2xx: first.status2xx + second.status2xx,
    status3xx: first.status3xx + second.status3xx,
    status4xx: first.status4xx + second.status4xx,
    status5xx: first.status5xx + second.status5xx,
    limited: first.limited + second.limited,
    requestBytes: first.requestBytes + second.requestBytes,
    responseBytes: first.responseBytes + second.responseBytes,
    gatewayTime: addEncoded(first.gatewayTime, second.gatewayTime),
    targetTime: addEncoded(first.targetTime, second.targetTime),
    latency: addEncoded(first.latency, second.latency),
  };
}

function pointOf(environmentId: string, row: SlotRow, names: Names) {
  const startMs = Date.parse(row.slot);
  return {
    row,
    startTimeUnixNano: `${startMs}000000`,
    timeUnixNano: `${startMs + slotMs}000000`,
    attributes: [
      attribute('millrace.environment.id', environmentId),
      attribute('millrace.environment.name', names.get(environmentId) ?? ''),
      attribute('millrace.proxy.id', row.proxyId),
      attribute('millrace.proxy.name', names.get(row.proxyId) ?? ''),
    ],
  };
}

/** A recorded histogram of microseconds, by seconds; its sum is off by at most 3.2 %. */
function bucketsOf(encoded: readonly number[]) {
  const counts = Array.from({ length: boundsUs.length + 1 }, () => 0);
  let count = 0;
  let sumUs = 0;
  for (let index = 0; index + 1 < encoded.length; index += 2) {
    const middleUs = middleOf(encoded[index]!);
    const times = encoded[index + 1]!;
    const above = boundsUs.findIndex((boundUs) => middleUs < boundUs);
    counts[above === -1 ? boundsUs.length : above]! += times;
    count += times;
    sumUs += middleUs * times;
  }
  return { count: String(count), sum: sumUs / 1_000_000, explicitBounds, bucketCounts: counts.map(String) };
}

function attribute(key: string, value: string) {
  return { key, value: { stringValue: value } };
}
