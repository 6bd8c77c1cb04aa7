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

/** The sum of all trees' leaves for a row of features. */
export function evaluateEnsemble({ roots, feature, threshold, left }: Ensemble, row: Float32Array): number {
  let sum = 0;
  for (let tree = 0; tree < roots.length; tree += 1) {
    let node = roots[tree]!;
    let split = feature[node]!;
    while (split >= 0) {
      node = row[split]! <= threshold[node]! ? left[node]! : left[node]! + 1;
      split = feature[node]!;
    }
    sum += threshold[node]!;
  }
  return sum;
}
