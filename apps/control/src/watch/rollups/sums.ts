import { addEncoded } from '@millrace/histograms';

/** What one hourly row counts; also the columns of what it is summed into, in this order. */
export const countColumns = [
  'requests',
  'status_2xx',
  'status_3xx',
  'status_4xx',
  'status_5xx',
  'limited',
  'request_bytes',
  'response_bytes',
] as const;

const rowDimensions = ['proxy', 'app', 'product', 'country'] as const;
/** What hours are summed by. */
export const hourDimensions = ['all', ...rowDimensions] as const;
export type HourDimension = (typeof hourDimensions)[number];

/** An hourly row as it is read to be summed; its histograms are arrays of the database as text. */
export interface HourlyRow extends Readonly<Record<(typeof countColumns)[number], string>> {
  readonly environment_id: string;
  readonly proxy_id: string;
  readonly app_id: string;
  readonly product_id: string;
  readonly country: string;
  readonly gateway_time: string;
  readonly target_time: string;
}

/** Rows that were added. */
export interface Sum {
  /** By what: an environment and the keys of one dimension or all. */
  readonly keys: readonly string[];
  /** In the order of {@link countColumns}. */
  readonly counts: readonly number[];
  readonly rows: number;
  readonly gatewayTime: readonly number[];
  readonly targetTime: readonly number[];
}

/** Sums by their keys. */
export class Sums {
  readonly #sums = new Map<string, Adding>();

  add(sum: Sum): void {
    const name = sum.keys.join(' ');
    const present = this.#sums.get(name);
    if (present === undefined) {
      this.#sums.set(name, { ...sum, counts: [...sum.counts] });
      return;
    }
    for (let index = 0; index < sum.counts.length; index++) present.counts[index]! += sum.counts[index]!;
    present.rows += sum.rows;
    present.gatewayTime = addEncoded(present.gatewayTime, sum.gatewayTime);
    present.targetTime = addEncoded(present.targetTime, sum.targetTime);
  }

  values(): readonly Sum[] {
    return [...this.#sums.values()];
  }
}

/** A sum that is still added to. */
interface Adding extends Sum {
  readonly counts: number[];
  rows: number;
  gatewayTime: readonly number[];
  targetTime: readonly number[];
}

/** A histogram from the text of its array. */
export function histogramOf(text: string): number[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(Number);
}

/** An hourly row, by all its dimensions. */
export function sumOfRow(row: HourlyRow): Sum {
  return {
    keys: [row.environment_id, row.proxy_id, row.app_id, row.product_id, row.country],
    counts: countColumns.map((column) => Number(row[column])),
    rows: 1,
    gatewayTime: histogramOf(row.gateway_time),
    targetTime: histogramOf(row.target_time),
  };
}

/** The same, by one dimension. */
export function byDimension(sum: Sum, dimension: HourDimension): Sum {
  const index = hourDimensions.indexOf(dimension);
  return { ...sum, keys: [sum.keys[0]!, index === 0 ? '' : sum.keys[index]!] };
}
