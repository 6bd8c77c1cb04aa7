import { german as germanKit } from '@millrace/ui/texts/de';
import { english as englishKit, type KitTexts } from '@millrace/ui/texts/en';
import { english, type Texts } from '../texts/en.ts';
import { place } from './place.ts';

/** The app's words in the language of the page. The page is loaded again to change it. */
export const texts: Texts = place.language === 'de' ? (await import('../texts/de.ts')).german : english;

/** The kit's words in the same language, with this app's labels of fields and codes. */
export function kitTexts(product: string): KitTexts {
  const { fields, codes } = texts;
  return { ...(place.language === 'de' ? germanKit : englishKit), product, fields, codes };
}
