import type { JsonValue, ValueKind } from '@millrace/document-model';
import { foldText } from '../candidates/date.ts';

/** The form of a value in which two readings or a reading and a label are the same: case, blanks, accents and punctuation put aside. */
export function comparable(kind: ValueKind, value: JsonValue): string {
  switch (kind) {
    case 'amount':
    case 'number':
    case 'percent':
    case 'year':
      return typeof value === 'number' ? (Math.round(value * 10_000) / 10_000).toString() : String(value);
    case 'date':
    case 'time':
      return String(value);
    case 'phone':
      return String(value).replace(/\D/g, '');
    case 'website':
      return String(value)
        .toLowerCase()
        .replace(/^https?:\/\//, '')
        .replace(/\/$/, '');
    default:
      return withoutMarks(foldText(String(value)));
  }
}

function withoutMarks(folded: string): string {
  // Of most texts nothing is left but these, and whatever is neither letter nor digit is none of ASCII's.
  const ascii = folded.replace(/[^a-z\d\u0080-\uffff]+/g, '');
  return /^[a-z\d]*$/.test(ascii) ? ascii : ascii.replace(/[^\p{L}\d]/gu, '');
}
