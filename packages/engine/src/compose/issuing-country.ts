import type { Layout, TextLine } from '@millrace/document-model';
import { states } from 'mrz';
import { stateOfHead } from '../candidates/address-lines.ts';
import { countryOf } from '../candidates/country.ts';
import { foldText } from '../candidates/date.ts';

const countryNames: ReadonlyMap<string, string> = new Map(Object.entries(states));

/** Codes of countries whose names are left out among the words of texts, or differ there. */
const furtherCodes: Readonly<Record<string, string>> = {
  ...{ ATG: 'AG', BIH: 'BA', TCD: 'TD', CUB: 'CU', CIV: 'CI', GEO: 'GE', GIN: 'GN', VAT: 'VA', HKG: 'HK', IRN: 'IR' },
  ...{ JEY: 'JE', JOR: 'JO', PRK: 'KP', KOR: 'KR', LAO: 'LA', MAC: 'MO', MLI: 'ML', NER: 'NE', OMN: 'OM', PSE: 'PS' },
  ...{ PER: 'PE', RUS: 'RU', REU: 'RE', KNA: 'KN', VCT: 'VC', STP: 'ST', SYR: 'SY', TZA: 'TZ', TGO: 'TG', TTO: 'TT' },
  ...{ TUR: 'TR', TCA: 'TC', GBR: 'GB', VGB: 'VG', VIR: 'VI', ESH: 'EH', FLK: 'FK', SHN: 'SH', RKS: 'XK' },
};

/** ISO 3166-1 alpha-2 for a zone's code: alpha-3, or D for Germany. */
export function countryOfCode(code: string): string | null {
  const letters = code.replaceAll('<', '').toUpperCase();
  if (letters === 'D') return 'DE';
  if (/^GB[DNOPS]$/.test(letters)) return 'GB';
  const name = countryNames.get(letters);
  const further = furtherCodes[letters];
  if (further) return further;
  return name ? countryOf(name.replace(/ \(.*\)$/, '')) : null;
}

/** Adjectives by which documents state a nationality; countries' names are known already. */
export const nationalityAdjectives: Readonly<Record<string, string>> = {
  british: 'GB',
  american: 'US',
  canadian: 'CA',
  australian: 'AU',
  deutsch: 'DE',
  german: 'DE',
  francaise: 'FR',
  french: 'FR',
  espanola: 'ES',
  spanish: 'ES',
  italiana: 'IT',
  ita: 'IT',
  italian: 'IT',
  portuguesa: 'PT',
  nederlandse: 'NL',
  dutch: 'NL',
  belge: 'BE',
  belg: 'BE',
  belgische: 'BE',
  osterreich: 'AT',
  schweiz: 'CH',
  mexicana: 'MX',
  brasileira: 'BR',
  brasileiro: 'BR',
  malaysian: 'MY',
  indian: 'IN',
  irish: 'IE',
  polish: 'PL',
  polskie: 'PL',
  polska: 'PL',
  portuguese: 'PT',
  austrian: 'AT',
  belgian: 'BE',
  swiss: 'CH',
  danish: 'DK',
  swedish: 'SE',
  norwegian: 'NO',
  finnish: 'FI',
  romanian: 'RO',
  romana: 'RO',
  hungarian: 'HU',
  czech: 'CZ',
  croatian: 'HR',
  greek: 'GR',
  hellenic: 'GR',
  turkish: 'TR',
  ukrainian: 'UA',
  brazilian: 'BR',
  mexican: 'MX',
  colombiana: 'CO',
  peruana: 'PE',
  chilena: 'CL',
  venezolana: 'VE',
  ecuatoriana: 'EC',
  uruguaya: 'UY',
  paraguaya: 'PY',
  boliviana: 'BO',
  argentina: 'AR',
  dominicana: 'DO',
  salvadorena: 'SV',
  guatemalteca: 'GT',
  hondurena: 'HN',
  costarricense: 'CR',
  panamena: 'PA',
  cubana: 'CU',
  suisse: 'CH',
  svizzera: 'CH',
};

/** Lines at the head of a document among which its state stands. */
export const titleLines = 8;
/** Or they are at the top of its first page, whatever stands beside. */
export const headShare = 0.16;

/** What stands before the state in one line with it. */
const titleOfDocument =
  /^(?:permis de conduire|fuhrerschein|patente di guida|permiso de conduccion|rijbewijs|carta de conducao|driving licence|passport|passeport|reisepass|pasaporte|passaporto|carte nationale d'identite) /u;

const formOfState =
  /^(?:bundesrepublik|republi[kc]|(?:federal |federative )?republic of(?: the)?|gov(?:ernmen)?t\.? of|union of|republique|repubblica|republica(?: (?:(?:oriental |bolivariana )?del?|federativa do|d[ao]))?|republika|rzeczpospolita|reino de|kingdom of(?: the)?|koninkrijk der|commonwealth of)\s+/u;

/** The state that has a line of its own above everything that a card captions: `SVERIGE`. */
export function countryAlone(line: TextLine, layout: Layout): string | null {
  const [page] = layout.document.pages;
  const isAtTop = line.box.y1 < headShare * (page?.height ?? 0);
  const isName = /^\p{Lu}[\p{Lu} /]{3,24}$/u.test(line.text) && !stateOfHead(line.text);
  if (!isAtTop || !isName) return null;
  // In two languages, of which one is known: `ÉIRE/IRELAND`.
  const countries = line.text.split(/ ?\/ ?/).flatMap((name) => countryOf(name) ?? []);
  return new Set(countries).size === 1 ? countries[0]! : null;
}

/** The signs of European countries that differ from their codes, as a licence has its country's in the flag. */
const countrySigns: Readonly<Record<string, string>> = {
  ...{ A: 'AT', B: 'BE', D: 'DE', E: 'ES', EST: 'EE', F: 'FR', FIN: 'FI', H: 'HU', I: 'IT', L: 'LU', M: 'MT' },
  ...{ P: 'PT', S: 'SE', SLO: 'SI', UK: 'GB', BG: 'BG', CZ: 'CZ', DK: 'DK', HR: 'HR', IS: 'IS', LT: 'LT' },
  ...{ LV: 'LV', NL: 'NL', PL: 'PL', RO: 'RO', SK: 'SK', GR: 'GR', CY: 'CY', N: 'NO' },
};

/** Codes of countries that are words as well. */
const codesAndWords = new Set(['AND', 'COM', 'MAR', 'NOR', 'PER', 'SUR']);

/** The country whose code, or on a European licence its sign, is a line of its own at the head. */
export function countryOfSign({ text }: TextLine, isEuropean: boolean): string | null {
  if (!/^[A-Z]{1,3}$/.test(text) || codesAndWords.has(text)) return null;
  return (isEuropean ? countrySigns[text] : undefined) ?? (text.length === 3 ? countryOfCode(text) : null);
}

const titleOfPermit =
  /^(?:permiso de|titre de|permesso di|titulo de|residence permit|aufenthaltstitel|verblijfs|opholdstilladelse|uppehallstillstand|zezwolenie|dozvola|povoleni|tartozkodasi|permis de sejour)/;

/** The state by its code before the title of a permit of residence, whose form is the same in all of Europe: `ESP PERMISO DE RESIDENCIA`. */
export function countryBeforeTitle(text: string): string | null {
  const [, code, title] = /^([A-Z]{3}|D)(?: (\p{Lu}.*))?$/u.exec(text.trim()) ?? [];
  return code !== undefined && titleOfPermit.test(foldText(title ?? '')) ? countryOfCode(code) : null;
}

const formBehindState = / (?:vabariik|respublika|republika|koztarsasag)$/u;

/** The state that a title names in full: `Bundesrepublik Deutschland`, `République française`. */
export function countryOfTitle(text: string): string | null {
  // A state of a federation has the country behind it: `New South Wales, Australia`.
  const behind = /^\p{Lu}[\p{L} ]{3,24}, (\p{Lu}[\p{L} ]{3,20})$/u.exec(text)?.[1];
  if (behind) return countryOf(behind);
  // A state of several languages has its name in each: `BELGIË BELGIQUE BELGIEN`.
  const same = sameCountry(text.split(/[ /]+/).join(' '));
  if (same) return same;
  for (const part of text.split(/\s*\/\s*/).slice(0, 3)) {
    // OCR may have lost the marks of letters.
    const title = foldText(part).replace(titleOfDocument, '');
    if (/^indian union(?!\p{L})/u.test(title)) return 'IN';
    const name = title.replace(formOfState, '').replace(formBehindState, '');
    const country =
      name === title || name.length > 30 ? sameCountry(title) : (countryOf(name) ?? nationalityAdjectives[name]);
    if (country) return country;
  }
  return null;
}

/** The country that every word of a title names, of which there are two: `MAGYARORSZÁG HUNGARY`. */
function sameCountry(title: string): string | null {
  const [first, ...others] = title.split(' ').map((word) => countryOf(word));
  return first && others.length > 0 && others.every((other) => other === first) ? first : null;
}
