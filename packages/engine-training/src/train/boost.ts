import type { Ensemble } from '@millrace/engine/score/trees';

/**
 * Groups of rows, of which at most one choice is right: the candidates of one field in one document, or none of them.
 * Rows of a group stand together.
 */
export interface GroupedRows {
  /** `rowCount * featureCount` values, row after row. */
  readonly values: Float32Array;
  readonly featureCount: number;
  /** 1 where the row is a right choice. Several may be (the same value printed twice). */
  readonly labels: Uint8Array;
  /** The first row of each group, and the number of rows at the end. */
  readonly groupStarts: Int32Array;
  /** How much each group counts. */
  readonly groupWeights: Float32Array;
  /** Added to a row's score within the softmax: the logarithm of the number of rows it stands for. */
  readonly offsets: Float32Array;
}

export interface BoostOptions {
  readonly trees: number;
  readonly leaves: number;
  readonly learningRate: number;
  /** Share of the features that each tree may use. */
  readonly featureShare: number;
  /** L2 regularisation of the leaves. */
  readonly lambda: number;
  /** Least sum of the hessian in a leaf. */
  readonly leafWeight: number;
  readonly seed: number;
}

const binLimit = 64;
/** The score of choosing none of the rows. */
const noneScore = 0;
const startScore = -2;

/**
 * Trains an ensemble by gradient boosting over histograms (as LightGBM: Ke et al., NeurIPS 2017), leaf by leaf. The
 * loss is the negative logarithm of the probability that a softmax over a group's rows and "none" gives to the right
 * choices. The same rows, options and seed give the same ensemble on every machine.
 *
 * @returns the ensemble; the first tree is a lone leaf with the start score.
 */
export function boost(rows: GroupedRows, options: BoostOptions): Ensemble {
  const rowCount = rows.labels.length;
  const { featureCount } = rows;
  const { bins, edges } = binFeatures(rows);
  const usable = edges.flatMap((edge, feature) => (edge.length > 0 ? [feature] : []));
  const scores = new Float64Array(rowCount).fill(startScore);
  const gradients = new Float64Array(rowCount);
  const hessians = new Float64Array(rowCount);
  const random = randomNumbers(options.seed);
  const trees: Tree[] = [{ feature: [-1], threshold: [startScore], left: [0] }];
  const order = new Int32Array(rowCount);
  for (let tree = 0; tree < options.trees; tree += 1) {
    softmaxGradients(rows, scores, gradients, hessians);
    const features = usable.filter(() => random() < options.featureShare);
    if (features.length === 0) continue;
    trees.push(
      growTree({ bins, edges, features, gradients, hessians, order, scores, rowCount, featureCount }, options),
    );
  }
  return pack(trees);
}

/**
 * One ensemble whose sums are the means of those of several. Its trees come from each in turn, so that the first ones know
 * what all of them learnt first.
 */
export function meanOf(ensembles: readonly Ensemble[]): Ensemble {
  const trees = ensembles.map(unpack);
  const longest = Math.max(...trees.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, at) => trees.flatMap((own) => own[at] ?? [])).flat();
  return pack(
    inTurn.map(({ feature, threshold, left }) => ({
      feature,
      left,
      threshold: threshold.map((value, node) => (feature[node]! < 0 ? value / ensembles.length : value)),
    })),
  );
}

interface Tree {
  readonly feature: number[];
  readonly threshold: number[];
  readonly left: number[];
}

/** A generator of numbers in [0, 1) from a seed: mulberry32. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Features as bin numbers, column by column; the edge of bin `n` is the largest value in it. A constant feature has no edges. */
function binFeatures({ values, featureCount, labels }: GroupedRows): { bins: Uint8Array[]; edges: Float32Array[] } {
  const rowCount = labels.length;
  const bins: Uint8Array[] = [];
  const edges: Float32Array[] = [];
  const column = new Float32Array(rowCount);
  for (let feature = 0; feature < featureCount; feature += 1) {
    for (let row = 0; row < rowCount; row += 1) column[row] = values[row * featureCount + feature]!;
    const sorted = column.slice().sort();
    const distinct: number[] = [];
    for (const value of sorted) if (distinct.at(-1) !== value) distinct.push(value);
    let cuts: number[];
    if (distinct.length <= binLimit)
      cuts = distinct.slice(0, -1).map((value, index) => (value + distinct[index + 1]!) / 2);
    else {
      cuts = [];
      for (let bin = 1; bin < binLimit; bin += 1) {
        const cut = sorted[Math.floor((bin * rowCount) / binLimit)]!;
        if (cuts.length === 0 || cut > cuts.at(-1)!) cuts.push(cut);
      }
      if (cuts.at(-1) === distinct.at(-1)) cuts.pop();
    }
    const edge = Float32Array.from(cuts);
    const bin = new Uint8Array(rowCount);
    for (let row = 0; row < rowCount; row += 1) bin[row] = binOf(edge, column[row]!);
    bins.push(bin);
    edges.push(edge);
  }
  return { bins, edges };
}

/** The number of edges below a value. */
function binOf(edges: Float32Array, value: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const half = (low + high) >> 1;
    if (edges[half]! < value) low = half + 1;
    else high = half;
  }
  return low;
}

function softmaxGradients(
  rows: GroupedRows,
  scores: Float64Array,
  gradients: Float64Array,
  hessians: Float64Array,
): void {
  const { groupStarts, groupWeights, labels, offsets } = rows;
  for (let group = 0; group + 1 < groupStarts.length; group += 1) {
    const from = groupStarts[group]!;
    const to = groupStarts[group + 1]!;
    const weight = groupWeights[group]!;
    let highest = noneScore;
    for (let row = from; row < to; row += 1) highest = Math.max(highest, scores[row]! + offsets[row]!);
    let all = Math.exp(noneScore - highest);
    let right = 0;
    for (let row = from; row < to; row += 1) {
      const share = Math.exp(scores[row]! + offsets[row]! - highest);
      all += share;
      if (labels[row] === 1) right += share;
    }
    for (let row = from; row < to; row += 1) {
      const share = Math.exp(scores[row]! + offsets[row]! - highest);
      const probability = share / all;
      const wanted = labels[row] === 1 && right > 0 ? share / right : 0;
      gradients[row] = weight * (probability - wanted);
      hessians[row] = weight * Math.max(1e-6, probability * (1 - probability));
    }
  }
}

interface Growing {
  readonly bins: readonly Uint8Array[];
  readonly edges: readonly Float32Array[];
  readonly features: readonly number[];
  readonly gradients: Float64Array;
  readonly hessians: Float64Array;
  readonly order: Int32Array;
  readonly scores: Float64Array;
  readonly rowCount: number;
  readonly featureCount: number;
}

interface Leaf {
  readonly node: number;
  readonly from: number;
  readonly to: number;
  readonly histogram: Float64Array;
  readonly gradient: number;
  readonly hessian: number;
  readonly split: { readonly gain: number; readonly feature: number; readonly bin: number } | null;
}

function growTree(growing: Growing, options: BoostOptions): Tree {
  const { order, bins, edges, scores, rowCount } = growing;
  for (let row = 0; row < rowCount; row += 1) order[row] = row;
  const tree: Tree = { feature: [-1], threshold: [0], left: [0] };
  const leaves: Leaf[] = [makeLeaf(growing, options, 0, 0, rowCount, buildHistogram(growing, 0, rowCount))];
  while (leaves.length < options.leaves) {
    let best = -1;
    leaves.forEach((leaf, index) => {
      if (leaf.split && leaf.split.gain > (leaves[best]?.split?.gain ?? 1e-9)) best = index;
    });
    const leaf = leaves[best];
    if (!leaf?.split) break;
    const { feature, bin } = leaf.split;
    const column = bins[feature]!;
    // Partition that keeps the order within both parts, so that the result does not depend on how rows were swapped.
    const kept: number[] = [];
    let middle = leaf.from;
    for (let at = leaf.from; at < leaf.to; at += 1) {
      const row = order[at]!;
      if (column[row]! <= bin) {
        order[middle] = row;
        middle += 1;
      } else kept.push(row);
    }
    for (let index = 0; index < kept.length; index += 1) order[middle + index] = kept[index]!;
    const leftNode = tree.feature.length;
    tree.feature.push(-1, -1);
    tree.threshold.push(0, 0);
    tree.left.push(0, 0);
    tree.feature[leaf.node] = feature;
    tree.threshold[leaf.node] = edges[feature]![bin]!;
    tree.left[leaf.node] = leftNode;
    // The larger part's histogram is the parent's less the smaller part's.
    const leftIsSmall = middle - leaf.from <= leaf.to - middle;
    const small = leftIsSmall ? buildHistogram(growing, leaf.from, middle) : buildHistogram(growing, middle, leaf.to);
    const large = leaf.histogram;
    for (let index = 0; index < large.length; index += 1) large[index]! -= small[index]!;
    leaves[best] = makeLeaf(growing, options, leftNode, leaf.from, middle, leftIsSmall ? small : large);
    leaves.push(makeLeaf(growing, options, leftNode + 1, middle, leaf.to, leftIsSmall ? large : small));
  }
  for (const leaf of leaves) {
    const value = (-options.learningRate * leaf.gradient) / (leaf.hessian + options.lambda);
    tree.threshold[leaf.node] = value;
    for (let at = leaf.from; at < leaf.to; at += 1) scores[order[at]!]! += value;
  }
  return tree;
}

function buildHistogram(
  { bins, features, gradients, hessians, order }: Growing,
  from: number,
  to: number,
): Float64Array {
  const histogram = new Float64Array(features.length * binLimit * 2);
  for (let slot = 0; slot < features.length; slot += 1) {
    const column = bins[features[slot]!]!;
    const base = slot * binLimit * 2;
    for (let at = from; at < to; at += 1) {
      const row = order[at]!;
      const index = base + column[row]! * 2;
      histogram[index]! += gradients[row]!;
      histogram[index + 1]! += hessians[row]!;
    }
  }
  return histogram;
}

function makeLeaf(
  { features, edges, order, gradients, hessians }: Growing,
  options: BoostOptions,
  node: number,
  from: number,
  to: number,
  histogram: Float64Array,
): Leaf {
  let gradient = 0;
  let hessian = 0;
  for (let at = from; at < to; at += 1) {
    gradient += gradients[order[at]!]!;
    hessian += hessians[order[at]!]!;
  }
  const { lambda, leafWeight } = options;
  const whole = (gradient * gradient) / (hessian + lambda);
  let split: Leaf['split'] = null;
  for (let slot = 0; slot < features.length; slot += 1) {
    const feature = features[slot]!;
    const base = slot * binLimit * 2;
    let leftGradient = 0;
    let leftHessian = 0;
    for (let bin = 0; bin < edges[feature]!.length; bin += 1) {
      leftGradient += histogram[base + bin * 2]!;
      leftHessian += histogram[base + bin * 2 + 1]!;
      const rightHessian = hessian - leftHessian;
      if (leftHessian < leafWeight || rightHessian < leafWeight) continue;
      const rightGradient = gradient - leftGradient;
      const gain =
        (leftGradient * leftGradient) / (leftHessian + lambda) +
        (rightGradient * rightGradient) / (rightHessian + lambda) -
        whole;
      if (gain > (split?.gain ?? 1e-6)) split = { gain, feature, bin };
    }
  }
  return { node, from, to, histogram, gradient, hessian, split };
}

function pack(trees: readonly Tree[]): Ensemble {
  const count = trees.reduce((sum, tree) => sum + tree.feature.length, 0);
  const ensemble = {
    roots: new Int32Array(trees.length),
    feature: new Int16Array(count),
    threshold: new Float32Array(count),
    left: new Int32Array(count),
  };
  let at = 0;
  trees.forEach((tree, index) => {
    ensemble.roots[index] = at;
    ensemble.feature.set(tree.feature, at);
    ensemble.threshold.set(tree.threshold, at);
    ensemble.left.set(
      tree.left.map((left) => left + at),
      at,
    );
    at += tree.feature.length;
  });
  return ensemble;
}

function unpack({ roots, feature, threshold, left }: Ensemble): Tree[] {
  return Array.from(roots, (root, index) => {
    const end = roots[index + 1] ?? feature.length;
    return {
      feature: [...feature.subarray(root, end)],
      threshold: [...threshold.subarray(root, end)],
      left: Array.from(left.subarray(root, end), (node) => node - root),
    };
  });
}
