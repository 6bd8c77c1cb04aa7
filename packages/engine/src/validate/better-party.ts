import type { ExtractedValue } from '@millrace/document-model';
import { hasPlace, isStreetLine } from '../candidates/address-lines.ts';
import { countryOf } from '../candidates/country.ts';
import type { PartyValue } from '../parties/parties.ts';
import { letters } from './same-text.ts';

/** Below this confidence an answer is but the likeliest of what stands on the page, and a block is set as a party's. */
const hardlyBelieved = 45;

/** Letters of a logo that is no common word. */
const leastLogo = 8;

/** Whether a party's block says more of a name or address than what was chosen among candidates. */
export function isBetter(
  {
    value,
    captioned,
    other: opposite,
    besides = [],
    otherBesides = [],
    address,
    thirds = [],
  }: PartyValue & { readonly value: ExtractedValue },
  answered: ExtractedValue,
): boolean {
  const [own, other] = [letters(value.value), letters(answered.value)];
  if (own === other) return false;
  if (opposite !== null && letters(opposite) === other) return true;
  // A logo says the words with which the other side's name begins.
  const isLogo = other.length >= leastLogo && !/\d/.test(other) && !own.startsWith(other);
  if (isLogo && opposite !== null && letters(opposite).startsWith(other)) return true;
  if ([...besides, ...otherBesides].some((text) => letters(text) === other)) return true;
  // Where goods go, or come back from, is neither side's own.
  const isThirds = (text: string) =>
    letters(text) === other || (letters(text).length > 5 && other.startsWith(letters(text)));
  if (answered.confidence < 90 && thirds.some(isThirds)) return true;
  if (address && letters(address).includes(other) && isStreetLine(String(answered.value))) return true;
  // A town or a county of the party's own address.
  if (address?.split(', ').some((part) => letters(part) === other)) return true;
  // A line of the other side's address is in no address of this one.
  const isStrayed = String(answered.value)
    .split(', ')
    .some((part) => /\d/.test(part) && letters(opposite ?? '').includes(letters(part)) && !own.includes(letters(part)));
  if (isStrayed) return true;
  // What begins within the block's address, and goes on below it.
  const [begun = ''] = String(answered.value).split(', ');
  const isWithin = letters(begun).length > 3 && own.indexOf(letters(begun)) > 0;
  if (isWithin && (!isStreetLine(begun) || hasPlace(begun)) && answered.confidence < 90) return true;
  // An address that ends before its town, which the block's has behind the same street.
  const end = String(answered.value).split(', ').at(-1)!;
  if (/\d/.test(end) && !hasPlace(end) && own.indexOf(letters(end)) >= 0 && !own.endsWith(letters(end))) return true;
  // The block's address abroad, with its country.
  const [country, ...rest] = String(answered.value).split(', ').toReversed();
  if (country && letters(rest.toReversed().join('')) === own && countryOf(country) !== null) return false;
  // An answer with more than the block's name may have its rest from elsewhere; more than its address is no address.
  if (own.includes(other) || (other.includes(own) && (answered.confidence < 85 || /\d/.test(own)))) return true;
  return (captioned || answered.confidence < hardlyBelieved) && answered.confidence < value.confidence;
}
