import { familyOf, secondsOf } from '../statistics/processor-time.ts';
import { median, quantile } from '../statistics/quantile.ts';

/** Whose processor time is measured: processes of the service with their children, and PostgreSQL's own. */
export interface Measured {
  readonly serviceIds: () => readonly number[];
  readonly postgresId: () => number;
}

/** Of one call: its time, and the processor time of the service and of PostgreSQL. */
export interface Cost {
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly serviceMs: number;
  readonly postgresMs: number;
}

const warmUps = 5;

/** Calls one after the other. */
export async function costOf(measured: Measured, calls: number, call: () => Promise<unknown>): Promise<Cost> {
  for (let index = 0; index < warmUps; index++) await call();
  const before = spent(measured);
  const ms: number[] = [];
  for (let index = 0; index < calls; index++) {
    const beganMs = performance.now();
    await call();
    ms.push(performance.now() - beganMs);
  }
  const after = spent(measured);
  return {
    medianMs: median(ms),
    p95Ms: quantile(ms, 0.95),
    serviceMs: ((after.service - before.service) * 1_000) / calls,
    postgresMs: ((after.postgres - before.postgres) * 1_000) / calls,
  };
}

/** Processor seconds until now. */
export function spent({ serviceIds, postgresId }: Measured): { readonly service: number; readonly postgres: number } {
  return {
    service: secondsOf(serviceIds().flatMap(familyOf)),
    postgres: secondsOf(familyOf(postgresId())),
  };
}

/** A row of a table of costs. */
export function costCells({ medianMs, p95Ms, serviceMs, postgresMs }: Cost): string {
  return [medianMs, p95Ms, serviceMs, postgresMs].map((ms) => ms.toFixed(1)).join(' | ');
}

export const costHeadings = 'median ms | p95 ms | service, CPU ms | PostgreSQL, CPU ms';

/** GET, which has to succeed. */
export async function get(url: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${text.slice(0, 300)}`);
  return text;
}

/** Sizes from the smallest to the largest, ten times as large each. */
export function tenfold(first: number, last: number): readonly number[] {
  return first > last ? [] : [first, ...tenfold(first * 10, last)];
}
