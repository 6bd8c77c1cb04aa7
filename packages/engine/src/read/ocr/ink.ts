/** Where a crop of one line of text holds ink. */
export interface Ink {
  /** 1 for each column with ink in it. */
  readonly columns: Uint8Array;
  /** The first row of the line itself and the one after its last, without what reaches in from its neighbours. */
  readonly top: number;
  readonly bottom: number;
}

/** A row that is inked for more than this part of its length is a ruling, not text; so is a column. */
const rulingShare = 0.85;
/**
 * So is an unbroken stretch of a row that is longer than this many heights of the line, as no letter's stroke is: that of
 * a ruling which runs at a slant goes through several rows, in each for a part of its length.
 */
const longestStroke = 1.5;
/** Up to so many pixels above and below a ruling's are its ragged edge. */
const raggedEdge = 3;

/**
 * Parts ink from paper in a crop of 8-bit grey, whichever of them is dark. A pixel counts if the one above it is inked,
 * too: noise is made of single ones. Rulings, such as those around the cells of a table, count for nothing.
 */
export function measureInk(grey: Uint8Array, width: number): Ink {
  const height = grey.length / width;
  const ink = inkOf(grey, width);
  clearRulings(ink, width);
  const columns = new Uint8Array(width);
  const rows = new Int32Array(height);
  for (let row = 1; row < height; row++) {
    // The outermost rows belong to the neighbours more often than to the line.
    const isOutermost = row < 3 || row >= height - 2;
    for (let column = 0; column < width; column++) {
      if (ink[row * width + column] !== 1) continue;
      rows[row] = (rows[row] as number) + 1;
      if (!isOutermost) columns[column] = 1;
    }
  }
  const { top, bottom } = middleRun(rows);
  return { columns, top: Math.max(0, top - 1), bottom };
}

/** 1 for each pixel with ink that has some above it as well. */
function inkOf(grey: Uint8Array, width: number): Uint8Array {
  const threshold = otsuThreshold(grey);
  let dark = 0;
  for (const value of grey) if (value <= threshold) dark++;
  const inkIsDark = dark * 2 <= grey.length;
  const isInk = (at: number) => (grey[at] as number) <= threshold === inkIsDark;
  const ink = new Uint8Array(grey.length);
  for (let at = width; at < ink.length; at++) if (isInk(at) && isInk(at - width)) ink[at] = 1;
  return ink;
}

/** Marks the pixels of rulings with 2. */
function clearRulings(ink: Uint8Array, width: number): void {
  const height = ink.length / width;
  const longest = Math.min(rulingShare * width, longestStroke * height);
  for (let row = 1; row < height; row++) {
    const end = (row + 1) * width;
    for (let at = row * width; at < end; at++) {
      const first = at;
      while (at < end && ink[at] === 1) at++;
      if (at - first > longest) ink.fill(2, first, at);
    }
  }
  for (let column = 0; column < width; column++) clearEdges(ink, width, column);
}

/** Marks a column's pixels at the edges of rulings with 2, and all of a column that is itself one. */
function clearEdges(ink: Uint8Array, width: number, column: number): void {
  let inked = 0;
  for (let at = column; at < ink.length; at += width) {
    const top = at;
    let first = -1;
    let last = -1;
    for (; at < ink.length && ink[at] !== 0; at += width) {
      if (ink[at] !== 2) continue;
      if (first < 0) first = at;
      last = at;
    }
    inked += (at - top) / width;
    if (first < 0) continue;
    const isTopEdge = first - top <= raggedEdge * width;
    const isBottomEdge = at - width - last <= raggedEdge * width;
    for (let edge = isTopEdge ? top : first; edge < (isBottomEdge ? at : last); edge += width) ink[edge] = 2;
  }
  if (inked <= (rulingShare * ink.length) / width) return;
  for (let at = column; at < ink.length; at += width) ink[at] = 2;
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
