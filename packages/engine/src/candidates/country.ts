import { lazy } from '../lazy.ts';
import type { TextFinding } from './contact.ts';
import { foldText } from './date.ts';
import { matchesOf } from './matches.ts';

const regions = Array.from({ length: 26 * 26 }, (_, index) =>
  String.fromCharCode(65 + Math.floor(index / 26), 65 + (index % 26)),
);

const furtherNames: readonly (readonly [name: string, code: string])[] = [
  ['usa', 'US'],
  ['u.s.a.', 'US'],
  ['united states of america', 'US'],
  ['uk', 'GB'],
  ['u.k.', 'GB'],
  ['great britain', 'GB'],
  ['england', 'GB'],
  ['scotland', 'GB'],
  ['wales', 'GB'],
  ['holland', 'NL'],
  ['the netherlands', 'NL'],
  ['brasil', 'BR'],
  ['czech republic', 'CZ'],
  ['deutschland', 'DE'],
  ['republic of singapore', 'SG'],
  // As their own papers name them.
  ...(
    [
      ['SE', 'sverige'],
      ['DK', 'danmark'],
      ['NO', 'norge'],
      ['FI', 'suomi'],
      ['EE', 'eesti'],
      ['LV', 'latvija', 'latvijas'],
      ['LT', 'lietuva', 'lietuvos'],
      ['PL', 'polska'],
      ['CZ', 'cesko', 'ceska'],
      ['SK', 'slovensko', 'slovenska'],
      ['HU', 'magyarorszag'],
      ['HR', 'hrvatska'],
      ['SI', 'slovenija'],
      ['RS', 'srbija'],
      ['TR', 'turkiye'],
    ] as const
  ).flatMap(([code, ...names]) => names.map((name) => [name, code] as const)),
];

/** Words that are a country's name in one language and something else in another. */
const excluded = new Set([
  'mali',
  'man',
  'chad',
  'jersey',
  'guinea',
  'niger',
  'georgia',
  'jordan',
  'saba',
  'peru',
  'oman',
  'togo',
  'cuba',
  'iran',
  'reunion',
  'tschad',
  'granada',
  'welt',
]);

const countryNames = lazy((): ReadonlyMap<string, string> => {
  const names = new Map<string, string>();
  for (const language of ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ms']) {
    const display = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    for (const region of regions) {
      const name = display.of(region);
      if (!name || /^(?:EU|EZ|UN|QO|XA|XB|ZZ)$/.test(region)) continue;
      // Of a code that another took the place of, as DE did of DD, `Intl` gives the other's name.
      if (new Intl.Locale(`und-${region}`).region !== region) continue;
      const folded = foldText(name);
      if (!names.has(folded) && !excluded.has(folded)) names.set(folded, region);
    }
  }
  for (const [name, code] of furtherNames) names.set(name, code);
  return names;
});

const firstWords = lazy(() => new Set([...countryNames().keys()].map((name) => name.split(' ')[0])));
const longestName = lazy(() => Math.max(...[...countryNames().keys()].map((name) => name.split(' ').length)));

/** Countries named in a text, as ISO 3166-1 alpha-2 codes. */
export function findCountries(text: string): TextFinding[] {
  const findings: TextFinding[] = [];
  const words = matchesOf(/[\p{L}.'’-]+/gu, text);
  for (let first = 0; first < words.length; first += 1) {
    const head = foldText(words[first]![0]);
    if (!firstWords().has(head) && !firstWords().has(head.replace(/[.-]+$/, ''))) continue;
    for (let count = Math.min(longestName(), words.length - first); count > 0; count -= 1) {
      const start = words[first]!.index;
      const last = words[first + count - 1]!;
      const end = last.index + last[0].length;
      const folded = foldText(text.slice(start, end));
      const code = countryNames().get(folded) ?? countryNames().get(folded.replace(/[.-]+$/, ''));
      // New Mexico is no Mexico.
      if (code === undefined || (count === 1 && /^new$/i.test(words[first - 1]?.[0] ?? ''))) continue;
      findings.push({ start, end, value: code, quality: folded.length > 3 ? 0.9 : 0.5 });
      first += count - 1;
      break;
    }
  }
  return findings;
}

/** The ISO 3166-1 alpha-2 code of a country's name or code; null where it is none. */
export function countryOf(text: string): string | null {
  const trimmed = text.trim();
  if (/^[A-Z]{2}$/.test(trimmed) && [...countryNames().values()].includes(trimmed)) return trimmed;
  return countryNames().get(foldText(trimmed)) ?? null;
}
