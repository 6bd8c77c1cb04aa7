import { texts } from './texts.ts';

/** A code of an API, such as `rolling_out`, as words. */
export function wordsOf(code: string): string {
  const given = texts().codes[code];
  if (given !== undefined) return given;
  const words = code.replaceAll(/[_-]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A number of things, such as `1 finding` or `3 findings`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
