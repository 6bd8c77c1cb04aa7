import type { ExtractedValue, Layout } from '@millrace/document-model';
import { frenchNumberForm } from '../../compose/uncaptioned.ts';
import { composedValue } from '../../compose/value.ts';

/** The member's number where a country's cards have one of a form of its own, and no caption. */
export function numberByForm(layout: Layout): ExtractedValue | null {
  return insuredNumber(layout) ?? beneficiaryNumber(layout) ?? frenchNumber(layout) ?? ontarianNumber(layout);
}

/** The number of a German health card, which stands on it without a caption, by its form and check digit. */
function insuredNumber(layout: Layout): ExtractedValue | null {
  const found = layout.lines.flatMap((line) =>
    [...line.text.matchAll(/(?<![\p{L}\d])[A-Z]\d{9}(?![\p{L}\d])/gu)].flatMap((match) =>
      isInsuredNumber(match[0]) ? [{ line, text: match[0], start: match.index, end: match.index + 10 }] : [],
    ),
  );
  const [first] = found;
  if (!first || found.some(({ text }) => text !== first.text)) return null;
  return composedValue(first.text, 91, [first], ['check_digit_holds']);
}

/** The number of an American Medicare card by its form, which excludes the letters S, L, O, I, B and Z. */
function beneficiaryNumber(layout: Layout): ExtractedValue | null {
  const letter = '[AC-HJKMNP-RT-Y]';
  const either = '[AC-HJKMNP-RT-Y\\d]';
  const form = new RegExp(
    `(?<![\\p{L}\\d])[1-9]${letter}${either}\\d[- ]?${letter}${either}\\d[- ]?${letter}{2}\\d{2}(?![\\p{L}\\d])`,
    'u',
  );
  for (const line of layout.lines) {
    const match = form.exec(line.text);
    if (match) return composedValue(match[0], 89.5, [{ line, start: match.index, end: match.index + match[0].length }]);
  }
  return null;
}

/**
 * Whether the check digit of a German health insurance number holds (§ 290 SGB V): the letter as its two-digit place in
 * the alphabet and eight digits are weighted 1 and 2 in turn, and the digits of the products added up.
 */
function isInsuredNumber(number: string): boolean {
  if (!/^[A-Z]\d{9}$/.test(number)) return false;
  const digits = `${String(number.charCodeAt(0) - 64).padStart(2, '0')}${number.slice(1, 9)}`;
  const sum = [...digits].reduce((total, digit, at) => {
    const product = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return total + Math.floor(product / 10) + (product % 10);
  }, 0);
  return sum % 10 === Number(number[9]);
}

/** What France's cards of the statutory insurance call themselves; those of other insurers print the number as well. */
const vitalCard = /(?<!\p{L})(?:vitale|carte d['’]assurance maladie)(?!\p{L})/iu;

/** The number of a person in France, on a card of the statutory insurance. */
function frenchNumber(layout: Layout): ExtractedValue | null {
  if (!layout.lines.some(({ text }) => text.length <= 40 && vitalCard.test(text))) return null;
  for (const line of layout.lines) {
    const match = frenchNumberForm.exec(line.text);
    if (match) return composedValue(match[0], 86, [{ line, start: match.index, end: match.index + match[0].length }]);
  }
  return null;
}

/** The number of a health card of Ontario with its version, alone on its line: `4418 - 207 - 738 - GX`. */
function ontarianNumber(layout: Layout): ExtractedValue | null {
  const line = layout.lines.find(({ text }) => /^\d{4} ?- ?\d{3} ?- ?\d{3}(?:(?: ?- ?| )[A-Z]{2})?$/.test(text));
  return line ? composedValue(line.text, 86, [{ line }]) : null;
}
