import type { Locale, Word } from '@millrace/document-model';
import { foldText } from '../candidates/date.ts';
import { textOf } from './columns.ts';
import type { Row } from './header.ts';
import type { Item } from './items.ts';
import { agree } from './roles.ts';
import { type CellNumber, numberOf } from './values.ts';

const rowLimit = 200;
const volumeLabel =
  /^(?:fuel )?(?:gallons?|volume|vol|litres?|liters?|ltrs?|litros|litri|liter|quantity|quantite|menge|cantidad|qty)(?!\p{L})/u;
const priceLabel =
  /^(?:price ?\/ ?(?:g(?:al(?:lon)?)?|l(?:itre|iter|tr)?)|price per (?:gal(?:lon)?|l(?:itre|iter)?)|(?:ppg|ppl|rate)|unit price|prix ?(?:unit|au litre|\/ ?l)|preis ?\/ ?l(?:iter)?|preis je liter|literpreis|precio ?\/ ?l(?:itro)?|precio (?:unit|litro)|prezzo ?\/ ?l|prijs ?\/ ?l(?:iter)?)(?![\p{L}])/u;
const fuel =
  /(?<!\p{L})(?:(?:regular |premium |super |plus )?unleaded(?: \d{2})?|unld?|(?:reg|mid|prem|sup)(?: unl(?:d|ead)?)|dsl|(?:ultra |super |premium )?diesel|gasoil|gazole|gasolina(?: 9[58])?|sp ?9[58](?:[ -]e10)?|super(?: ?plus| ?9[58])?(?: ?e(?:5|10))?|e10|e85|euro ?9[58]|benzina?|petrol|regular|premium)(?!\p{L})/iu;

/** How much was pumped of what: `Regular Unl 9.204G`. */
const pumped = new RegExp(`${fuel.source}\\s.*\\d[.,]\\d{2,3} ?(?:g(?:al)?|l(?:tr)?)(?!\\p{L})`, 'iu');

interface Labelled {
  readonly number: CellNumber;
  readonly words: readonly Word[];
  readonly page: number;
}

/**
 * Reads the one item of a filling station's receipt that states it in labelled rows: how much, the price of a unit, and
 * somewhere their product. Empty where they are not stated, or do not multiply to an amount.
 */
export function readFuel(rows: readonly Row[], locale: Locale): Item[] {
  let volume: Labelled | null = null;
  let price: Labelled | null = null;
  let kind: { readonly words: readonly Word[]; readonly page: number } | null = null;
  const amounts: Labelled[] = [];
  const bounds = { top: Infinity, bottom: 0 };
  for (const row of rows.slice(0, rowLimit)) {
    const words = row.flatMap((line) => line.words);
    const page = row[0]!.page;
    const label = foldText(textOf(words)).trim();
    const found = firstNumber(words, page, locale);
    const isVolume = !volume && (volumeLabel.test(label) || pumped.test(textOf(words)));
    const isPrice = !price && priceLabel.test(label);
    if (found && isVolume) volume = found;
    else if (found && isPrice) price = found;
    else if (found && found.number.decimals === 2) amounts.push(found);
    if (found && (isVolume || isPrice)) {
      bounds.top = Math.min(bounds.top, row[0]!.box.y0);
      bounds.bottom = Math.max(bounds.bottom, row[0]!.box.y1);
    }
    const named = fuel.exec(textOf(words));
    if (named && !kind) {
      const own = words.filter(({ text }) => named[0].toLowerCase().includes(text.toLowerCase()));
      if (own.length > 0) kind = { words: own, page };
    }
  }
  if (!volume || !price) return [];
  const product = volume.number.value * price.number.value;
  const amount = amounts.find(({ number }) => number.value > 0 && agree(product, number.value));
  if (!amount) return [];
  const entry = ({ number, words, page }: Labelled) => ({ number, piece: { page, words } });
  return [
    {
      numbers: new Map([
        ['quantity', entry(volume)],
        ['price_unit', entry(price)],
        ['amount', entry(amount)],
      ]),
      texts: new Map(kind ? [['description', [{ page: kind.page, words: kind.words }]]] : []),
      page: volume.page,
      ...bounds,
    },
  ];
}

function firstNumber(words: readonly Word[], page: number, locale: Locale): Labelled | null {
  for (const word of words) {
    const number = /\d[.,]\d/.test(word.text) ? numberOf([word], locale) : null;
    if (number && !number.percent) return { number, words: [word], page };
  }
  return null;
}
