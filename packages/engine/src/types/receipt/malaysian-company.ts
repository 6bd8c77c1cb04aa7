import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { foldText } from '../../candidates/date.ts';
import { isOrganizationName } from '../../compose/names.ts';
import { composedValue } from '../../compose/value.ts';
import { topOfFirstSum } from './head.ts';

const form = /(?<!\p{L})(?:sdn\.? ?bhd|s\/b)(?!\p{L})/iu;
/** A company's number behind its name: `(519537-X)`, `COMPANY NO: 499702-V`. */
const registration =
  /\s*[([{]?\s*(?:(?:company|co\.?|reg\.?|roc)(?: ?reg\.?)?(?: ?no)?[.: ]*)?\d{5,12} ?-? ?[A-Z]{0,2}\s*[)\]}]?$/iu;
/** What Malaysian businesses that are no companies are registered as. */
const business = /(?<!\p{L})(?:perniagaan|syarikat|kedai|restoran|pasaraya|enterprise|trading)(?!\p{L})/iu;
/** Lines of a receipt's head. */
const headLines = 10;

/**
 * The merchant of a Malaysian receipt: the one company in its head where a brand of quite another name was taken, and
 * without the number under which it is registered.
 */
export function withMalaysianCompany(
  fields: Readonly<Record<string, ExtractedValue>>,
  layout: Layout,
): Record<string, ExtractedValue> {
  const { merchant_name: name } = fields;
  if (!name) return { ...fields };
  const text = String(name.value);
  const bare = text.replace(registration, '');
  if (form.test(bare)) return { ...fields, merchant_name: { ...name, value: bare } };
  const end = topOfFirstSum(layout);
  const [company, ...more] = layout.lines.slice(0, headLines).filter((line) => line.box.y0 < end && isCompany(line));
  if (
    !company ||
    more.length > 0 ||
    business.test(text) ||
    isOrganizationName(text) === 'legal_form' ||
    sharesWord(text, company.text)
  )
    return { ...fields };
  const own = company.text.replace(registration, '').trim();
  return {
    ...fields,
    merchant_name: composedValue(own, name.confidence, [{ line: company, start: 0, end: own.length }]),
  };
}

/** Whether a line is a company's name and nothing else but its number. */
function isCompany({ text }: TextLine): boolean {
  const own = text.replace(registration, '').trim();
  return form.test(own) && !/[:@]|\d{3}|^\P{L}/u.test(own) && own.replace(form, '').replace(/\P{L}/gu, '').length > 3;
}

function sharesWord(brand: string, company: string): boolean {
  const wordsOf = (text: string): readonly string[] => foldText(text).match(/\p{L}{4,}/gu) ?? [];
  return wordsOf(brand).some((word) => wordsOf(company).includes(word));
}
