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
 * An ensemble's nodes as tests, those of one feature together with rising thresholds. A test that a row fails, its feature
 * being above the threshold, takes the leaves on the left of the node from those that the row may reach in the node's
 * tree; the leftmost that is left over in the end is the one it reaches. After Lucchese et al., "QuickScorer: a Fast
 * Algorithm to Rank Documents with Additive Ensembles of Regression Trees" (SIGIR 2015): the tests lie in the order in
 * which they are read, and of each feature's only one is passed in vain.
 */
interface Tests {
  readonly treeCount: number;
  readonly features: Int32Array;
  /** One past the last test of each of `features`. */
  readonly ends: Int32Array;
  readonly threshold: Float32Array;
  readonly tree: Int32Array;
  /** The leaves that are left over, one bit for each leaf of the tree from the left. */
  readonly kept: Int32Array;
  /** The leaves' values, `leafLimit` places for each tree. */
  readonly leaves: Float32Array;
}

/** Leaves of a tree: as many as an integer has bits. */
const leafLimit = 32;

const testsOfEnsembles = new WeakMap<Ensemble, Tests>();

function testsOf(ensemble: Ensemble): Tests {
  let tests = testsOfEnsembles.get(ensemble);
  if (!tests) {
    tests = makeTests(ensemble);
    testsOfEnsembles.set(ensemble, tests);
  }
  return tests;
}

function makeTests({ roots, feature, threshold, left }: Ensemble): Tests {
  const leaves = new Float32Array(roots.length * leafLimit);
  const nodes: { feature: number; threshold: number; tree: number; kept: number }[] = [];
  roots.forEach((root, tree) => {
    let count = 0;
    const visit = (node: number) => {
      if (feature[node]! < 0) {
        if (count === leafLimit) throw new RangeError(`A tree has more than ${leafLimit} leaves`);
        leaves[tree * leafLimit + count] = threshold[node]!;
        count += 1;
        return;
      }
      let kept = -1;
      const first = count;
      visit(left[node]!);
      for (let leaf = first; leaf < count; leaf += 1) kept &= ~(1 << leaf);
      nodes.push({ feature: feature[node]!, threshold: threshold[node]!, tree, kept });
      visit(left[node]! + 1);
    };
    visit(root);
  });
  nodes.sort((a, b) => a.feature - b.feature || a.threshold - b.threshold);
  const features = [...new Set(nodes.map((node) => node.feature))];
  return {
    treeCount: roots.length,
    features: Int32Array.from(features),
    ends: Int32Array.from(features, (each) => nodes.findLastIndex((node) => node.feature === each) + 1),
    threshold: Float32Array.from(nodes, (node) => node.threshold),
    tree: Int32Array.from(nodes, ({ tree }) => tree),
    kept: Int32Array.from(nodes, ({ kept }) => kept),
    leaves,
  };
}

/** Rows that are looked at together, feature by feature. */
const blockRows = 64;

/**
 * For each row of features the sum of the leaves that it reaches, over all trees in their order.
 *
 * @param rows one row after the other, each of `width` features.
 */
export function evaluateEnsemble(ensemble: Ensemble, rows: Float32Array, width: number): Float64Array {
  const tests = testsOf(ensemble);
  const sums = new Float64Array(rows.length / width);
  const reachable = new Int32Array(Math.min(blockRows, sums.length) * tests.treeCount);
  for (let first = 0; first < sums.length; first += blockRows) {
    const block = sums.subarray(first, first + blockRows);
    reachable.fill(-1);
    failTests(tests, rows.subarray(first * width), width, block.length, reachable);
    for (let row = 0; row < block.length; row += 1) block[row] = sumOfLeaves(tests, reachable, row * tests.treeCount);
  }
  return sums;
}

function failTests(tests: Tests, rows: Float32Array, width: number, count: number, reachable: Int32Array): void {
  const { treeCount, features, ends, threshold, tree, kept } = tests;
  let start = 0;
  for (let at = 0; at < features.length; at += 1) {
    const end = ends[at]!;
    for (let row = 0; row < count; row += 1) {
      const value = rows[row * width + features[at]!]!;
      const trees = row * treeCount;
      for (let test = start; test < end && !(value <= threshold[test]!); test += 1) {
        reachable[trees + tree[test]!]! &= kept[test]!;
      }
    }
    start = end;
  }
}

function sumOfLeaves({ treeCount, leaves }: Tests, reachable: Int32Array, start: number): number {
  let sum = 0;
  for (let tree = 0; tree < treeCount; tree += 1) {
    const left = reachable[start + tree]!;
    sum += leaves[tree * leafLimit + 31 - Math.clz32(left & -left)]!;
  }
  return sum;
}
