import { type PackedRow, unpackHistograms } from './packing.ts';

/** Rows that were added. */
export interface Sum {
  readonly slotMs: number;
  readonly environmentId: string;
  readonly proxyId: string;
  /** In the order in which reports have them. */
  readonly counts: number[];
  /** The parts of each histogram, packed, in the order in which reports have them. */
  readonly histograms: readonly Buffer[][];
}

/** Adds rows by slot, environment and proxy. */
export class Sums {
  readonly #sums = new Map<string, Sum>();

  add(environmentId: string, row: PackedRow): void {
    const key = `${row.slotMs} ${environmentId} ${row.proxyId}`;
    const sum = this.#sums.get(key);
    if (sum === undefined) {
      const { slotMs, proxyId, counts, histograms } = row;
      this.#sums.set(key, {
        slotMs,
        environmentId,
        proxyId,
        counts: [...counts],
        histograms: histograms.map((part) => [part]),
      });
      return;
    }
    for (const [index, count] of row.counts.entries()) sum.counts[index]! += count;
    for (const [index, part] of row.histograms.entries()) sum.histograms[index]!.push(part);
  }

  values(): Sum[] {
    return [...this.#sums.values()];
  }
}

/** The counts of a sum, by their names. */
export function countsOf({ counts }: Sum) {
  return {
    requests: counts[0]!,
    status2xx: counts[1]!,
    status3xx: counts[2]!,
    status4xx: counts[3]!,
    status5xx: counts[4]!,
    limited: counts[5]!,
    requestBytes: counts[6]!,
    responseBytes: counts[7]!,
  };
}

/** The histograms of a sum, as `@millrace/histograms` encodes them. */
export function histogramsOf({ histograms }: Sum) {
  return {
    gatewayTime: unpackHistograms(histograms[0]!),
    targetTime: unpackHistograms(histograms[1]!),
    latency: unpackHistograms(histograms[2]!),
  };
}

/** By slot, environment and proxy. */
export function inOrder(first: Sum, second: Sum): number {
  return (
    first.slotMs - second.slotMs ||
    compare(first.environmentId, second.environmentId) ||
    compare(first.proxyId, second.proxyId)
  );
}

function compare(first: string, second: string): number {
  if (first === second) return 0;
  return first < second ? -1 : 1;
}
