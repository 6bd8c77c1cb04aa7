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
 * For each row of features the sum of the leaves that it reaches, over all trees in their order.
 *
 * @param rows one row after the other, each of `width` features.
 */
export function evaluateEnsemble(ensemble: Ensemble, rows: Float32Array, width: number): Float64Array {
  const { roots, feature, threshold, left } = ensemble;
  const sums = new Float64Array(rows.length / width);
  for (let at = 0; at < sums.length; at += 1) {
    const start = at * width;
    let sum = 0;
    for (let tree = 0; tree < roots.length; tree += 1) {
      let node = roots[tree]!;
      let split = feature[node]!;
      while (split >= 0) {
        node = rows[start + split]! <= threshold[node]! ? left[node]! : left[node]! + 1;
        split = feature[node]!;
      }
      sum += threshold[node]!;
    }
    sums[at] = sum;
  }
  return sums;
}
