import type { Layout, TextLine } from '@millrace/document-model';
import { states } from 'mrz';
import { countryOf } from '../candidates/country.ts';
import { foldText } from '../candidates/date.ts';
import { matchesOf } from '../candidates/matches.ts';
import { type StateName, stateOfHead } from './state-heads.ts';

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

/**
 * Adjectives by which documents state a nationality, and names of countries that are other words elsewhere; other countries'
 * names are known already. Folded, without blanks.
 */
const nationalities = `
US american americana americain americaine amerikanisch amerykanskie estadounidense estadunidense
GB british britannique britisch britanica brytyjskie
IE irish irlandaise irisch irlandesa
FR french francaise francais franzosisch francesa francese francuskie
DE german deutsch allemande alemana tedesca niemieckie
ES spanish espanola espagnole spanisch espanhola spagnola
IT italian italiana italienne italienisch ita wloskie
PT portuguese portuguesa portugaise portugiesisch portoghese
NL dutch nederlandse neerlandaise niederlandisch nederlands
BE belgian belge belg belgische belgisch
LU luxembourgish luxembourgeoise luxemburgisch
AT austrian autrichienne osterreich osterreichisch
CH swiss suisse schweiz svizzera svizra schweizerische
LI liechtensteiner liechtensteinisch
DK danish dansk danoise danisch
SE swedish svensk suedoise schwedisch
NO norwegian norsk norvegienne norwegisch
FI finnish suomi finlandaise finnisch finlandsk
IS icelandic islensk islenskt islandaise
PL polish polskie polska polonaise polnisch
CZ czech ceska ceske tcheque tschechisch
SK slovak slovenska slovenske slovaque slowakisch
HU hungarian magyar hongroise ungarisch
RO romanian romana roumaine rumanisch
MD moldovan moldova moldave
BG bulgarian balgarska bulgare bulgarisch
GR greek hellenic elliniki hellenique grecque griechisch
CY cypriot cypriote zypriotisch
MT maltese maltija maltaise
HR croatian hrvatsko croate kroatisch
SI slovenian slovensko slovene slowenisch
RS serbian srpsko serbe serbisch
BA bosnian bosniaque bosnisch
ME montenegrin
MK macedonian macedonienne
AL albanian shqiptare albanaise albanisch
XK kosovar kosovare kosovarja
LT lithuanian lietuvos lituanienne litauisch
LV latvian latvijas lettone lettisch
EE estonian eesti estonienne estnisch
UA ukrainian ukraina ukrainienne ukrainisch
BY belarusian
RU russian russe russisch
GE georgian georgia georgienne
AM armenian armenienne
AZ azerbaijani azerbaycan
KZ kazakh kazakhstani
UZ uzbek uzbekistan
TR turkish turkey turkiye turk tc tctur turque turkisch
IL israeli israelienne
SA saudi saoudienne ksa
AE emirati uae
QA qatari
KW kuwaiti
BH bahraini
OM omani oman
YE yemeni
JO jordanian jordan jordanienne
LB lebanese libanaise libanesisch
SY syrian syrienne syrisch
IQ iraqi irakienne irakisch
IR iranian iran iranienne iranisch
AF afghan afghane afghanisch
PK pakistani pakistanaise
IN indian indienne indisch
BD bangladeshi bangladaise
LK srilankan
NP nepali nepalese
BT bhutanese
MM burmese
TH thai thailandaise thailandisch
VN vietnamese vietnamienne vietnamesisch
LA lao laotian
KH cambodian khmer
MY malaysian warganegara malaysia
SG singaporean
ID indonesian wni
PH filipino filipina philippine pilipino
CN chinese chinoise chinesisch prc zhongguo
TW taiwanese
JP japanese japonaise japanisch
KR korean rok republicofkorea
MN mongolian
HK hongkong
MO macau macao
AU australian australienne australisch
NZ newzealander newzealand
FJ fijian
CA canadian canadienne kanadisch
MX mexican mexicana mexicaine
GT guatemalan guatemalteca
HN honduran hondurena
SV salvadoran salvadorena
NI nicaraguan nicaraguense
CR costarricense
PA panamanian panamena
CU cuban cubana cuba cubaine
DO dominicana
HT haitian haitienne
JM jamaican
TT trinidadian
CO colombian colombiana
VE venezuelan venezolana
EC ecuadorian ecuatoriana
PE peruvian peruana peru peruvienne
BO bolivian boliviana
CL chilean chilena
AR argentine argentinian argentina
UY uruguayan uruguaya
PY paraguayan paraguaya
BR brazilian brasileira brasileiro bresilienne brasilianisch
MA moroccan marocaine marokkanisch
DZ algerian algerienne algerisch
TN tunisian tunisienne tunesisch
LY libyan libyenne
EG egyptian egyptienne agyptisch
SD sudanese
ET ethiopian ethiopienne
ER eritrean eritreisch
SO somali somalian somalisch
KE kenyan
UG ugandan
TZ tanzanian
RW rwandan rwandaise
ZA southafrican rsa
NA namibian
BW motswana
ZW zimbabwean
ZM zambian
MW malawian
MZ mozambican mocambicana
AO angolan angolana
NG nigerian nigeriane
GH ghanaian ghaneenne
CM cameroonian camerounaise
CI ivoirienne
SN senegalese senegalaise
ML malian malienne mali
BF burkinabe
NE nigerienne niger
GN guinean guineenne guinea
TG togolese togolaise togo
BJ beninese beninoise
TD chadian tchadienne chad
CD congolese congolaise
GA gabonese gabonaise
MG malagasy malgache
MU mauritian mauricienne
CV caboverdiana`;

/** The country of a nationality's adjective, folded. */
export const nationalityAdjectives: Readonly<Record<string, string>> = Object.fromEntries(
  nationalities
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [code = '', ...words] = line.split(' ');
      return words.map((word) => [word, code] as const);
    }),
);

/** Lines at the head of a document among which its state stands. */
export const titleLines = 8;
/** Or they are at the top of its first page, whatever stands beside. */
const headShare = 0.16;

const headEnds = new WeakMap<Layout, number>();

/** Whether a line is at the top of its page, or of what is printed on it: a photo has the table around the card. */
export function isAtHead(line: TextLine, layout: Layout): boolean {
  let end = headEnds.get(layout);
  if (end === undefined) {
    const [page] = layout.document.pages;
    const [top, bottom] = layout.lines.reduce(
      ([least, most], { box }) => [Math.min(least, box.y0), Math.max(most, box.y1)],
      [Infinity, 0],
    );
    end = Math.max(headShare * (page?.height ?? 0), top + headShare * (bottom - top));
    headEnds.set(layout, end);
  }
  return line.page === layout.document.pages[0]?.number && line.box.y1 < end;
}

/** Lines at the head of a card, with what a picture has beside. */
const headLines = 10;

/** The state of a country that names itself at the head of a card, apart from the card's title. */
export function stateOfCard(layout: Layout): (StateName & { readonly line: TextLine; readonly start: number }) | null {
  for (const [at, line] of layout.lines.entries()) {
    const state = at < headLines || isAtHead(line, layout) ? stateOfHead(line.text) : null;
    if (state) return { ...state, line, start: line.text.indexOf(state.name) };
  }
  return null;
}

/** What stands before the state in one line with it. */
const titleOfDocument =
  /^(?:permis de conduire|fuhrerschein|patente di guida|permiso de conduccion|rijbewijs|carta de conducao|driving licence|passport|passeport|reisepass|pasaporte|passaporto|carte nationale d'identite) /u;

const formOfState =
  /^(?:bundesrepublik|(?:federal |federative |democratic |islamic )?republic of(?: the)?|republi[kc]|gov(?:ernmen)?t\.? of|govt\.of|union of|republique|repubblica|republica(?: (?:(?:oriental |bolivariana )?del?|federativa do|d[ao]))?|republika|rzeczpospolita|reino de|kingdom of(?: the)?|koninkrijk der|commonwealth of)\s+/u;

/** The same without its blanks, which OCR loses between wide letters: `REPUBBLICAITALIANA`. */
const formRunOn =
  /^(?:bundesrepublik|(?:federal|federative|democratic|islamic)?republicof(?:the)?|governmentof|republi[kc]|republique|repubblica|republica(?:(?:oriental|bolivariana)?del?|federativado)?|republika|rzeczpospolita|reinode|kingdomof(?:the)?|commonwealthof)(?=\p{L}{4})/u;

/** The state that has a line of its own above everything that a card captions: `SVERIGE`. */
export function countryAlone(line: TextLine, layout: Layout): string | null {
  const isName = /^\p{Lu}[\p{Lu} /]{3,24}$/u.test(line.text) && !stateOfHead(line.text);
  if (!isName || !isAtHead(line, layout)) return null;
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
  if (text === 'UK') return 'GB';
  return (isEuropean ? countrySigns[text] : undefined) ?? (text.length === 3 ? countryOfCode(text) : null);
}

const titleOfPermit =
  /^(?:permiso de|titre de|permesso di|titulo de|residence permit|aufenthaltstitel|verblijfs|opholdstilladelse|uppehallstillstand|zezwolenie|dozvola|povoleni|tartozkodasi|permis de sejour)/;

/** The state by its code before the title of a permit of residence, whose form is the same in all of Europe: `ESP PERMISO DE RESIDENCIA`. */
export function countryBeforeTitle(text: string): string | null {
  const [, code, title] = /^([A-Z]{3}|D)(?: (\p{Lu}.*))?$/u.exec(text.trim()) ?? [];
  return code !== undefined && titleOfPermit.test(foldText(title ?? '')) ? countryOfCode(code) : null;
}

/** What stands behind the state in one line with it: `HONG KONG PERMANENT IDENTITY CARD`. */
const titleBehind =
  / (?:(?:permanent |national |resident )*(?:identity|identification|id) card|citizen card|passport|driv(?:er|ing)(?:'?s)? licen[cs]e)$/u;

/** A form of state before its name, wherever that stands in a line: those of several languages follow one another. */
const formWithin =
  /(?<!\p{L})(?:republic of(?: the)?|kingdom of(?: the)?|reino de|royaume d[eu]s?|koninkrijk(?: der)?|konigreich|republique|repubblica|republica(?: de)?|state of|emirate of|confederation|confederazione) /gu;

/** Names of states of which no country's name is a word. */
const wholeNames: readonly (readonly [name: RegExp, country: string])[] = [
  [/swiss confederation|schweizerische eidgenossenschaft/u, 'CH'],
  [/united arab emirates/u, 'AE'],
  [/turkiye cumhuriyeti/u, 'TR'],
  [/united kingdom of great britain/u, 'GB'],
  [/election commission of india/u, 'IN'],
  [/jamhuri ya kenya/u, 'KE'],
  [/jamhuri ya muungano wa tanzania/u, 'TZ'],
  [/estados unidos mexicanos/u, 'MX'],
];

/** The only state that is named behind its form anywhere in a line of a head: `KONINKRIJK BELGIË ROYAUME DE BELGIQUE`. */
export function countryWithin(text: string): string | null {
  if (text.length > longestTitle) return null;
  const title = foldText(text);
  const whole = wholeNames.find(([name]) => name.test(title));
  if (whole) return whole[1];
  const found = new Set<string>();
  for (const match of matchesOf(formWithin, title)) {
    const words = title.slice(match.index + match[0].length).split(' ');
    for (let count = Math.min(longestState, words.length); count > 0; count -= 1) {
      const name = words.slice(0, count).join(' ');
      const country = countryOf(name) ?? nationalityAdjectives[name];
      if (!country) continue;
      found.add(country);
      break;
    }
  }
  return found.size === 1 ? [...found][0]! : null;
}

/** Characters of a title in several languages. */
const longestTitle = 120;
/** Words of a state's name. */
const longestState = 3;

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
    const printed = foldText(part).replaceAll('’', "'").replace(titleOfDocument, '');
    const title = printed.replace(titleBehind, '');
    const before = title === printed ? null : (countryOf(title) ?? nationalityAdjectives[title.replaceAll(' ', '')]);
    if (before) return before;
    if (/^indian union(?!\p{L})/u.test(title)) return 'IN';
    const name = title.replace(formOfState, '').replace(formBehindState, '');
    const country =
      name === title || name.length > 30 ? sameCountry(title) : (countryOf(name) ?? nationalityAdjectives[name]);
    if (country) return country;
    const runOn = title.includes(' ') ? null : formRunOn.exec(title)?.[0];
    const stateRunOn = runOn && title.slice(runOn.length);
    const ofRunOn = stateRunOn && (countryOf(stateRunOn) ?? nationalityAdjectives[stateRunOn]);
    if (ofRunOn) return ofRunOn;
  }
  return null;
}

/** The country that every word of a title names, of which there are two: `MAGYARORSZÁG HUNGARY`. */
function sameCountry(title: string): string | null {
  const [first, ...others] = title.split(' ').map((word) => countryOf(word));
  return first && others.length > 0 && others.every((other) => other === first) ? first : null;
}
