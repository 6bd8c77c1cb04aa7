import { parse } from 'mrz';
import { foldText } from '../candidates/date.ts';

type Details = ReturnType<typeof parse>['details'];

/** A machine-readable zone with its letters and digits distinguished, and what it says. */
export interface MachineZone {
  readonly lines: readonly string[];
  readonly details: Details;
  /** Characters were put right. */
  readonly corrected: boolean;
  /** Every check digit holds. */
  readonly proven: boolean;
}

/**
 * Parses the lines of a zone. Letters instead of digits and digits instead of letters are corrected, and a passport's
 * second line in which OCR lost or added characters of the nationality is corrected by its check digits. Null if the
 * lines are not a zone.
 */
export function readZone(lines: readonly string[]): MachineZone | null {
  const read = parseZone(lines);
  if (!read || read.proven || lines.length !== 2) return read;
  const realigned = realign(lines[1]!, lines[0]!);
  if (!realigned) return read;
  const again = parseZone([lines[0]!, realigned]);
  return again && failures(again.details) < failures(read.details) ? { ...again, corrected: true } : read;
}

function parseZone(lines: readonly string[]): MachineZone | null {
  try {
    const { details } = parse(lines, { autocorrect: true });
    const faults = details.flatMap(({ autocorrect }) => autocorrect);
    const fixed = lines.map((line) => [...line]);
    for (const { line, column, corrected } of faults) {
      if (fixed[line]?.[column] !== undefined) fixed[line][column] = corrected;
    }
    return {
      lines: fixed.map((characters) => characters.join('')),
      details,
      corrected: faults.length > 0,
      proven: failures(details) === 0,
    };
  } catch {
    // Lines of another length or of characters that no zone has.
    return null;
  }
}

function failures(details: Details): number {
  return details.filter(({ field, valid }) => field?.endsWith('CheckDigit') && !valid).length;
}

/** Signs that what is printed and what a zone has may differ by to be the same. */
const mostMisread = 2;

function differences(one: string, other: string): number {
  return [...one].filter((sign, at) => sign !== other[at]).length;
}

/**
 * A zone whose number's check digit fails, with the printed number in its place that differs in a sign or two and whose check
 * digit holds; null where none does.
 */
export function withPrintedNumber(zone: MachineZone, printed: readonly string[]): MachineZone | null {
  const at = zone.lines.length === 3 ? 0 : 1;
  const line = zone.lines[at]!;
  const start = at === 0 ? 5 : 0;
  const read = line.slice(start, start + 9);
  const digit = line[start + 9] ?? '';
  if (zoneDigit(read) === digit) return null;
  for (const number of printed) {
    const padded = number.padEnd(9, '<');
    if (padded.length !== 9 || differences(padded, read) > mostMisread || zoneDigit(padded) !== digit) continue;
    const lines = zone.lines.with(at, line.slice(0, start) + padded + line.slice(start + 9));
    const again = parseZone(lines);
    if (again && failures(again.details) < failures(zone.details)) return { ...again, corrected: true };
  }
  return null;
}

/** Where the surname stands in a French card of 1988 to 2021, whose last check digit covers every sign. */
const frenchSurname = [5, 30] as const;

/** A French card's zone with the printed surname in place of the one that was read; null where its check digit fails so too. */
export function withPrintedSurname(zone: MachineZone, surname: unknown): MachineZone | null {
  const [first, second] = zone.lines;
  if (typeof surname !== 'string' || zone.lines.length !== 2 || first?.length !== 36 || !first.startsWith('IDFRA'))
    return null;
  const letters = foldText(surname)
    .toUpperCase()
    .replace(/[^A-Z]/g, '<');
  const [start, end] = frenchSurname;
  const padded = letters.padEnd(end - start, '<').slice(0, end - start);
  if (differences(padded, first.slice(start, end)) > mostMisread) return null;
  const again = parseZone([first.slice(0, start) + padded + first.slice(end), second!]);
  return again && failures(again.details) < failures(zone.details) ? { ...again, corrected: true } : null;
}

/** A passport's second line with three letters between the number's check digit and the date of birth, or null. */
function realign(second: string, first: string): string | null {
  const body = second.replace(/<+$/, '');
  const nation = first.slice(2, 5);
  for (let length = 0; length <= 5; length += 1) {
    const at = 10 + length;
    const birth = digitsOnly(body.slice(at, at + 6));
    const birthDigit = digitsOnly(body[at + 6] ?? '');
    const sex = body[at + 7] ?? '';
    const expiry = digitsOnly(body.slice(at + 8, at + 14));
    const expiryDigit = digitsOnly(body[at + 14] ?? '');
    if (!/^\d{6}$/.test(birth) || !/^\d{6}$/.test(expiry) || !/^[MFX<]$/.test(sex)) continue;
    if (zoneDigit(birth) !== birthDigit || zoneDigit(expiry) !== expiryDigit) continue;
    const rest = body.slice(at + 15);
    const ends = second.length - body.length > 0 ? '' : rest.slice(-2);
    const optional = rest.slice(0, rest.length - ends.length).slice(0, 16 - ends.length);
    return `${body.slice(0, 10)}${nation}${birth}${birthDigit}${sex}${expiry}${expiryDigit}${optional.padEnd(16 - ends.length, '<')}${ends}`.slice(
      0,
      second.length,
    );
  }
  return null;
}

/**
 * A passport's second line alone, where the first was not read, with a first line that states the issuing state as the
 * nationality and no names. Null unless the check digits of number, birth and expiry hold.
 */
export function readSecondLine(text: string): MachineZone | null {
  const line = text
    .toUpperCase()
    .replace(/[«‹≤]/g, '<')
    .replace(/[^A-Z\d<]/g, '');
  const match = /^([A-Z\d<]{9})(\d)([A-Z<]{3})(\d{6})(\d)([MFX<])(\d{6})(\d)([A-Z\d<]{12,18})$/.exec(line);
  if (!match) return null;
  const [, number, numberDigit, nation, birth, birthDigit, , expiry, expiryDigit] = match;
  const holds =
    zoneDigit(number!) === numberDigit && zoneDigit(birth!) === birthDigit && zoneDigit(expiry!) === expiryDigit;
  return holds ? parseZone([`P<${nation}`.padEnd(44, '<'), line.padEnd(44, '<').slice(0, 44)]) : null;
}

function digitsOnly(text: string): string {
  return text
    .replace(/[OQD]/g, '0')
    .replace(/[IL]/g, '1')
    .replace(/S/g, '5')
    .replace(/B/g, '8')
    .replace(/Z/g, '2')
    .replace(/G/g, '6');
}

/** The check digit of a zone's field (ICAO 9303-3, 4.9: weights 7, 3, 1; `<` is 0, A is 10). */
export function zoneDigit(text: string): string {
  let sum = 0;
  [...text].forEach((character, index) => {
    const value = character === '<' ? 0 : /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 55;
    sum += value * [7, 3, 1][index % 3]!;
  });
  return String(sum % 10);
}
