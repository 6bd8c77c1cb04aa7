import type { JsonValue } from '@millrace/document-model';
import type { ColumnDefinition } from './paths.ts';

type Kind = ColumnDefinition['kind'];

const numberKinds: ReadonlySet<Kind> = new Set(['amount', 'number', 'percent', 'year']);

/** Whether values of this kind are numbers. */
export function isNumeric(kind: Kind): boolean {
  return numberKinds.has(kind);
}

/** A value as it is shown and edited: amounts with two decimals, lists with one entry per line, objects as JSON. */
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
 * Parses what was typed; null if empty. Invalid input is returned as text, for the service to reject.
 *
 * @param before the value being edited; a list stays a list, an object an object
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
 * Parses a number as people write it, `1.234,50` and `1,234.50` alike; null if it is none. If both separators occur, the
 * last one starts the fraction. A single point always does; a single comma does unless exactly three digits follow it.
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
