import type { ExtractedValue, JsonValue } from '@millrace/document-model';

/** The letters and digits of a text, in lower case: what it says, however it is set. */
export function letters(text: JsonValue): string {
  return String(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Whether one of two texts has all that the other has. */
export function isPartOf(a: JsonValue, b: JsonValue): boolean {
  const [left, right] = [letters(a), letters(b)];
  return left.includes(right) || right.includes(left);
}

/** Whether two values are the same words at the same place, which are one field's alone. */
export function isSameText(a: ExtractedValue | undefined, b: ExtractedValue | undefined): boolean {
  const [left, right] = [a?.provenance[0], b?.provenance[0]];
  if (!a || !b || typeof a.value !== 'string' || a.value !== b.value || !left || !right) return false;
  return left.page === right.page && left.box.x0 === right.box.x0 && left.box.y0 === right.box.y0;
}

/** Whether a day's text is a stretch of what another value was read from. */
export function isWithinText(a: ExtractedValue | undefined, b: ExtractedValue): boolean {
  const [part, whole] = [a?.provenance[0], b.provenance[0]];
  if (!a || !part || !whole || typeof a.value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(a.value)) return false;
  if (part.page !== whole.page || part.text.length > whole.text.length) return false;
  const isInside = part.box.x0 >= whole.box.x0 - 1 && part.box.x1 <= whole.box.x1 + 1;
  return isInside && part.box.y0 >= whole.box.y0 - 1 && part.box.y1 <= whole.box.y1 + 1;
}
