import { foldText } from '../../candidates/date.ts';

/** What numbers in words are made of, by language, without the marks of letters. */
const parts: ReadonlySet<string> = new Set(
  [
    // German
    'tausend hundert million millionen eins ein eine zwei zwo drei vier funf sechs sech sieben sieb acht neun zehn elf zwolf zwan dreissig zig und',
    // French
    'mille million millions cent cents quatre vingt vingts trente quarante cinquante soixante septante huitante nonante un deux trois cinq six sept huit neuf dix onze douze treize quatorze quinze seize et',
    // Spanish
    'mil millon millones cien ciento cientos doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos doscientas trescientas cuatrocientas quinientas seiscientas setecientas ochocientas novecientas veinte veinti treinta cuarenta cincuenta sesenta setenta ochenta noventa uno una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieci y',
    // Italian
    'mila milione milioni cento venti vent trenta trent quaranta quarant cinquanta cinquant sessanta sessant settanta settant ottanta ottant novanta novant due tre quattro cinque sei sette otto nove undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove e',
    // Portuguese
    'milhao milhoes cem duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos duzentas trezentas quatrocentas quinhentas vinte trinta quarenta cinquenta sessenta oitenta um uma dois duas sete oito dez doze treze quatorze dezesseis dezasseis dezessete dezassete dezoito dezenove dezanove',
    // Dutch
    'duizend honderd miljoen een twee drie vijf zes zeven negen tien twaalf dertien veertien twintig dertig veertig tachtig tig en',
  ].flatMap((words) => words.split(' ')),
);
const longestPart = Math.max(...[...parts].map(({ length }) => length));
const longestWord = 80;

const unit =
  /^(?:euros?|francs?|franken|reais|real|pesos?|cent(?:imes|imos|avos|esimi)?|centimes?|con|de|virgola|virgule|komma|m|n|mn|l|ml|cte|mcte|moneda|corriente|legal|nacional|exactos)$/;
const figures = /^\d{1,3}$/;

/** How many parts of numbers a word consists of, at the least; null where it has anything else. */
function partsOf(word: string): number | null {
  if (word.length > longestWord) return null;
  const counts: (number | null)[] = [0];
  for (let end = 1; end <= word.length; end += 1) {
    const ways = Array.from({ length: Math.min(longestPart, end) }, (_, back) => {
      const before = counts[end - back - 1] ?? null;
      return before !== null && parts.has(word.slice(end - back - 1, end)) ? before + 1 : Infinity;
    });
    const least = Math.min(...ways);
    counts.push(least === Infinity ? null : least);
  }
  return counts[word.length] ?? null;
}

/** Whether a text is the unit of an amount alone, which a form prints. */
export function isUnit(text: string): boolean {
  return unit.test(foldText(text.trim()));
}

/** Whether a text is an amount in the words of another language than English: `milleottocentocinquanta/00`. */
export function saysAmount(text: string): boolean {
  const words = foldText(text)
    .split(/[\s,./-]+/)
    .filter((word) => word !== '');
  let numbers = 0;
  for (const word of words) {
    const count = partsOf(word);
    if (count !== null) numbers += count;
    else if (!unit.test(word) && !figures.test(word)) return false;
  }
  const hasUnit = words.some((word) => /^euros?$/.test(word));
  return numbers >= (hasUnit ? 1 : 2) && words.length <= 16;
}
