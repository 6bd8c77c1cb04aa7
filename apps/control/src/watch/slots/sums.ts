import { type PackedRow, unpackHistograms } from './packing.ts';
import type { SlotCounts } from './store.ts';

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

/** Without what they were added by. */
export function countsOf({ counts, histograms }: Sum): SlotCounts {
  return {
    requests: counts[0]!,
    status2xx: counts[1]!,
    status3xx: counts[2]!,
    status4xx: counts[3]!,
    status5xx: counts[4]!,
    limited: counts[5]!,
    requestBytes: counts[6]!,
    responseBytes: counts[7]!,
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
