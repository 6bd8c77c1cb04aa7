import { type Ensemble, evaluateEnsemble } from './trees.ts';

/** Ensembles that rank a field's candidates together: a row's score is the sum of theirs, each times its share. */
export type Ensembles = readonly [Voice, ...Voice[]];

export interface Voice {
  readonly ensemble: Ensemble;
  /** More than 0; those of the ensembles add up to 1. */
  readonly share: number;
}

/**
 * A field's own ensemble and that of its kind of value.
 *
 * @param own null where that of the kind ranks alone.
 * @param kindShare from 0, for the own one alone, to 1
 */
export function joined(own: Ensemble | null, ofKind: Ensemble, kindShare: number): Ensembles {
  const kind = { ensemble: ofKind, share: kindShare };
  if (own === null || kindShare === 1) return [kind];
  const first = { ensemble: own, share: 1 - kindShare };
  return kindShare === 0 ? [first] : [first, kind];
}

/** The first trees, which all rows go through; they have learnt most of what the whole ensemble knows. */
const leadTrees = 60;
/**
 * A row so far below the best after the first trees is left behind: two or three of four are. In documents that the
 * models had not seen, the mean F1 of the fields is the same as by all rows.
 */
const margin = 3;
/** How far the rows that are left behind are put below the others: to no probability, but in their order. */
const farBelow = 20;

/**
 * The score of each row by all ensembles. Rows that the first trees of the first ensemble find hopeless go through no
 * others and end far below the rest.
 *
 * @param rows one row after the other, each of `width` features.
 */
export function scoreRows([first, ...others]: Ensembles, rows: Float32Array, width: number): Float64Array {
  const { lead, rest } = partsOf(first.ensemble);
  const scores = evaluateEnsemble(lead, rows, width);
  let best = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < scores.length; row += 1) best = Math.max(best, scores[row]!);
  const least = best - margin;
  const hopeful = Int32Array.from(scores.keys()).filter((row) => scores[row]! >= least);
  const sums = evaluateEnsemble(rest, rows, width, hopeful);
  for (let at = 0; at < sums.length; at += 1) sums[at] = first.share * (scores[hopeful[at]!]! + sums[at]!);
  for (const { ensemble, share } of others) {
    const added = evaluateEnsemble(ensemble, rows, width, hopeful);
    for (let at = 0; at < sums.length; at += 1) sums[at]! += share * added[at]!;
  }
  let lowest = Number.POSITIVE_INFINITY;
  for (let at = 0; at < sums.length; at += 1) lowest = Math.min(lowest, sums[at]!);
  for (let row = 0; row < scores.length; row += 1) scores[row]! += lowest - farBelow - least;
  for (let at = 0; at < sums.length; at += 1) scores[hopeful[at]!] = sums[at]!;
  return scores;
}

interface Parts {
  readonly lead: Ensemble;
  readonly rest: Ensemble;
}

const partsOfEnsembles = new WeakMap<Ensemble, Parts>();

function partsOf(ensemble: Ensemble): Parts {
  let parts = partsOfEnsembles.get(ensemble);
  if (!parts) {
    const { roots } = ensemble;
    parts = {
      lead: { ...ensemble, roots: roots.subarray(0, leadTrees) },
      rest: { ...ensemble, roots: roots.subarray(leadTrees) },
    };
    partsOfEnsembles.set(ensemble, parts);
  }
  return parts;
}
