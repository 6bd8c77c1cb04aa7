import type { JsonValue } from '@millrace/document-model';
import type { FieldDefinition } from '../types/definition.ts';
import { comparable } from './comparable.ts';

/** How a value compares with a field's examples. */
export type Likeness = 'same' | 'alike' | 'unlike' | 'unknown';

/** Examples of one form from which on a value of another is unlike them. */
const telling = 2;

/**
 * Compares a value's text with a field's examples: the same text, the same form (letters and digits in the same
 * groups), or neither. Texts of a closed list have no form.
 */
export function likenessToExamples(field: FieldDefinition, value: JsonValue, text: string): Likeness {
  const { examples = [], kind } = field;
  if (examples.length === 0) return 'unknown';
  if (kind === 'text' || kind === 'name' || kind === 'organization') {
    const key = comparable('text', value);
    return examples.some((example) => comparable('text', example) === key) ? 'same' : 'unknown';
  }
  if (kind !== 'identifier') return 'unknown';
  const forms = new Set(examples.map(formOf));
  const own = formOf(String(value));
  if (forms.has(own) || forms.has(formOf(text))) return 'alike';
  const loose = new Set(examples.map(looseFormOf));
  if (loose.has(looseFormOf(String(value)))) return examples.length >= telling ? 'unknown' : 'alike';
  return examples.length >= telling ? 'unlike' : 'unknown';
}

/** Whether an example has a form that hardly anything else in a document has: letters and digits, or long enough. */
export function isTellingForm(field: FieldDefinition): boolean {
  return (field.examples ?? []).some((example) => {
    const groups = formOf(example).match(/[A9]\d*/g) ?? [];
    return example.length >= 6 && groups.length >= 2;
  });
}

/** A text's groups of letters and digits with their lengths: `A2-94-95` for `PL-2024-00123`. */
function formOf(text: string): string {
  return text
    .trim()
    .slice(0, 120)
    .replace(/\p{L}+|\d+/gu, (group) => (/\d/.test(group) ? `9${group.length}` : `A${group.length}`));
}

/** The same without lengths: `A-9-9`. */
function looseFormOf(text: string): string {
  return text
    .trim()
    .slice(0, 120)
    .replace(/\p{L}+|\d+/gu, (group) => (/\d/.test(group) ? '9' : 'A'));
}
