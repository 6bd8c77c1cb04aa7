/** Where the reader is in a plot. */
export interface PlotCursor {
  /** Of the position. */
  readonly index: number;
  /** Of cells, from the bottom up; elsewhere it means nothing. */
  readonly row: number;
  /** The other end of a range that is being selected by keyboard. */
  readonly anchor: number | null;
}

/** A selection in ascending order; without one, where the cursor is. */
export function rangeOf({ index, anchor }: PlotCursor): readonly [first: number, last: number] {
  return anchor === null ? [index, index] : [Math.min(index, anchor), Math.max(index, anchor)];
}

const pageSteps = 10;

/**
 * Where a key leads; null if it doesn't move the cursor.
 *
 * @param shown the first and the last index that are shown
 * @param rows of cells; 0 elsewhere
 * @param selects whether Shift is held, which keeps the other end of the range
 */
export function movedBy(
  key: string,
  from: PlotCursor,
  shown: readonly [first: number, last: number],
  rows: number,
  selects: boolean,
): PlotCursor | null {
  const { index, row, anchor } = from;
  const [first, last] = shown;
  const at = (moved: number): PlotCursor => ({
    index: Math.max(first, Math.min(last, moved)),
    row,
    anchor: selects ? (anchor ?? index) : null,
  });
  switch (key) {
    case 'ArrowRight':
      return at(index + 1);
    case 'ArrowLeft':
      return at(index - 1);
    case 'PageUp':
      return at(index + pageSteps);
    case 'PageDown':
      return at(index - pageSteps);
    case 'Home':
      return at(first);
    case 'End':
      return at(last);
    case 'ArrowUp':
      return rows === 0 ? null : { ...at(index), row: Math.min(rows - 1, row + 1) };
    case 'ArrowDown':
      return rows === 0 ? null : { ...at(index), row: Math.max(0, row - 1) };
    default:
      return null;
  }
}
