import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import type { Findings } from '../../compose/compose.ts';
import { numberWords } from '../../compose/number-words.ts';
import { candidateValue, composedValue, type Stretch } from '../../compose/value.ts';
import { isOnLine } from '../../layout/geometry.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import { amountOfWords, majorUnit, noughtAsLetter } from './amount-of-words.ts';
import { dashedAmount, strokedAmount } from './figures.ts';
import { respelled } from './number-spelling.ts';
import { isUnit, saysAmount } from './words-abroad.ts';

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
const beforeWords =
  /^(?:(?:pay|(?:the )?sum of|amount|this amount|rupees|pesos|naira|rand|taka|ringgit(?: malaysia)?|(?:(?:singapore|hong kong|us|u\.s\.) )?dollars|(?:uae )?dirhams|(?:kenya )?shillings)\b[\s:*]*)?/iu;

const beforeWordsAbroad =
  /^(?:(?:(?:la )?(?:somme|cantidad|quantia|suma|som|importe) (?:de|van)|euros?|eur|betrag in (?:worten|buchstaben)|a vista pagate per questo assegno (?:bancario|circolare)|payez contre ce ch[eè]que)\b[\s:*#]*)?/iu;

const unitAtEnd = /[\s*~_.–—-]*(?:\bus )?\b(?:dollars|pounds|euros?)$/iu;

/** The amount in words with what it states, as the figures have it or else the words alone; null where no line is one. */
export function amountInWords(layout: Layout, candidates: Findings['candidates']): StatedAmount | null {
  for (const line of layout.lines) {
    const { stated, start } = wordsOn(line);
    if (!/[a-z]{3}/i.test(stated) || amountOfWords(stated) === null) continue;
    const { words, stretches } = wholeWords(stated, start, line, layout);
    const amount = amountOfWords(words) ?? 0;
    if (amount <= 0) continue;
    const figures = figuresOf(amount, layout, candidates);
    if (figures)
      return { stated: composedValue(words, figures.sure, stretches, ['readings_agree']), amount: figures.amount };
    return { stated: composedValue(words, 70, stretches), amount: composedValue(amount, 78, stretches) };
  }
  return misreadInWords(layout, candidates);
}

/** The amount in words some of which OCR misread, where they can only say one that the figures state. */
function misreadInWords(layout: Layout, candidates: Findings['candidates']): StatedAmount | null {
  for (const line of layout.lines.slice(0, 200)) {
    const { stated, start } = wordsOn(line);
    const { words, stretches } = wholeWords(stated, start, line, layout);
    const put = respelled(words, (amount) => figuresOf(amount, layout, candidates) !== null);
    const figures = put === null ? null : figuresOf(amountOfWords(put) ?? 0, layout, candidates);
    if (put !== null && figures)
      return { stated: composedValue(put, 89.5, stretches, ['readings_agree']), amount: figures.amount };
  }
  return null;
}

/** What a line has of an amount in words, without what is printed before it and the unit printed behind it. */
function wordsOn(line: TextLine): { readonly stated: string; readonly start: number } {
  const body = line.text.replace(/[\s*~_.–—-]+$/u, '');
  const lead = beforeWords.exec(body)![0].length;
  const start = lead + /^[\s*~]*/u.exec(body.slice(lead))![0].length;
  const whole = body.slice(start);
  const unit = unitAtEnd.exec(whole);
  // Written in one breath with the words, the currency is a part of them; printed at the end of the line it is not.
  const isRuled = unit !== null && /[*~_–—-]{3}/u.test(unit[0]);
  const stated = unit && (isRuled || !isTypeset(line, start + unit.index)) ? whole.slice(0, unit.index) : whole;
  return { stated, start };
}

/** The words of a line with what goes on with them elsewhere. */
function wholeWords(
  stated: string,
  start: number,
  line: TextLine,
  layout: Layout,
): { readonly words: string; readonly stretches: readonly Stretch[] } {
  const further = stated.includes('/') ? null : furtherWords(stated, line, layout);
  const words = (further ? `${stated} ${further.text}` : stated)
    .replace(/(?<![\p{L}\d])[0Oo]{2}(?![\p{L}\d])/gu, '00')
    .replace(noughtAsLetter, '0');
  return {
    words,
    stretches: [{ line, start, end: start + stated.length }, ...(further ? [further.stretch] : [])],
  };
}

/** The figures that state an amount, and how sure they make its words. */
function figuresOf(
  amount: number,
  layout: Layout,
  candidates: Findings['candidates'],
): { readonly amount: ExtractedValue; readonly sure: number } | null {
  const figures = candidates.find(({ kind, value }) => kind === 'amount' && value === amount);
  if (figures) return { amount: candidateValue(figures, 97, ['readings_agree']), sure: 95 };
  const written = dashedAmount(layout, amount) ?? strokedAmount(layout, amount);
  return written ? { amount: written, sure: 90 } : null;
}

/** An amount in the words of another language, behind what is printed before it. */
export function wordsAbroad(layout: Layout): ExtractedValue | null {
  for (const line of layout.lines.slice(0, 200)) {
    const lead = beforeWordsAbroad.exec(line.text)![0].length;
    const filled = line.text.slice(lead).replace(/[\s*#~_.=–—-]+$/u, '');
    const start = lead + /^[\s*#~_=|-]*(?:1 )?/u.exec(filled)![0].length;
    // The full stop of an abbreviated currency is a part of it: `00/100 M.N.`.
    const end = lead + filled.length + (/(?<!\p{L})M\. ?N$/u.test(filled) ? 1 : 0);
    const words = line.text.slice(start, end).replace(/(?<![\p{L}\d])OO(?=\/100)/u, '00');
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
