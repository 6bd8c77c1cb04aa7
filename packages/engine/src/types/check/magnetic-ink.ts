import type { ExtractedValue, Layout, TextLine, ValueFlag } from '@millrace/document-model';
import { isRoutingNumber } from '../../candidates/transit-number.ts';
import { composedValue } from '../../compose/value.ts';
import { visualRows } from '../../layout/neighbours.ts';

/**
 * A check's numbers where its line of magnetic ink was read with its signs, which say what is what: ⑆transit⑆ first or
 * behind ⑈check number⑈, then the account up to ⑈, and on personal checks the check number before or behind it.
 *
 * @returns no fields where no transit number stands between its signs
 */
export function magneticFields(layout: Layout): Readonly<Record<string, ExtractedValue>> {
  for (const row of visualRows(layout).toReversed()) {
    const fields = fieldsOf(row);
    if (fields) return fields;
  }
  return {};
}

/** What a typeface for magnetic ink has in the places of the letters: the text of a PDF has the letters. */
const signsOfLetters: Readonly<Record<string, string>> = { A: '⑆', B: '⑇', C: '⑈', D: '⑉' };

/** The lines of a row with their signs, where its text has letters for them; every character keeps its place. */
function withSigns(row: readonly TextLine[]): readonly TextLine[] {
  const isLettered =
    row.every(({ text }) => /^[\dA-D ]+$/.test(text)) && row.some(({ text }) => /A ?\d{9} ?A/.test(text));
  if (!isLettered) return row;
  const signed = (text: string) => text.replaceAll(/[A-D]/g, (letter) => signsOfLetters[letter]!);
  return row.map((line) => ({
    ...line,
    text: signed(line.text),
    words: line.words.map((word) => ({ ...word, text: signed(word.text) })),
  }));
}

/** A number of a line: digits, perhaps parted by dashes, and whether the sign ⑈ follows it. */
interface SignedNumber {
  readonly text: string;
  readonly line: TextLine;
  readonly start: number;
  readonly end: number;
}

/** Characters of E-13B that the reader was less sure of keep a value below 90. */
const sureWord = 0.9;

function fieldsOf(printed: readonly TextLine[]): Record<string, ExtractedValue> | null {
  const row = withSigns(printed);
  const transitLine = row.find(({ text }) => /⑆ ?\d{9} ?⑆/.test(text));
  const transit = transitLine && /⑆ ?(\d{9}) ?⑆/.exec(transitLine.text);
  if (!transitLine || !transit) return null;
  const start = transitLine.text.indexOf(transit[1]!, transit.index);
  const transitEnd = transit.index + transit[0].length;
  const before = numbersOf(row.filter((line) => line.box.x1 <= transitLine.box.x0)).concat(
    numbersOf([transitLine], 0, transit.index),
  );
  const behind = numbersOf([transitLine], transitEnd).concat(
    numbersOf(row.filter((line) => line.box.x0 >= transitLine.box.x1)),
  );
  const transitNumber = { text: transit[1]!, line: transitLine, start, end: start + 9 };
  const fields: Record<string, ExtractedValue> = {
    routing_number: isRoutingNumber(transit[1]!)
      ? numberValue(transitNumber, 99, ['check_digit_holds'])
      : numberValue(transitNumber, 75, ['check_digit_fails']),
  };
  // The account is the longest number up to its sign; what else stands there is the check's own number.
  const account = behind.toSorted((a, b) => b.text.length - a.text.length)[0];
  if (account) fields.account_number = numberValue(account, 95);
  const serial = before.at(-1) ?? behind.find((number) => number !== account);
  const own = serial?.text.replace(/^0+/, '');
  if (serial && own) fields.check_number = numberValue({ ...serial, text: own }, 93);
  return fields;
}

function numberValue(number: SignedNumber, confidence: number, flags: readonly ValueFlag[] = []): ExtractedValue {
  const words = number.line.words.filter(({ text }) => text.includes(number.text));
  const isSure = words.some((word) => word.confidence >= sureWord);
  return composedValue(
    number.text,
    isSure || flags.length > 0 ? confidence : Math.min(confidence, 85),
    [number],
    flags,
  );
}

/** The numbers of lines, without what stands between the signs of the amount, which a bank prints behind them. */
function numbersOf(lines: readonly TextLine[], from = 0, to = Infinity): SignedNumber[] {
  return lines.flatMap((line) => {
    const text = line.text.slice(0, to).replaceAll(/⑇[^⑇]*⑇?/g, (amount) => '⑇'.repeat(amount.length));
    return [...text.matchAll(/\d(?:[\d⑉ ]*\d)?/g)]
      .filter(({ index }) => index >= from)
      .map((match) => ({
        text: match[0].replaceAll(/[⑉ ]/g, ''),
        line,
        start: match.index,
        end: match.index + match[0].length,
      }));
  });
}
