import { english, type KitTexts } from './texts/en.ts';

let current: KitTexts = english;

/**
 * Gives the kit's parts their words, in place of the English ones. To be called once, before the first screen is drawn:
 * messages outside of React have the same words, and a page changes its language by loading again.
 */
export function provideTexts(texts: KitTexts): void {
  current = texts;
}

/** The kit's words in the page's language. */
export function texts(): KitTexts {
  return current;
}
