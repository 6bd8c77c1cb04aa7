import type { ExtractedValue, Layout } from '@millrace/document-model';
import { isValidIBAN } from 'ibantools';
import { neighboursOf } from '../layout/neighbours.ts';
import type { ComposedFields, Findings } from './compose.ts';
import { composedValue } from './value.ts';

/** Which bank and branch it is: a British or Irish sort code, an Australian BSB, an American or Canadian routing number, an Indian IFSC. */
const branch =
  /(?<!\p{L})(?:sort(?: ?code)?|bsb|transit|routing|aba)(?: ?(?:number|num|no|#))?\.?[: ]*\d{2,9}(?:[- ]?\d{2,4}){0,2}(?!\d)|(?<![\d-])\d{2}-\d{2}-\d{2}(?=[ ,/|]{1,3}(?:a\/c|acc))|(?<!\p{L})ifsc?(?: ?code)?[: -]*[A-Z]{4}0[A-Z\d]{6}(?![A-Z\d])/iu;
const account =
  /(?<!\p{L})(?:account|acct?|a\/c)\.?(?: ?(?:number|num|no|#))?\.?[: ]+(?<number>(?=(?:[ -]?\d){6})\d{2,4}(?:[ -]?\d{2,4}){1,4})(?![ -]?\d)/iu;

/** A Polish account's number, which is printed without its country. */
const polishAccount = /(?<![\p{L}\d]|\d |PL )\d{2}(?: ?\d{4}){6}(?! ?\d)/u;

/** The one Polish account whose check digits hold, in one line or in two. */
function polishAccountIn(layout: Layout): ExtractedValue | null {
  const found = layout.lines.slice(0, 2000).flatMap((line) => {
    if (line.text.length > 200 || !/\d{2}(?: ?\d{4}){3}/.test(line.text)) return [];
    const { below } = neighboursOf(layout, line);
    for (const place of [line.text, `${line.text} ${below?.text ?? ''}`]) {
      const [number] = polishAccount.exec(place) ?? [];
      const start = number ? line.text.indexOf(number.slice(0, 17)) : -1;
      if (number && start >= 0 && isValidIBAN(`PL${number.replaceAll(' ', '')}`))
        return [composedValue(number, 86, [{ line, start }])];
    }
    return [];
  });
  const [first] = found;
  return first && found.every(({ value }) => value === first.value) ? first : null;
}

/** An account of New Zealand, known by its form: bank, branch, account and suffix. */
const newZealandAccount = /(?<![\d-]|\d )\d{2}(?<mark>[- ])\d{4}\k<mark>\d{7}\k<mark>\d{2,3}(?![\d-])/u;

/** Belgium's structured message to go with a payment, and the creditor's reference by ISO 11649. */
const structuredReference =
  /(?:\+{3}|\*{3}) ?\d{3}\/\d{4}\/\d{5} ?(?:\+{3}|\*{3})|(?<![\p{L}\d])RF\d{2}(?: ?[A-Z\d]{4}){1,5}(?: ?[A-Z\d]{1,3})?(?![\p{L}\d])/u;

/** The one text of a form that a document states; null where it states none, or several. */
function onlyOfForm(layout: Layout, form: RegExp, confidence: number): ExtractedValue | null {
  const found = layout.lines.slice(0, 2000).flatMap((line) => {
    const match = line.text.length > 200 ? null : form.exec(line.text);
    return match ? [{ line, text: match[0], start: match.index, end: match.index + match[0].length }] : [];
  });
  const [first] = found;
  return first && found.every(({ text }) => text === first.text)
    ? composedValue(first.text, confidence, [first])
    : null;
}

/** The account to pay to by its number, and what is to go with the payment. */
export function composeBankDetails(findings: Pick<Findings, 'layout'>): ComposedFields {
  const reference = onlyOfForm(findings.layout, structuredReference, 89.5);
  return { ...accountOf(findings), ...(reference && { payment_reference: reference }) };
}

/** The number of the account to pay to, where a sentence states it with its branch, on one line or its next. */
function accountOf({ layout }: Pick<Findings, 'layout'>): ComposedFields {
  const found = layout.lines.slice(0, 2000).flatMap((line) => {
    if (!branch.test(line.text)) return [];
    const { below } = neighboursOf(layout, line);
    for (const place of below ? [line, below] : [line]) {
      const match = account.exec(place.text);
      const number = match?.groups?.number;
      if (match && number) return [{ line: place, number, end: match.index + match[0].length }];
    }
    return [];
  });
  const [first] = found;
  const known = first ? null : (polishAccountIn(layout) ?? onlyOfForm(layout, newZealandAccount, 86));
  if (known) return { bank_account_number: known };
  return first && found.every(({ number }) => number === first.number)
    ? {
        bank_account_number: composedValue(first.number, 84, [
          { line: first.line, start: first.end - first.number.length, end: first.end },
        ]),
      }
    : {};
}
