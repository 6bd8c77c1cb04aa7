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
 * An ensemble's nodes as tests, those of one feature together in the order in which a rising or a falling value fails
 * them. A test that a row fails takes the leaves on the near side of the node from those that the row may reach in the
 * node's tree; the nearest that is left over in the end is the one it reaches. After Lucchese et al., "QuickScorer: a
 * Fast Algorithm to Rank Documents with Additive Ensembles of Regression Trees" (SIGIR 2015): the tests lie in the order
 * in which they are read, and of each feature's only two are passed in vain.
 *
 * Which side of a node is near does not change the sums, and only what is failed costs time: it is the side to which
 * most rows go.
 */
interface Tests {
  readonly treeCount: number;
  readonly features: Int32Array;
  /** One past the last test of each of `features` that a row fails above the threshold, with rising thresholds. */
  readonly middles: Int32Array;
  /** One past the last one of those that follow, which a row fails up to the threshold, with falling thresholds. */
  readonly ends: Int32Array;
  readonly threshold: Float32Array;
  readonly tree: Int32Array;
  /** The leaves that are left over, one bit for each leaf of the tree, the nearest in the highest bit. */
  readonly kept: Int32Array;
  /** The leaves' values, `leafLimit` places for each tree, the nearest first. */
  readonly leaves: Float32Array;
}

/** Leaves of a tree: as many as an integer has bits. */
const leafLimit = 32;

const testsOfEnsembles = new WeakMap<Ensemble, Tests>();

/** The tests of an ensemble, made for rows like the first ones that it meets. */
function testsOf(ensemble: Ensemble, rows: Float32Array, width: number): Tests {
  let tests = testsOfEnsembles.get(ensemble);
  if (!tests) {
    tests = makeTests(ensemble, rows, width);
    testsOfEnsembles.set(ensemble, tests);
  }
  return tests;
}

function makeTests({ roots, feature, threshold, left }: Ensemble, rows: Float32Array, width: number): Tests {
  const leaves = new Float32Array(roots.length * leafLimit);
  const nodes: { feature: number; threshold: number; tree: number; kept: number; failsAbove: boolean }[] = [];
  roots.forEach((root, tree) => {
    let count = 0;
    const visit = (node: number) => {
      if (feature[node]! < 0) {
        if (count === leafLimit) throw new RangeError(`A tree has more than ${leafLimit} leaves`);
        leaves[tree * leafLimit + count] = threshold[node]!;
        count += 1;
        return;
      }
      const failsAbove = goMostlyLeft(rows, width, feature[node]!, threshold[node]!);
      const [near, far] = failsAbove ? [left[node]!, left[node]! + 1] : [left[node]! + 1, left[node]!];
      let kept = -1;
      const first = count;
      visit(near);
      for (let leaf = first; leaf < count; leaf += 1) kept &= ~(highestBit >>> leaf);
      nodes.push({ feature: feature[node]!, threshold: threshold[node]!, tree, kept, failsAbove });
      visit(far);
    };
    visit(root);
  });
  nodes.sort(
    (a, b) =>
      a.feature - b.feature ||
      Number(b.failsAbove) - Number(a.failsAbove) ||
      (a.failsAbove ? a.threshold - b.threshold : b.threshold - a.threshold),
  );
  const features = [...new Set(nodes.map((node) => node.feature))];
  const starts = features.map((each) => nodes.findIndex((node) => node.feature === each));
  const ends = [...starts.slice(1), nodes.length];
  return {
    treeCount: roots.length,
    features: Int32Array.from(features),
    middles: Int32Array.from(
      starts,
      (start, at) => start + nodes.slice(start, ends[at]).filter((node) => node.failsAbove).length,
    ),
    ends: Int32Array.from(ends),
    threshold: Float32Array.from(nodes, (node) => node.threshold),
    tree: Int32Array.from(nodes, ({ tree }) => tree),
    kept: Int32Array.from(nodes, ({ kept }) => kept),
    leaves,
  };
}

const highestBit = 1 << (leafLimit - 1);

/** Whether at least half of the rows have a feature of at most the threshold. */
function goMostlyLeft(rows: Float32Array, width: number, feature: number, threshold: number): boolean {
  let lead = 0;
  for (let at = feature; at < rows.length; at += width) lead += rows[at]! <= threshold ? 1 : -1;
  return lead >= 0;
}

/**
 * For each row of features the sum of the leaves that it reaches, over all trees in their order.
 *
 * @param rows one row after the other, each of `width` features.
 * @param chosen the numbers of the rows to be evaluated, from 0; all of them where it is left out.
 */
export function evaluateEnsemble(
  ensemble: Ensemble,
  rows: Float32Array,
  width: number,
  chosen?: Int32Array,
): Float64Array {
  const sums = new Float64Array(chosen?.length ?? rows.length / width);
  if (sums.length === 0) return sums;
  const tests = testsOf(ensemble, rows, width);
  const reachable = new Int32Array(tests.treeCount);
  for (let at = 0; at < sums.length; at += 1) {
    reachable.fill(-1);
    failTests(tests, rows, (chosen ? chosen[at]! : at) * width, reachable);
    sums[at] = sumOfLeaves(tests, reachable);
  }
  return sums;
}

/** @param start where the row begins in `rows`. */
function failTests(tests: Tests, rows: Float32Array, start: number, reachable: Int32Array): void {
  const { features, middles, ends, threshold, tree, kept } = tests;
  let test = 0;
  for (let at = 0; at < features.length; at += 1) {
    const value = rows[start + features[at]!]!;
    const middle = middles[at]!;
    for (; test < middle && !(value <= threshold[test]!); test += 1) reachable[tree[test]!]! &= kept[test]!;
    const end = ends[at]!;
    for (test = middle; test < end && value <= threshold[test]!; test += 1) reachable[tree[test]!]! &= kept[test]!;
    test = end;
  }
}

function sumOfLeaves({ treeCount, leaves }: Tests, reachable: Int32Array): number {
  let sum = 0;
  for (let tree = 0; tree < treeCount; tree += 1) sum += leaves[tree * leafLimit + Math.clz32(reachable[tree]!)]!;
  return sum;
}
