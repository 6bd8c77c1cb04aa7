import type { TextLine } from '@millrace/document-model';
import { parse } from 'mrz';

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
  const texts = lines.map((line) => zoneText(line.text));
  for (let index = 0; index < lines.length; index += 1) {
    const first = texts[index];
    if (first === null || first === undefined) continue;
    const count = first.length <= 33 ? 3 : 2;
    const rest = texts.slice(index, index + count);
    if (rest.length < count || rest.some((text) => text === null)) continue;
    const length = lengths.reduce((best, candidate) =>
      Math.abs(candidate - first.length) < Math.abs(best - first.length) ? candidate : best,
    );
    const fitted = rest.map((text) => fit(text ?? '', length));
    const valid = checkDigitsHold(fitted);
    if (valid === null) continue;
    findings.push({ lines: lines.slice(index, index + count), value: fitted.join('\n'), valid });
    index += count - 1;
  }
  return findings;
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

/** Fillers at the end, which OCR miscounts, cut or added so that the line has its length. */
function fit(text: string, length: number): string {
  if (text.length <= length) return text.padEnd(length, '<');
  const run = /<{3,}/.exec(text);
  const surplus = text.length - length;
  if (run && run[0].length > surplus + 1) return text.slice(0, run.index) + text.slice(run.index + surplus);
  return text.slice(0, length);
}
