/** Where a crop of one line of text holds ink. */
export interface Ink {
  /** 1 for each column with ink in it. */
  readonly columns: Uint8Array;
  /** The first row of the line itself and the one after its last, without what reaches in from its neighbours. */
  readonly top: number;
  readonly bottom: number;
}

/** A row that is inked for more than this part of its length is a ruling, not text. */
const rulingShare = 0.85;

/**
 * Parts ink from paper in a crop of 8-bit grey, whichever of them is dark. A pixel counts if the one above it is inked,
 * too: noise is made of single ones.
 */
export function measureInk(grey: Uint8Array, width: number): Ink {
  const height = grey.length / width;
  const threshold = otsuThreshold(grey);
  let dark = 0;
  for (const value of grey) if (value <= threshold) dark++;
  const inkIsDark = dark * 2 <= grey.length;
  const isInk = (at: number) => (grey[at] as number) <= threshold === inkIsDark;
  const columns = new Uint8Array(width);
  const rows = new Int32Array(height);
  for (let row = 1; row < height; row++) {
    const start = row * width;
    let inked = 0;
    for (let at = start; at < start + width; at++) if (isInk(at) && isInk(at - width)) inked++;
    if (inked > rulingShare * width) continue;
    rows[row] = inked;
    // The outermost rows belong to the neighbours more often than to the line.
    if (inked === 0 || row < 3 || row >= height - 2) continue;
    for (let at = start; at < start + width; at++) if (isInk(at) && isInk(at - width)) columns[at - start] = 1;
  }
  const { top, bottom } = middleRun(rows);
  return { columns, top: Math.max(0, top - 1), bottom };
}

/** The rows around the most inked one, up to where two rows in succession are empty; at least half of all. */
function middleRun(rows: Int32Array): { top: number; bottom: number } {
  const height = rows.length;
  const most = rows.indexOf(Math.max(...rows));
  const isEmpty = (row: number) => rows[row] === 0;
  let top = most;
  while (top > 0 && !(isEmpty(top - 1) && (top < 2 || isEmpty(top - 2)))) top--;
  let bottom = most + 1;
  while (bottom < height && !(isEmpty(bottom) && (bottom + 1 >= height || isEmpty(bottom + 1)))) bottom++;
  const lacking = height / 2 - (bottom - top);
  if (lacking <= 0) return { top, bottom };
  return { top: Math.max(0, Math.floor(top - lacking / 2)), bottom: Math.min(height, Math.ceil(bottom + lacking / 2)) };
}

/** Otsu's threshold: the grey value that best parts dark from light. */
function otsuThreshold(grey: Uint8Array): number {
  const histogram = new Float64Array(256);
  let sum = 0;
  for (const value of grey) {
    histogram[value] = (histogram[value] as number) + 1;
    sum += value;
  }
  let below = 0;
  let sumBelow = 0;
  let best = 127;
  let bestVariance = -1;
  for (let value = 0; value < 256; value++) {
    below += histogram[value] as number;
    sumBelow += value * (histogram[value] as number);
    const above = grey.length - below;
    if (below === 0 || above === 0) continue;
    const difference = sumBelow / below - (sum - sumBelow) / above;
    const variance = below * above * difference * difference;
    if (variance > bestVariance) {
      bestVariance = variance;
      best = value;
    }
  }
  return best;
}
