import { wordsWithin } from '../candidates/placed.ts';
import type { ComposedFields, Findings } from './compose.ts';
import { composedValue, type Stretch } from './value.ts';

const containerPattern = /(?<![A-Z])([A-Z]{3}[UJZ])\s?-?(\d{6})\s?[-/]?\s?(\d)(?!\d)/g;

/** The containers that a bill of lading names, by ISO 6346. */
export function composeBillOfLading({ layout }: Findings): ComposedFields {
  const found = new Map<string, { stretch: Stretch; valid: boolean }>();
  for (const line of layout.lines) {
    for (const match of line.text.toUpperCase().matchAll(containerPattern)) {
      const value = `${match[1]}${match[2]}${match[3]}`;
      if (found.has(value) || wordsWithin(line, match.index, match.index + 1).length === 0) continue;
      found.set(value, {
        stretch: { line, start: match.index, end: match.index + match[0].length },
        valid: isContainerNumber(value),
      });
    }
  }
  if (found.size === 0) return { container_numbers: null };
  const valid = [...found.values()].every((container) => container.valid);
  return {
    container_numbers: composedValue(
      [...found.keys()],
      valid ? 97 : 70,
      [...found.values()].map(({ stretch }) => stretch),
      [valid ? 'check_digit_holds' : 'check_digit_fails'],
    ),
  };
}

/** Whether a container number's check digit holds (ISO 6346: letters count from 10 without multiples of 11, weights are powers of 2). */
export function isContainerNumber(text: string): boolean {
  let sum = 0;
  [...text.slice(0, 10)].forEach((character, index) => {
    const letter = character.charCodeAt(0) - 65;
    const value = letter < 0 ? Number(character) : letter + 10 + Math.floor((letter + 9) / 10);
    sum += value * 2 ** index;
  });
  return (sum % 11) % 10 === Number(text[10]);
}
