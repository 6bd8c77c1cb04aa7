import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { composedValue } from '../../compose/value.ts';
import { visualRows } from '../../layout/neighbours.ts';

/** Below what a caption of a number says. */
const confidence = 62;
/** Bounds on hostile pages. */
const rowLimit = 400;

/** What a till prints on the line of a sale's number, whose sign is the only caption: `SALE    #0412-2-5518`. */
const ofSale =
  /(?<!\p{L})(?:sale|purchase|transaction|trans|trx|receipt|ticket|order|invoice|bill|check|chk)(?!\p{L})/iu;
const signedNumber = /(?:^|\s)# ?(\d[\d-]{2,24}\d)$/;

/** The number behind its sign at the end of the only row that says it is a sale's; null where there are several. */
export function signedSaleNumber(layout: Layout): ExtractedValue | null {
  const found = visualRows(layout)
    .slice(0, rowLimit)
    .flatMap((row) => {
      const line = row.at(-1)!;
      const match = signedNumber.exec(line.text);
      return match && ofSale.test(textOf(row)) ? [{ line, number: match[1]! }] : [];
    });
  const [only, ...more] = found;
  return only && more.length === 0
    ? composedValue(only.number, confidence, [{ line: only.line, start: only.line.text.length - only.number.length }])
    : null;
}

const phoneAlone = /^(?:\+\d{1,3} ?)?\(?\d{2,5}\)?(?:[ ./-]\d{2,5}){1,4}$/;

/** The telephone number that stands alone in a line above all amounts, without a caption; null where several do. */
export function phoneAtHead(layout: Layout): ExtractedValue | null {
  const lines = layout.lines.slice(0, rowLimit);
  const sum = lines.findIndex(({ text }) => /\d[.,]\d\d(?!\d)/.test(text));
  const found = lines.slice(0, Math.max(0, sum)).filter(({ text }) => isPhone(text.trim()));
  const [only, ...more] = found;
  return only && more.length === 0 ? composedValue(only.text.trim(), confidence, [{ line: only }]) : null;
}

function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  return phoneAlone.test(text) && digits >= 9 && digits <= 13 && !/^\d{1,2}[./-]\d{1,2}[./-](?:\d{2}){1,2}$/.test(text);
}

function textOf(row: readonly TextLine[]): string {
  return row.map(({ text }) => text).join(' ');
}
