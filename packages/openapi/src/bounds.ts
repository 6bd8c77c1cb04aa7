/** Limits of a document that is read: its text in bytes, the depth of its value, and the values in it. */
export const maxTextBytes = 5_000_000;
const maxDepth = 100;
const maxValues = 500_000;

/**
 * Counts the values of a parsed text, including those that aliases repeat.
 *
 * @throws Error if there are too many of them, or they are nested too deeply.
 */
export function checkSize(value: unknown): void {
  let count = 0;
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    count += 1;
    if (count > maxValues) throw new Error(`It contains more than ${maxValues} values.`);
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth >= maxDepth) throw new Error(`It is nested deeper than ${maxDepth} levels.`);
    for (const child of Object.values(next.value)) open.push({ value: child, depth: next.depth + 1 });
  }
}
