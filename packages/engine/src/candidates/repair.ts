import type { TextLine } from '@millrace/document-model';
import { canadianCodeAsRead, canadianProvinces, stateCodes } from './address-lines.ts';
import { withoutMarks } from './unmarked.ts';

/** What OCR makes of the legal form `SDN BHD`; its letters are the same on every receipt of the country, so that the faults are known. */
const malaysianForm = /(?<![\p{L}\d])S[DOUB0I][NHM]\.? ?B[HN][DLOBU0](?![\p{L}\d])/giu;

/** A British postal code of Oldham or Oxford, whose first letter is read as a digit. */
const britishCode = /(?<![\p{L}\d])0(?=[LX]\d[A-Z\d]? ?\d[A-Z]{2}(?![\p{L}\d]))/gu;
/** The second half of a British postal code at the end of a line or part, whose figure is read as a letter: `HX2 OQD`. */
const britishCodeEnd = /(?<=(?<![\p{L}\d])[A-Z]{1,2}\d[A-Z\d]? )O(?=[ABD-HJLNP-UW-Z]{2} ?(?:$|,))/gu;
/** The code of an American state before its postal code, one of whose letters is read as another: `Wl 18913`. */
const stateCode = /(?<=\p{L}[.,]? )[A-Z0][A-Za-z01|](?=[.,]? \d{5}(?!\d))/gu;

/** A Canadian postal code behind its province, a sign of which is read as another: `ON L7P 1x8`, `ON MBZ 1M1`. */
const canadianCode = new RegExp(`(?<=[, ](?:${canadianProvinces}),? {1,2})${canadianCodeAsRead}(?![\\p{L}\\d])`, 'gu');

/**
 * The German letter that is no other language's, in the one word that every address has: `StraBe`. Other words have some of
 * what it is taken for, which therefore need a house's number behind them: `Lindenstrale 5`.
 */
const sharpS = /(?<=(?<!magi|mini|(?<!\p{L})a)stra)(?:B|fs|[bflr](?=e \d{1,4} ?[a-z]?(?:$|,)))(?=e[nr]?(?!\p{L}))/giu;

/** German towns whose letters lose their marks in OCR, and which no language writes without them behind a postal code. */
const townsWithMarks = new Map(
  `münchen köln düsseldorf nürnberg münster lübeck würzburg göttingen tübingen saarbrücken osnabrück mönchengladbach lüneburg
  gütersloh böblingen görlitz göppingen rüsselsheim lüdenscheid günzburg mülheim düren dülmen lünen lörrach völklingen höxter
  köthen nördlingen füssen schwäbisch königstein königswinter grünwald brühl hürth güstrow döbeln übach überlingen öhringen`
    .split(/\s+/)
    .map((town) => [withoutMarks(town), town]),
);
const townBehindCode = /(?<=(?<![\p{L}\d])(?:D-? ?)?\d{5},? )\p{L}{4,}/gu;

/** A word of two letters between others: `END 0F MONTH`. */
const shortWord = /(?<=\p{L} )0(?=[FNR] \p{L})/gu;

/** A capital O that begins a word: `New 0rleans`. */
const firstLetter = /(?<![\p{L}\d.,])0(?=\p{Ll}(?![x\d]))/gu;

/** The number of a phase or a sector in Roman figures, a capital I of which is read as a small l: `GIDC Phase Il`. */
const romanNumber = /(?<=\p{L}{3} )(?:Il|lI|IIl|IlI|lII)(?=$|[,)])/gu;

/** The sign of a floor before its door in Spain and Portugal, which is read as that of degrees: `3° B`, `2° Izq.`. */
const floorSign =
  /(?<=(?<![\p{L}\d.,])\d{1,2})°(?= ?(?:[ABDEGH]|(?<= )[CF])(?![\p{L}\d])| ?(?:izq|dch|dcha|drcha|esq|dto|dir|frente|puerta)(?!\p{L}))/giu;

/**
 * Puts right what OCR takes for each other where the other characters of the word leave no doubt: digits within words of
 * letters (`L0T`, `S0ON`), letters within numbers (`500C0`, `7/1l8B`), a small l for a capital I (`lpoh`) and the other
 * way round (`JIn`).
 */
export function repairLetters(text: string): string {
  return text
    .replace(britishCode, 'O')
    .replace(britishCodeEnd, '0')
    .replace(stateCode, repairStateCode)
    .replace(canadianCode, repairCanadianCode)
    .replace(sharpS, 'ß')
    .replace(townBehindCode, withItsMarks)
    .replace(shortWord, 'O')
    .replace(firstLetter, 'O')
    .replace(floorSign, 'º')
    .replace(romanNumber, (figures) => 'I'.repeat(figures.length))
    .replace(/[\p{L}\d]+/gu, (word: string, at: number, whole: string) =>
      isHalfOfCode(word, whole.slice(0, at), whole.slice(at + word.length)) ? word : repairWord(word),
    )
    .replace(/(?<=\p{L}-)0(?![\p{L}\d])/gu, 'O')
    .replace(malaysianForm, (form) => (form === form.toUpperCase() ? 'SDN BHD' : 'Sdn Bhd'));
}

/** A line's text, with its letters put right where OCR read them. */
export function repairedText({ text, words }: Pick<TextLine, 'text' | 'words'>): string {
  return words[0]?.source.startsWith('ocr:') ? repairLetters(text) : text;
}

/** A town's name with the marks of its letters, if it is one that lost them. */
function withItsMarks(read: string): string {
  const town = townsWithMarks.get(read.toLowerCase());
  return town
    ? town.replace(/./gu, (letter, at: number) => (/\p{Lu}/u.test(read[at]!) ? letter.toUpperCase() : letter))
    : read;
}

function repairStateCode(code: string): string {
  const repaired = code.replace(/[l1|]/g, 'I').replaceAll('0', 'O').toUpperCase();
  return stateCodes.has(repaired) ? repaired : code;
}

/** Letters and figures take turns in a Canadian code. */
function repairCanadianCode(code: string): string {
  const figures: Readonly<Record<string, string>> = { O: '0', B: '8', S: '5', I: '1' };
  let at = 0;
  return code.toUpperCase().replace(/[A-Z\d]/g, (sign) => (at++ % 2 === 1 ? (figures[sign] ?? sign) : sign));
}

/** Whether a word is a half of a postal code in which letters and figures stand between each other: `EC1N 2HT`, `HX2 0QD`, `M8Z 1B2`. */
function isHalfOfCode(word: string, before: string, behind: string): boolean {
  const isFirst = /^[A-Z]{1,2}\d[A-Z]$/.test(word) && /^ ?\d[A-Z][A-Z\d](?![\p{L}\d])/u.test(behind);
  const isBritish = /^\d[A-Z]{2}$/.test(word) && /(?<![\p{L}\d])[A-Z]{1,2}\d[A-Z\d]? ?$/u.test(before);
  return isFirst || isBritish || (/^\d[A-Z]\d$/.test(word) && /(?<![\p{L}\d])[A-Z]\d[A-Z] $/u.test(before));
}

/** What is cut short to letters that no word begins with: `ltd`. */
const abbreviated = /^l(?:tda?|bs|trs?|vl|rs|tg)$/;

function repairWord(word: string): string {
  const digits = word.match(/\d/g)?.length ?? 0;
  const letters = word.length - digits;
  if (
    digits > 0 &&
    letters >= 2 &&
    digits < letters &&
    (/^\p{L}*0\p{L}*$/u.test(word) || /^\p{L}+(?:0{1,2}|[158])\p{L}+$/u.test(word))
  ) {
    const upper = word === word.toUpperCase();
    return word
      .replaceAll('0', upper ? 'O' : 'o')
      .replaceAll('1', upper ? 'I' : 'l')
      .replaceAll('5', upper ? 'S' : 's')
      .replaceAll('8', upper ? 'B' : 'b');
  }
  // Names of towns and people end with two of them: `Fishki11`.
  if (/^\p{Lu}?\p{Ll}{3,}11$/u.test(word)) return `${word.slice(0, -2)}ll`;
  if (digits >= 4 && letters === 1) return repairNumber(word.replace(/[OoQCD]/, '0'));
  if (digits > 0) return repairNumber(word);
  // No word of the languages read begins with l and one of these, or has a capital I among small letters.
  if (/^l[bcdfghjkmnpqrstvwxz]\p{Ll}/u.test(word) && !abbreviated.test(word)) return `I${word.slice(1)}`;
  if (/^\p{Lu}I\p{Ll}+$/u.test(word)) return `${word[0]}l${word.slice(2)}`;
  return word;
}

function repairNumber(word: string): string {
  return word
    .replace(/(?<=\d)[lI](?=\d)/g, '1')
    .replace(/(?<=\d)[Oo](?=\d)/g, '0')
    .replace(/(?<=\d)S(?=\d)/g, '5')
    .replace(/(?<=\d)B(?=\d)/g, '8');
}
