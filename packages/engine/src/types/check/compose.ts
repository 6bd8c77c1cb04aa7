import type { ExtractedValue, Layout } from '@millrace/document-model';
import { isMagnetic } from '../../candidates/transit-number.ts';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { dateInPieces } from '../../compose/date-in-pieces.ts';
import { composedValue, onlyValue } from '../../compose/value.ts';
import { visualRows } from '../../layout/neighbours.ts';
import { amountInWords, figuresInWords, wordsAbroad } from './amount-in-words.ts';
import { boxedDate, dateBesideYear } from './boxed-date.ts';
import { guardedFigures, strokedFigure } from './figures.ts';
import { footOf } from './foot.ts';
import { magneticFields } from './magnetic-ink.ts';
import { accountAtFoot, asPrinted, captionedNumber, numbersInInk, printedNumber, withSerial } from './numbers.ts';
import { isBankInCorner, partiesOf } from './parties.ts';
import { ofTreasury } from './treasury.ts';

/** A check: the numbers at its foot, the amount in words and in figures, its date, and who pays whom by which bank. */
export function composeCheck(findings: Findings): ComposedFields {
  const { layout, locale, candidates } = findings;
  const printed = printedNumber(layout.lines);
  const foot = footOf(layout);
  const fields: Record<string, ExtractedValue | null> = { ...numbersInInk(layout, printed), ...foot };
  if (!fields.check_number) fields.check_number = captionedNumber(findings, 'check_number', 3);
  // Indian checks print the whole account, and in magnetic ink only a part of it.
  fields.account_number =
    captionedNumber(findings, 'account_number', 9) ??
    fields.account_number ??
    accountAtFoot(layout, locale, printed) ??
    captionedNumber(findings, 'account_number', 6);
  const words = amountInWords(layout, candidates) ?? figuresInWords(layout, candidates);
  const stated = words?.stated ?? wordsAbroad(layout);
  if (stated) fields.amount_words = stated;
  fields.amount = words?.amount ?? guardedFigures(layout) ?? strokedFigure(layout);
  const date =
    dateBesideVoucher(layout, candidates) ??
    boxedDate(layout, locale) ??
    dateBesideYear(layout, locale) ??
    dateInPieces(layout);
  if (date) fields.date = date;
  if (!fields.check_number && printed) {
    fields.check_number = composedValue(printed.text, 65, [{ line: printed.line }]);
  }
  const magneticInk = withSerial(magneticFields(layout, printed?.text ?? null), layout);
  return {
    ...fields,
    ...partiesOf(layout, stated, isBankInCorner(foot)),
    ...ofTreasury(layout),
    ...magneticInk,
    ...asPrinted(magneticInk.check_number, printed),
  };
}

/** Inches. A check that is torn off a page of letter size takes a third of it, and is not higher than this. */
const heightOfCheck = 3.7;

const widthOfPage = 8.5;

/**
 * The date of a check on a page with its voucher, which has those of what is paid: the one that the check's own third
 * of the page has, above its line of magnetic ink.
 */
function dateBesideVoucher(layout: Layout, candidates: Findings['candidates']): ExtractedValue | null {
  const page = layout.document.pages[0];
  if (!page || page.height < 1.1 * page.width) return null;
  const foot = visualRows(layout)
    .toReversed()
    .find((row) => row[0]?.page === 1 && row.some(({ text }) => isMagnetic(text)))?.[0];
  if (!foot) return null;
  const top = foot.box.y1 - (heightOfCheck * page.width) / widthOfPage;
  const own = candidates.filter(
    ({ kind, page: number, box }) => kind === 'date' && number === 1 && box.y0 > top && box.y0 < foot.box.y0,
  );
  return onlyValue(own, 93);
}
