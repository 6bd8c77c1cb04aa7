import type { JsonValue, ValueKind } from '@millrace/document-model';
import type { DocumentType } from '../types/definition.ts';

/** A value that a person has entered; null says that the document has none. */
export interface EnteredValue {
  readonly value: JsonValue;
}

/** What people have entered into a document. */
export interface EnteredValues {
  readonly fields: Readonly<Record<string, EnteredValue>>;
  /**
   * The rows as people want them: `from` is the number of the extracted row that cells were entered into, null for a
   * row that was added. Null where the rows stay as they were extracted.
   */
  readonly rows:
    | readonly { readonly from: number | null; readonly cells: Readonly<Record<string, EnteredValue>> }[]
    | null;
}

/** Characters of a text, and of a list or object as JSON. */
const textLimit = 4_000;
const structureLimit = 40_000;
const depthLimit = 6;

/**
 * What is wrong with a value that a person wants to enter, for that person; null where it may be entered. Values are
 * in the API's form.
 */
export function faultOfEntered(type: DocumentType, field: string, value: JsonValue): string | null {
  const definition = type.fields.find(({ name }) => name === field);
  if (!definition) return `Documents of this type have no field "${field}".`;
  if (value === null) return null;
  if (definition.repeated || definition.composed) return faultOfStructure(value, definition.kind, definition.repeated);
  return faultOfKind(value, definition.kind);
}

/** The same for a cell of a row. */
export function faultOfEnteredCell(type: DocumentType, column: string, value: JsonValue): string | null {
  const definition = type.columns.find(({ name }) => name === column);
  if (!definition) return `Rows of this type have no column "${column}".`;
  return value === null ? null : faultOfKind(value, definition.kind);
}

function faultOfStructure(value: JsonValue, kind: ValueKind, repeated = false): string | null {
  if (typeof value === 'object' || repeated) {
    const text = JSON.stringify(value);
    if (/\\u(?:0000|d[89a-f])/.test(text)) return unstorable;
    if (text.length > structureLimit || depthOf(value) > depthLimit) return 'This is too long.';
    return null;
  }
  return faultOfKind(value, kind);
}

const unstorable = 'Leave out the characters that cannot be shown.';

/** The character NUL, and half of a surrogate pair: no database keeps them. */
function isUnstorable(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}

function depthOf(value: JsonValue): number {
  return typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map((part: JsonValue) => depthOf(part)))
    : 0;
}

const numericKinds: readonly ValueKind[] = ['amount', 'number', 'percent', 'year'];

const forms: Partial<Record<ValueKind, { readonly isValid: (text: string) => boolean; readonly asked: string }>> = {
  date: { isValid: isDate, asked: 'Give a date as YYYY-MM-DD.' },
  time: { isValid: (text) => /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text), asked: 'Give a time as HH:MM.' },
  currency: { isValid: (text) => /^[A-Z]{3}$/.test(text), asked: 'Give a currency of three letters, such as EUR.' },
  country: { isValid: (text) => /^[A-Z]{2}$/.test(text), asked: 'Give a country of two letters, such as DE.' },
  language: { isValid: (text) => /^[a-z]{2}$/.test(text), asked: 'Give a language of two letters, such as en.' },
  sex: { isValid: (text) => /^[MFX]$/.test(text), asked: 'Give M, F or X.' },
};

function faultOfKind(value: JsonValue, kind: ValueKind): string | null {
  if (numericKinds.includes(kind)) {
    return typeof value === 'number' && Math.abs(value) < 1e15 ? null : 'Give a number, such as 1428.50.';
  }
  if (typeof value !== 'string') return 'Give a text.';
  if (isUnstorable(value)) return unstorable;
  if (value.trim() === '') return 'Give a text, or leave the value out.';
  if (value.length > textLimit) return `Give at most ${textLimit} characters.`;
  const form = forms[kind];
  return form && !form.isValid(value) ? form.asked : null;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
