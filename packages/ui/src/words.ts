/** A code of an API, such as `rolling_out`, as words. */
export function wordsOf(code: string): string {
  const words = code.replaceAll(/[_-]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
