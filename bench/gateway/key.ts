/** The key of a caller, as the gateway makes them. */
export function keyOf(index: number): string {
  return `mrk_${String(index).padStart(43, '0')}`;
}
