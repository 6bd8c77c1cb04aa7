import { matchesOf } from './matches.ts';

/** A time of day in a text. */
export interface TimeFinding {
  readonly start: number;
  readonly end: number;
  /** `HH:MM` or `HH:MM:SS`, 24 hours. */
  readonly value: string;
  readonly quality: number;
}

const pattern =
  /(?<![\d:.,])([01]?\d|2[0-4])\s?([:h.]|Uhr)\s?([0-5]\d)(?:\s?[:.m]\s?([0-5]\d)s?)?(?:\s?([ap])(?:\.?\s?m\b\.?|(?<!\s[ap])(?![\p{L}\d.])|$))?(?:\s?(Uhr|h)\b)?(?![\d:])/giu;

/** The times in a line of text; a time with a dot needs "am", "pm" or "Uhr" behind it, else it is a number. */
export function findTimes(text: string): TimeFinding[] {
  const findings: TimeFinding[] = [];
  for (const match of matchesOf(pattern, text)) {
    const [whole, hourText, separator, minute, second, half, unit] = match;
    const isShort = half !== undefined && !/m\b/i.test(whole);
    if (isShort && separator !== ':') continue;
    if ((separator === '.' || /^h/i.test(separator ?? '')) && !half && !unit && !/^h$/i.test(separator ?? '')) continue;
    let hour = Number(hourText);
    if (half && (hour > 12 || hour === 0)) {
      if (hour === 0) hour = 0;
    } else if (half) hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
    if (hour > 23) continue;
    const value = `${String(hour).padStart(2, '0')}:${minute}${second ? `:${second}` : ''}`;
    const start = match.index;
    const end = start + whole.trimEnd().length;
    findings.push({ start, end, value, quality: half || second || unit ? 1 : separator === ':' ? 0.8 : 0.5 });
  }
  return findings;
}

/** The time that a text is, all of it, as `HH:MM` or `HH:MM:SS`; null where it is none. */
export function parseTime(text: string): string | null {
  const trimmed = text.trim();
  const finding = findTimes(trimmed)[0];
  return finding && finding.start === 0 && finding.end >= trimmed.length ? finding.value : null;
}
