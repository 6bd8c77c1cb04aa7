/**
 * A boosted ensemble of regression trees over typed arrays. Node `n` of the ensemble sends a row left if its feature is
 * at most the threshold; a leaf has feature -1 and its value in `threshold`.
 */
export interface Ensemble {
  /** Index of each tree's root. */
  readonly roots: Int32Array;
  readonly feature: Int16Array;
  readonly threshold: Float32Array;
  /** The left child; the right one is the node after it. */
  readonly left: Int32Array;
}

/**
 * For each row of features the sum of the leaves that it reaches, over all trees in their order. Tree by tree the rows are
 * parted at each node: one comparison after the other with the same threshold, which costs two thirds of what following
 * each row from root to leaf does.
 *
 * @param rows one row after the other, each of `width` features.
 */
export function evaluateEnsemble(ensemble: Ensemble, rows: Float32Array, width: number): Float64Array {
  const count = rows.length / width;
  const descent = {
    ensemble,
    rows,
    width,
    order: Int32Array.from({ length: count }, (_, row) => row),
    spare: new Int32Array(count),
    sums: new Float64Array(count),
  };
  if (count > 0) for (const root of ensemble.roots) descend(descent, root, 0, count);
  return descent.sums;
}

interface Descent {
  readonly ensemble: Ensemble;
  readonly rows: Float32Array;
  readonly width: number;
  /** The numbers of all rows; those that reach a node stand side by side. */
  readonly order: Int32Array;
  readonly spare: Int32Array;
  readonly sums: Float64Array;
}

/** Follows the rows at `from` to `to` of the order from a node to their leaves. */
function descend(descent: Descent, node: number, from: number, to: number): void {
  const { ensemble, rows, width, order, spare, sums } = descent;
  const split = ensemble.feature[node]!;
  const threshold = ensemble.threshold[node]!;
  if (split < 0) {
    for (let at = from; at < to; at += 1) sums[order[at]!]! += threshold;
    return;
  }
  let middle = from;
  let right = 0;
  for (let at = from; at < to; at += 1) {
    const row = order[at]!;
    // Both places are written and one is kept: nothing can foretell the side, and a wrong guess costs more.
    const isLeft = Number(rows[row * width + split]! <= threshold);
    order[middle] = row;
    spare[right] = row;
    middle += isLeft;
    right += 1 - isLeft;
  }
  for (let at = 0; at < right; at += 1) order[middle + at] = spare[at]!;
  const left = ensemble.left[node]!;
  if (middle > from) descend(descent, left, from, middle);
  if (middle < to) descend(descent, left + 1, middle, to);
}
