import { canadianProvinces, stateCodes, statesOf } from '../candidates/address-lines.ts';

/** `Washington DC` is a town. */
const codes = [...stateCodes, ...canadianProvinces.split('|')].filter((code) => code !== 'DC').join('|');

/** What stands beside a state's name at the head of its card. */
const besideState = [
  `usa(?:[ ,]+(?:${codes}))?`,
  'u\\.s\\.a\\.',
  'canada',
  'australia',
  codes,
  "(?:commercial |enhanced |identification |auto |operator )?(?:driver|operator)['’]?s?['’]? ?licen[sc]e",
  'permis de conduire',
  '(?:state )?(?:identification|id) card',
  'federal limits apply',
].join('|');

const stateAtHead = Object.entries(statesOf).map(([country, names]) => ({
  country,
  // OCR loses the blanks between wide letters.
  pattern: new RegExp(
    `^(?:usa[ ,]+)?((?:state of |commonwealth of )?(?:${names.replaceAll(' ', ' ?')})(?: state)?)(?=(?:[ ,]+(?:${besideState}))*[ .*★]*$)`,
    'iu',
  ),
}));

/** No name of a state and what stands beside it is longer. */
const longestHead = 90;

/** A state and the country that it belongs to. */
export interface StateName {
  readonly name: string;
  readonly country: string;
}

/**
 * The state of America, Canada or Australia that a document has at its head, perhaps with its country, its code or the
 * document's title beside it.
 */
export function stateOfHead(text: string): StateName | null {
  const head = text.trim();
  if (head.length > longestHead) return null;
  for (const { country, pattern } of stateAtHead) {
    const name = pattern.exec(head)?.[1];
    if (name !== undefined) return { name, country };
  }
  return null;
}
