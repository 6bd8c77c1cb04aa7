import { foldText } from './date.ts';

/** Words for the sex of a person, as documents write them, without marks. */
const words: Readonly<Record<'M' | 'F', readonly string[]>> = {
  M: [
    'male',
    'mannlich',
    'masculin',
    'masculine',
    'masculino',
    'maschio',
    'hombre',
    'homem',
    'homme',
    'man',
    'lelaki',
    'laki-laki',
  ],
  F: [
    'female',
    'weiblich',
    'feminin',
    'feminine',
    'feminino',
    'femenino',
    'femmina',
    'mujer',
    'mulher',
    'femme',
    'vrouw',
    'perempuan',
    'wanita',
  ],
};
const sexes = new Map(Object.entries(words).flatMap(([sex, said]) => said.map((word) => [word, sex])));

/** A pattern's alternatives for a word that says somebody's sex; to be used with `iu`. */
export const sexWords = [...sexes.keys()]
  .sort((one, other) => other.length - one.length)
  .map((word) => word.replace('mannlich', 'm[äa]nnlich').replace(/^fem(?=inin)/, 'f[ée]m'))
  .join('|');

/** The sex that a word or a letter says: W and D are German, V is Dutch, and M, F and X stand for themselves. */
export function sexOf(text: string): string {
  const letter = text.toUpperCase();
  return sexOfWord(text) ?? { W: 'F', V: 'F', D: 'X' }[letter] ?? letter;
}

/** The sex that a word says in any language, M or F; null where it says none. */
export function sexOfWord(word: string): string | null {
  return sexes.get(foldText(word)) ?? null;
}
