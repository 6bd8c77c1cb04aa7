import { type Ensembles, scoreRows } from '@millrace/engine/score/ensembles';
import { featureNames } from '@millrace/engine/score/features';
import type { Group } from './examples.ts';

/** What a model chose for a field of a document that it had not seen. */
export interface Judgement {
  readonly key: string;
  readonly family: string;
  readonly set: string;
  readonly real: boolean;
  readonly field: string;
  /** The probability of the likeliest value; 0 where there is no candidate. */
  readonly probability: number;
  readonly right: boolean;
  readonly present: boolean;
  /** Whether the page shows the label. */
  readonly printed: boolean;
}

/** Scores a group's rows as `rank` does and says whether the likeliest value is right. */
export function judgeGroup(ensembles: Ensembles, group: Group): Judgement {
  const scores = scoreRows(ensembles, group.values, featureNames.length);
  const highest = Math.max(0, ...scores);
  let all = Math.exp(-highest);
  const byValue = new Map<number, { probability: number; right: boolean }>();
  scores.forEach((score, row) => {
    const share = Math.exp(score - highest);
    all += share * Math.exp(group.offsets[row]!);
    const number = group.valueNumbers[row]!;
    const value = byValue.get(number) ?? { probability: 0, right: false };
    byValue.set(number, { probability: value.probability + share, right: value.right || group.labels[row] === 1 });
  });
  let best = { probability: 0, right: false };
  for (const value of byValue.values()) if (value.probability > best.probability) best = value;
  const { key, family, set, real, field, present, teaches: printed } = group;
  return { key, family, set, real, field, probability: best.probability / all, right: best.right, present, printed };
}

/** The probability from which on giving the value is worth it: where F1 over the judgements is highest. */
export function bestThreshold(judgements: readonly Judgement[]): {
  threshold: number;
  f1: number;
  precision: number;
  recall: number;
} {
  const present = judgements.filter((judgement) => judgement.present).length;
  const sorted = judgements.toSorted((a, b) => b.probability - a.probability);
  let right = 0;
  let best = { threshold: 1, f1: 0, precision: 0, recall: 0 };
  sorted.forEach((judgement, index) => {
    if (judgement.right) right += 1;
    const precision = right / (index + 1);
    const recall = present > 0 ? right / present : 0;
    const f1 = right > 0 ? (2 * precision * recall) / (precision + recall) : 0;
    if (f1 > best.f1) {
      const next = sorted[index + 1]?.probability ?? 0;
      best = { threshold: (judgement.probability + next) / 2, f1, precision, recall };
    }
  });
  return best;
}

/**
 * Points of a rising line from probability to confidence by isotonic regression (pool adjacent violators) over
 * judgements, each point held back to the lower end of what its number of judgements allows.
 *
 * @param cap the highest confidence given: 100, or 89 where no real document confirmed the model.
 */
export function calibrate(judgements: readonly Judgement[], cap: number): (readonly [number, number])[] {
  const sorted = judgements
    .filter(({ probability }) => probability > 0)
    .toSorted((a, b) => a.probability - b.probability);
  interface Pool {
    from: number;
    to: number;
    right: number;
    count: number;
  }
  const pools: Pool[] = [];
  for (const { probability, right } of sorted) {
    pools.push({ from: probability, to: probability, right: right ? 1 : 0, count: 1 });
    for (;;) {
      const last = pools.at(-1)!;
      const previous = pools.at(-2);
      if (!previous || (previous.right / previous.count < last.right / last.count && previous.count >= 8)) break;
      pools.pop();
      pools.pop();
      pools.push({
        from: previous.from,
        to: last.to,
        right: previous.right + last.right,
        count: previous.count + last.count,
      });
    }
  }
  const points: (readonly [number, number])[] = [[0, 0]];
  let reached = 0;
  for (const { from, to, right, count } of pools) {
    const confidence = Math.max(reached, Math.min(cap, 100 * lowerBound(right, count)));
    reached = confidence;
    for (const at of from === to ? [from] : [from, to]) {
      const rounded = [Number(at.toFixed(5)), Number(confidence.toFixed(1))] as const;
      if (rounded[0] > points.at(-1)![0]) points.push(rounded);
    }
  }
  return points;
}

/** The lower end of Wilson's score interval for a share, which it is above in 19 of 20 cases. */
function lowerBound(right: number, count: number): number {
  const z = 1.645;
  const share = right / count;
  const centre = share + (z * z) / (2 * count);
  const spread = z * Math.sqrt((share * (1 - share) + (z * z) / (4 * count)) / count);
  return (centre - spread) / (1 + (z * z) / count);
}
