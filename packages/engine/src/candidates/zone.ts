import type { TextLine } from '@millrace/document-model';
import { parse } from 'mrz';
import { overlap } from '../layout/geometry.ts';

/** Lines of a machine-readable zone (ICAO 9303), top to bottom, in the characters of a zone, and whether its check digits hold. */
export interface ZoneFinding {
  readonly lines: readonly TextLine[];
  /** The zone's lines, joined by a line feed. */
  readonly value: string;
  readonly valid: boolean;
}

/** The zone's line lengths by its number of lines: TD1 has three of 30, TD2 two of 36, TD3 two of 44. */
const lengths = [30, 36, 44];

/** The machine-readable zones among lines in reading order. OCR's small faults in fillers are put right, digits by the mrz library. */
export function findZones(lines: readonly TextLine[]): ZoneFinding[] {
  const findings: ZoneFinding[] = [];
  const rows = zoneRows(lines);
  const texts = rows.map((row) => zoneText(row.map(({ text }) => text).join('')));
  for (let index = 0; index < rows.length; index += 1) {
    const first = texts[index];
    if (first === null || first === undefined) continue;
    // Of a passport's line of names, which ends with fillers, OCR loses some.
    const isPassport = /^P[A-Z<]/.test(first) && (texts[index + 1]?.length ?? 0) > 40;
    const count = first.length <= 33 && !isPassport ? 3 : 2;
    const rest = texts.slice(index, index + count);
    if (rest.length < count || rest.some((text) => text === null)) continue;
    // OCR loses fillers, of which a line of names ends with many, rather than adding them.
    const longest = Math.max(...rest.map((text) => text?.length ?? 0));
    const length = isPassport
      ? 44
      : lengths.reduce((best, candidate) =>
          Math.abs(candidate - longest) < Math.abs(best - longest) ? candidate : best,
        );
    const fitted = rest.map((text, at) =>
      at === 0 ? withLettersOfState(fit(text ?? '', length)) : fit(text ?? '', length),
    );
    const valid = checkDigitsHold(fitted);
    if (valid === null) continue;
    findings.push({ lines: rows.slice(index, index + count).flat(), value: fitted.join('\n'), valid });
    index += count - 1;
  }
  return findings;
}

/** The lines, those that go on with fillers at the same height being one row: OCR parts a line where its fillers are faint. */
function zoneRows(lines: readonly TextLine[]): readonly (readonly TextLine[])[] {
  const rows: TextLine[][] = [];
  for (const line of lines) {
    const previous = rows.at(-1)?.at(-1);
    const shared = previous ? overlap(previous.box.y0, previous.box.y1, line.box.y0, line.box.y1) : 0;
    const goesOn =
      previous !== undefined &&
      previous.page === line.page &&
      previous.text.includes('<') &&
      /^[A-Z\d]{0,3}<{2}[A-Z\d<]*$/.test(line.text) &&
      shared > 0.5 * (line.box.y1 - line.box.y0) &&
      line.box.x0 >= previous.box.x1 - (line.box.y1 - line.box.y0);
    if (goesOn) rows.at(-1)!.push(line);
    else rows.push([line]);
  }
  return rows;
}

/** Whether the zone's check digits hold; null where the lines have no zone's format. */
function checkDigitsHold(lines: readonly string[]): boolean | null {
  try {
    const checks = parse(lines, { autocorrect: true }).details.filter(({ field }) => field?.endsWith('CheckDigit'));
    return checks.length > 0 && checks.every(({ valid }) => valid);
  } catch {
    return null;
  }
}

function zoneText(text: string): string | null {
  const compact = text
    .toUpperCase()
    .replaceAll(' ', '')
    .replace(/[«‹≤]/g, '<')
    .replace(/[^A-Z0-9<]/g, '');
  if (compact.length < 27 || compact.length > 48) return null;
  const fillers = compact.split('<').length - 1;
  return fillers >= 2 || (/^[A-Z0-9<]{28,}$/.test(compact) && /\d{6}/.test(compact) && fillers >= 1) ? compact : null;
}

/** A zone's first line with letters for the figures that OCR took them for in the code of the state: `IDFR4`. */
function withLettersOfState(text: string): string {
  const letters: Readonly<Record<string, string>> = { 0: 'O', 1: 'I', 2: 'Z', 4: 'A', 5: 'S', 6: 'G', 8: 'B' };
  return text.replace(/(?<=^[A-Z][A-Z<])[A-Z\d<]{3}/, (state) =>
    /^(?=\D*\d\D*$)/.test(state) ? state.replace(/\d/, (digit) => letters[digit] ?? digit) : state,
  );
}

/** Fillers at the end, which OCR miscounts, cut or added so that the line has its length. */
function fit(text: string, length: number): string {
  if (text.length <= length) return text.padEnd(length, '<');
  const run = /<{3,}/.exec(text);
  const surplus = text.length - length;
  if (run && run[0].length > surplus + 1) return text.slice(0, run.index) + text.slice(run.index + surplus);
  return text.slice(0, length);
}
