import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import type { Findings } from '../../compose/compose.ts';
import { numberWords } from '../../compose/number-words.ts';
import { candidateValue, composedValue, type Stretch } from '../../compose/value.ts';
import { isOnLine } from '../../layout/geometry.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import { isUnit, saysAmount } from './words-abroad.ts';

/** Words that end a group of digits; a lakh and a crore are India's. */
const largeNumberWords: Readonly<Record<string, number>> = {
  thousand: 1_000,
  lakh: 100_000,
  lakhs: 100_000,
  million: 1_000_000,
  crore: 10_000_000,
  crores: 10_000_000,
};

/** What an amount is counted in, and its hundredths. */
const majorUnit = /^(?:dollars?|pounds?|euros?|rupees?)$/;

const minorUnit = /^(?:cents?|c|pence|penny|p|paise|paisa)$/;

/** A nought of the hundredths that OCR takes for a letter: `5op`. */
const noughtAsLetter = /(?<=(?<![\p{L}\d])\d)[oO](?=p?(?![\p{L}\d]))/gu;

/**
 * The amount that English words say, such as `One hundred five and 50/100` or `Two thousand euro, fifty cent only`; null
 * where they say none.
 */
export function amountOfWords(text: string): number | null {
  const cents = /(?:and|&)?\s*(\d{1,2}|no|xx)\s*\/\s*100/i.exec(text);
  const plain = (cents ? text.slice(0, cents.index) : text).replace(noughtAsLetter, '0').toLowerCase();
  // OCR takes a nought for a letter.
  const words = plain.replace(/(?<![a-z\d])[0o]{2}(?![a-z\d])/g, '00').match(/[a-z]+|\d+/g) ?? [];
  let total = 0;
  let group = 0;
  let known = 0;
  let major: number | null = null;
  let hundredths: number | null = null;
  for (const word of words) {
    if (word in numberWords) group += numberWords[word]!;
    else if (word === 'hundred') group *= 100;
    else if (word in largeNumberWords) {
      total += group * largeNumberWords[word]!;
      group = 0;
    } else if (majorUnit.test(word) && major === null) {
      if (known > 0) major = total + group;
      [total, group] = [0, 0];
      continue;
    } else if (minorUnit.test(word) && major !== null && hundredths === null && total + group < 100) {
      hundredths = total + group;
      [total, group] = [0, 0];
    } else if (/^\d{1,2}$/.test(word) && major !== null && group === 0) group = Number(word);
    else if (/^(?:and|only|exactly|us)$/.test(word)) continue;
    else return null;
    known += 1;
  }
  // What stands behind the unit and is not called hundredths is no amount, such as a number of lines.
  if (known === 0 || (major !== null && total + group > 0)) return null;
  return (major ?? total + group) + (hundredths ?? 0) / 100 + (cents ? (Number(cents[1]) || 0) / 100 : 0);
}

/** What a machine for checks prints for an amount in words: `EXACTLY **1,240 AND 50/100 DOLLARS`, `725 DOLS 00 CTS`. */
const figuresAsWords =
  /^(?:pay )?(?:exactly )?[$*\s]*(\d{1,3}(?:,\d{3})+|\d{1,6})[*\s]*(?:(?:dollars|dols?\.?)[\s*]*(?:and|&)?[\s*]*(\d\d|no)[\s*]*(?:cents|cts\.?|\/ ?100)|(?:and|&)[\s*]*(\d\d|no) ?\/ ?100(?: (?:us )?dollars)?)[\s*]*$/iu;

/** The amount in words that is one in figures, with its unit in words, where the same figures stand elsewhere too. */
export function figuresInWords(layout: Layout, candidates: Findings['candidates']): StatedAmount | null {
  for (const line of layout.lines.slice(0, 200)) {
    const match = line.text.length > 80 ? null : figuresAsWords.exec(line.text);
    if (!match) continue;
    const amount = Number(match[1]!.replaceAll(',', '')) + (Number(match[2] ?? match[3]) || 0) / 100;
    const figures = candidates.find(
      (candidate) => candidate.kind === 'amount' && candidate.value === amount && !isOnLine(candidate, line),
    );
    if (!figures) continue;
    const start = /^(?:pay )?/iu.exec(line.text)![0].length;
    return {
      stated: composedValue(line.text.slice(start).trim(), 89.5, [{ line, start, end: line.text.length }]),
      amount: candidateValue(figures, 97, ['readings_agree']),
    };
  }
  return null;
}

/** The amount as its words state it, which is what a bank pays where the figures differ. */
interface StatedAmount {
  readonly stated: ExtractedValue;
  readonly amount: ExtractedValue;
}

/** The cents of an amount in words where they stand apart, at the end of a line that is ruled to be written on. */
const centsApart = /^(?:and |& ?)?(?:\d{1,2}|no|xx) ?\/ ?100/iu;

/** Words that are printed before an amount in words; of India's, the currency is among them. */
const beforeWords = /^(?:(?:pay|the sum of|amount|this amount|rupees)\b[\s:*]*)?/iu;

const beforeWordsAbroad =
  /^(?:(?:(?:la )?(?:somme|cantidad|quantia|suma|som) (?:de|van)|euros?|eur|betrag in (?:worten|buchstaben)|a vista pagate per questo assegno (?:bancario|circolare)|payez contre ce ch[eè]que)\b[\s:*#]*)?/iu;

const unitAtEnd = /[\s*~_.–—-]*(?:\bus )?\b(?:dollars|pounds|euros?)$/iu;

/** Figures with a dash before their hundredths, as they are written on checks by hand. */
const dashedFigures = /(?<![\d.,-])(\d[\d,. ]*)[-–=](\d{2})(?!\d)/gu;

/** The amount in words with what it states, as the figures have it or else the words alone; null where no line is one. */
export function amountInWords(layout: Layout, candidates: Findings['candidates']): StatedAmount | null {
  for (const line of layout.lines) {
    const body = line.text.replace(/[\s*~_.–—-]+$/u, '');
    const lead = beforeWords.exec(body)![0].length;
    const start = lead + /^[\s*~]*/u.exec(body.slice(lead))![0].length;
    const whole = body.slice(start);
    const unit = unitAtEnd.exec(whole);
    // Written in one breath with the words, the currency is a part of them; printed at the end of the line it is not.
    const isRuled = unit !== null && /[*~_–—-]{3}/u.test(unit[0]);
    const stated = unit && (isRuled || !isTypeset(line, start + unit.index)) ? whole.slice(0, unit.index) : whole;
    if (!/[a-z]{3}/i.test(stated) || amountOfWords(stated) === null) continue;
    const further = stated.includes('/') ? null : furtherWords(stated, line, layout);
    const words = (further ? `${stated} ${further.text}` : stated)
      .replace(/(?<![\p{L}\d])[0Oo]{2}(?![\p{L}\d])/gu, '00')
      .replace(noughtAsLetter, '0');
    const amount = amountOfWords(words) ?? 0;
    if (amount <= 0) continue;
    const stretches = [{ line, start, end: start + stated.length }, ...(further ? [further.stretch] : [])];
    const figures = candidates.find(({ kind, value }) => kind === 'amount' && value === amount);
    if (figures) {
      return {
        stated: composedValue(words, 95, stretches, ['readings_agree']),
        amount: candidateValue(figures, 97, ['readings_agree']),
      };
    }
    const dashed = dashedAmount(layout, amount);
    return {
      stated: composedValue(words, dashed ? 90 : 70, stretches, dashed ? ['readings_agree'] : []),
      amount: dashed ?? composedValue(amount, 78, stretches),
    };
  }
  return null;
}

/** An amount in the words of another language, behind what is printed before it. */
export function wordsAbroad(layout: Layout): ExtractedValue | null {
  for (const line of layout.lines.slice(0, 200)) {
    const lead = beforeWordsAbroad.exec(line.text)![0].length;
    const filled = line.text.slice(lead).replace(/[\s*#~_.=–—-]+$/u, '');
    const start = lead + /^[\s*#~_=|-]*(?:1 )?/u.exec(filled)![0].length;
    const end = lead + filled.length;
    const words = line.text.slice(start, end);
    if (start >= end || !saysAmount(words)) continue;
    const rest = /\d$/.test(words) ? undefined : restOfWordsAbroad(words, line, layout);
    const stretches = [{ line, start, end }, ...(rest ? [{ line: rest.line, end: rest.text.length }] : [])];
    return composedValue(rest ? `${words} ${rest.text}` : words, 89.5, stretches);
  }
  return null;
}

/** What goes on with an amount in words on the second line that is ruled for it, which begins further left. */
function restOfWordsAbroad(
  words: string,
  { page, box }: TextLine,
  layout: Layout,
): { readonly line: TextLine; readonly text: string } | undefined {
  return layout.lines
    .filter(
      (line) =>
        line.page === page &&
        line.box.x0 <= box.x0 &&
        line.box.y0 > (box.y0 + box.y1) / 2 &&
        line.box.y0 - box.y1 < 2.5 * (box.y1 - box.y0),
    )
    .map((line) => ({ line, text: line.text.replace(/[\s*#~_.=–—-]+$/u, '') }))
    .find(({ text }) => /^\p{L}{2,} ?\p{L}/u.test(text) && !isUnit(text) && saysAmount(`${words} ${text}`));
}

/** What goes on with an amount in words: its cents beside it, or the second of the lines that are ruled for it. */
function furtherWords(
  stated: string,
  line: TextLine,
  layout: Layout,
): { readonly text: string; readonly stretch: Stretch } | null {
  const { right, below } = neighboursOf(layout, line);
  const cents = right && centsApart.exec(right.text);
  if (cents) return { text: cents[0], stretch: { line: right, start: 0, end: cents[0].length } };
  const next = below && neighboursOf(layout, below).below;
  for (const place of [below, next]) {
    const text = place?.text.replace(/[\s*~_.–-]+$/u, '') ?? '';
    const goesOn = text
      .toLowerCase()
      .match(/[a-z]+/g)
      ?.some((word) => word in numberWords || majorUnit.test(word));
    if (!place || !goesOn || place.box.y0 - line.box.y1 > 4 * (line.box.y1 - line.box.y0)) continue;
    // The unit alone is what a form prints at the end of its line.
    if (majorUnit.test(text.toLowerCase()) || amountOfWords(`${stated} ${text}`) === null) continue;
    return { text, stretch: { line: place, start: 0, end: text.length } };
  }
  return null;
}

function dashedAmount(layout: Layout, amount: number): ExtractedValue | null {
  for (const line of layout.lines) {
    for (const match of line.text.matchAll(dashedFigures)) {
      if (Number(`${match[1]!.replaceAll(/\D/g, '')}.${match[2]}`) !== amount) continue;
      return composedValue(
        amount,
        95,
        [{ line, start: match.index, end: match.index + match[0].length }],
        ['readings_agree'],
      );
    }
  }
  return null;
}

/** Figures between stars with one for their point, as those of the Treasury are: `$****1400*00`. */
export function guardedFigures(layout: Layout): ExtractedValue | null {
  const found = layout.lines.flatMap((line) => {
    const match = /\$ ?\*+ ?(\d[\d,]*)\*(\d{2})(?!\d)/u.exec(line.text);
    return match ? [{ line, match }] : [];
  });
  const [only, ...more] = found;
  if (!only || more.length > 0) return null;
  const { line, match } = only;
  const value = Number(`${match[1]!.replaceAll(',', '')}.${match[2]}`);
  return composedValue(value, 80, [{ line, start: match.index, end: match.index + match[0].length }]);
}

/** Whether the word behind a place of a line follows as closely as words of one sentence do. */
function isTypeset(line: TextLine, end: number): boolean {
  let at = 0;
  for (const [index, word] of line.words.entries()) {
    at = line.text.indexOf(word.text, at) + word.text.length;
    const next = line.words[index + 1];
    if (at >= end && next) return next.box.x0 - word.box.x1 < 0.8 * (word.box.y1 - word.box.y0);
  }
  return true;
}
