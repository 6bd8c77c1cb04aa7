import type { JsonValue } from '@millrace/document-model';
import type { ColumnDefinition } from './paths.ts';

type Kind = ColumnDefinition['kind'];

const numberKinds: ReadonlySet<Kind> = new Set(['amount', 'number', 'percent', 'year']);

/** Whether values of a kind are numbers. */
export function isNumeric(kind: Kind): boolean {
  return numberKinds.has(kind);
}

/** A value as it is shown and edited: amounts with two digits, a list with one entry a line, an object as JSON. */
export function textOf(value: JsonValue | undefined, kind: Kind): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return kind === 'amount' && hasCents(value) ? value.toFixed(2) : String(value);
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value.join('\n');
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

function hasCents(value: number): boolean {
  return Math.abs(value * 100 - Math.round(value * 100)) < 1e-6;
}

/**
 * A value from what was typed; null for nothing. What is no such value stays the text, for the service to refuse.
 *
 * @param before the value that is edited, whose form a list or an object keeps
 */
export function valueFrom(text: string, kind: Kind, before: JsonValue | undefined): JsonValue {
  const typed = text.trim();
  if (typed === '') return null;
  if (Array.isArray(before) && before.every((entry) => typeof entry === 'string')) {
    return typed
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  }
  if (typeof before === 'object' && before !== null) return jsonOf(typed);
  return isNumeric(kind) ? (numberOf(typed) ?? typed) : typed;
}

function jsonOf(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * A number as people write it, `1.234,50` and `1,234.50` alike; null where it is none. Of two kinds of separators the
 * last parts off the fraction; a single comma does where not exactly three digits follow it, a single point always.
 */
function numberOf(text: string): number | null {
  const bare = text.replaceAll(/[\s'’ \u202f]/g, '').replace(/^\p{Sc}|\p{Sc}$|%$/gu, '');
  if (!/^[+-]?[\d.,]*\d[\d.,]*$/.test(bare)) return null;
  const lastPoint = bare.lastIndexOf('.');
  const lastComma = bare.lastIndexOf(',');
  const decimal = lastPoint > lastComma ? '.' : ',';
  const single = bare.indexOf(decimal) === bare.lastIndexOf(decimal);
  const bothKinds = lastPoint >= 0 && lastComma >= 0;
  const thousands = !single || (!bothKinds && decimal === ',' && /,\d{3}$/.test(bare));
  const plain = thousands
    ? bare.replaceAll(/[.,]/g, '')
    : bare.replaceAll(decimal === '.' ? ',' : '.', '').replace(',', '.');
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}
