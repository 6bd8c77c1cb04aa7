/*
 * Lines of postal addresses, known by their form alone: names of towns and streets are in no list. OCR loses and adds
 * blanks and takes letters for digits.
 */

import { countryOf } from './country.ts';
import { unmarked } from './unmarked.ts';

/** The states of America, Canada and Australia, by their country. */
export const statesOf = {
  US: 'alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming|district of columbia|puerto rico',
  CA: 'ontario|qu[eé]bec|alberta|manitoba|british columbia|nova scotia|new brunswick|saskatchewan|prince edward island|newfoundland and labrador|northwest territories|nunavut',
  AU: 'new south wales|victoria|queensland|western australia|south australia|tasmania|northern territory|australian capital territory',
} as const;

const states = Object.values(statesOf).join('|');

const indianPlace = /(?:^|[\s,])\p{Lu}[\p{L} .()-]{2,40}[ ,–-]+\d{3} ?\d{3}$/u;

/** What stands behind the postal code of an Indian address, or of none. */
const behindPlace =
  /,? ?(?:(?:andhra|arunachal|himachal|madhya|uttar) pradesh|assam|bihar|chandigarh|chhattisgarh|delhi|goa|gujarat|haryana|jammu (?:and|&) kashmir|jharkhand|karnataka|kerala|maharashtra|manipur|meghalaya|mizoram|nagaland|odisha|puducherry|punjab|rajasthan|sikkim|tamil nadu|telangana|tripura|uttarakhand|west bengal)?,? ?(?:\(?india\)?)?\.?$/iu;

/** Whether a line has nothing but a state of India, as addresses end with below the postal code. */
export function isIndianState(text: string): boolean {
  return /\p{L}/u.test(text) && text.trim().replace(behindPlace, '') === '';
}

/** A county of Ireland, as addresses name it behind the town. */
export const irishCounty =
  '(?<!\\p{L})co(?:unty|\\.)? ?(?:antrim|armagh|carlow|cavan|clare|cork|derry|donegal|down|dublin|fermanagh|galway|kerry|kildare|kilkenny|laois|leitrim|limerick|longford|louth|mayo|meath|monaghan|offaly|roscommon|sligo|tipperary|tyrone|waterford|westmeath|wexford|wicklow|durham)(?!\\p{L})';

const malaysianStates =
  'johor|kedah|kelantan|mela[kc]c?a|negeri sembilan|n\\. ?sembilan|pahang|perak|perlis|penang|p(?:ulau|\\.) ?pinang|sabah|sarawak|selangor|terengganu|wilayah persekutuan|w\\.? ?p\\.?(?: (?:kuala lumpur|labuan|putrajaya))?';
const malaysianState = new RegExp(
  `^(?:${malaysianStates})(?: darul (?:\\p{L}+ ?){1,2}|,? d\\. ?e\\.)?[.,]?(?: malaysia\\.?)?$`,
  'iu',
);

/** Whether a line is a state of Malaysia, as addresses have it below the town: `PAHANG DARUL MAKMUR`. */
export function isMalaysianState(text: string): boolean {
  return malaysianState.test(text.trim());
}

/** The codes of America's states. */
export const stateCodes: ReadonlySet<string> = new Set(
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA PR RI SC SD TN TX UT VT VA WA WV WI WY'.split(
    ' ',
  ),
);

/** The codes of Canada's provinces. */
export const canadianProvinces = 'AB|BC|MB|NB|NL|NS|NT|NU|ON|PE|QC|SK|YT';
const canadianProvinceNames =
  'alberta|british columbia|manitoba|new brunswick|newfoundland(?: and labrador)?|nova scotia|ontario|prince edward island|qu[eé]bec|saskatchewan|yukon';
/** A postal code of theirs, signs of which are read as others: `L7P 1x8`, `MBZ 1M1`. */
export const canadianCodeAsRead = '[A-Za-z][\\dOBSI][A-Za-z] ?[\\dOBSI][A-Za-z][\\dOBSI]';

/** What a place's line ends with or consists of, by the ways of countries to write it. */
const placePatterns: readonly RegExp[] = [
  // Denver, CO 80202 · New York NY 10116-1701 · Washington 74078
  new RegExp(`\\p{L}{2,}[ ,.;]+(?:[A-Z][A-Zl1]|${states})\\.?[ ,.]+\\d ?\\d{3,5}(?:(?: ?- ?| )\\d{4})?[.,]?$`, 'iu'),
  // San Marcos,TX78666, whose blanks OCR lost
  /\p{L}{2,}[ ,.]+[A-Z]{2}\d{5}(?:-\d{4})?$/u,
  // Washington 74078, behind a town's line
  new RegExp(`^(?:${states}),? \\d{5}(?:-\\d{4})?$`, 'iu'),
  // Kilmallock, Co. Limerick · Co. Mayo
  new RegExp(`(?:^|, ?)${irishCounty}$`, 'iu'),
  // Anytown, USA 12345
  /\p{L}{2,}, ?USA,? \d{5}(?:-\d{4})?$/iu,
  // London EC2V 7NQ · Oxford 0X1 2AB, as OCR reads it · Naas W91 X2P4
  /(?:^|[ ,])(?:[A-Z]{1,2}|0[LX])\d[A-Z\d]? ?\d[A-Z]{2}$|(?:^|[ ,])[AC-FHKNPRTV-Y]\d[\dW] [AC-FHKNPRTV-Y\d]{4}$|(?:^|[ ,])[A-Z]\d[A-Z][ -]?\d[A-Z]\d$/u,
  // Ottawa ON K1A 0B1
  new RegExp(`[ ,](?:${canadianProvinces})[ ,]+${canadianCodeAsRead}$`, 'u'),
  new RegExp(`[ ,](?:${canadianProvinceNames})[ ,]+${canadianCodeAsRead}$`, 'iu'),
  // EH6 6QQ Edinburgh, as forms for all countries print it
  /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2} \p{Lu}[\p{L} .'’-]{2,30}$/u,
  // 80331 München · DE-80331 München · 1012 JS Amsterdam · 4700-320 Braga · 100 00 Praha · 61-897 Poznań
  /^(?:(?!LOT|NO|PT)[A-Z]{1,3}[- ])?\d{4,5}(?:-\d{3})?(?: [A-Z]{2})? \p{Lu}[\p{L} .,'’()/-]{1,40}\d{0,2}$/u,
  // 21255Tostedt, whose blank OCR lost
  /^\d{5}\p{Lu}\p{Ll}{2,}[\p{L} .'’()/-]{0,30}$/u,
  // Seksyen U13, 40170 Shah Alam · Utama,47400 PJ, Selangor
  /^(?:seksyen|section|sek|taman|tmn|bandar|kawasan|kampung|desa|bukit|pusat) [\p{L}\d /.()-]{1,40}, ?\d{5} \p{L}[\p{L} .'-]{1,30}$/iu,
  new RegExp(
    `^[\\p{L}\\d /.()-]{2,40}, ?\\d{5} \\p{L}[\\p{L} .'-]{1,30}, ?(?:${malaysianStates})(?: darul \\p{L}+(?: \\p{L}+)?)?$`,
    'iu',
  ),
  // 641004 Tamil Nadu
  /^(?:[A-Z]{1,3}[- ])?(?:\d{3} \d{2}|\d{2}-\d{3}|\d{6}),? \p{Lu}[\p{L} .,'’()-]{1,40}$/u,
  // Sevilla (41010), Sevilla, España, with the code behind the town
  /^\p{Lu}[\p{L} .'’-]{1,40} ?\(\d{5}\)(?:, ?\p{Lu}[\p{L} .'’-]{2,30}){0,2}$/u,
  // Dublin 2, whose districts have numbers
  /(?:^|, )Dublin \d{1,2}W?$/iu,
  // Ahmedabad-382445, whose blanks OCR lost
  /^\p{Lu}[\p{L} .,'’()]{2,40}[-–]\d{3} ?\d{3}$/u,
  // 323 King St Newtown NSW 2042, with the street before it
  /^\d{1,5}[a-z]?(?:[-/]\d{1,4})? \p{Lu}[\p{L} .,'’]{4,60} (?:NSW|VIC|QLD|SA|WA|TAS|ACT|NT) \d{4}$/u,
  // Sydney NSW 2000 · Singapore 049315 · Mumbai 400 001 · Wien, 1010 · Ballarat VIC 3350
  /^\p{Lu}[\p{L} .,'’()-]{1,40}[ ,]+(?:[A-Z]{2,3} )?\d{3} ?\d{1,3}$/u,
];

const streetWords = unmarked(
  /(?<!\p{L})(?:street|st|str|road|rd|avenue|ave?|lane|ln|drive|dr|blvd|boulevard|way|court|ct|place|pl|square|sq|parkway|pkwy|highway|hwy|terrace|ter|close|crescent|circle|cir|trail|pike|broadway|floor|p\.? ?o\.? ?box|postfach|bo[iî]te postale|rue|allée|chemin|quai|impasse|route|cours|calle|avda|avenida|paseo|plaza|pl?za|ronda|rambla|passeig|carrer|glorieta|traves[ií]a|camino|carretera|ctra|crta|via|viale|v\.le|corso|c\.so|piazza|p\.zza|p\.le|largo|strada|vicolo|lungomare|contrada|rua|travessa|praça|praceta|calçada|estrada|alameda|jalan|jln|lorong|am|an der|im|ul|ulica)(?!\p{L})|(?:stra(?:ß|ss)e|str\.?|weg|allee|platz|gasse|ring|damm|ufer|straat|laan|plein|kade|gracht|singel|dijk|steeg|gade|vej|stræde|plads|gatan|vägen|gaten|veien|katu)(?!\p{L})|(?<!\p{L})c\/ ?(?!o(?!\p{L}))\p{L}/iu,
);

const unit =
  /^(?:flat|suite|ste|pmb|unit|apt|apartment|building|bldg|room|rm|level|block|floor|lot|plot|shop|door|house|h\.? ?no|d\.? ?no|office|survey|sector|phase|gala|shed|factory|godown|wing|khasra|gat|gut|hangar|sy?\.|stall|kiosk|dock|gate|bay|no|#)\.? ?(?:no\.? ?:? ?)?#?(?:\d|[IVX]{1,4}(?![\p{L}\d]))|^(?:level|lot|plot|shop|stall|kiosk|unit) [A-Z]{1,3}[ -]?\d|^units \d{1,3}[a-z]?(?: ?[-–&,/] ?| and )\d/iu;

/** French houses and quarters have names in place of numbers. */
const dwelling = unmarked(
  /^(?:résidence|residence|bâtiment|bât\.|immeuble|appartement|appt?\.|lieu[- ]dit|hameau|lotissement|zone (?:artisanale|industrielle|d['’]activités?)|pol\.? ?ind\.?|polígono(?: industrial)?|urbanización|urb\.|lugar d[aeo]s?|sítio d[aeo]s?|quinta d[aeo]s?|bairro|zona industrial|herdade|z\.?[ai]\.?)(?: |$)/iu,
);

/** Whether a line is a house, a quarter or an industrial zone by its name. */
export function isDwelling(text: string): boolean {
  return dwelling.test(text.trim());
}

/** Sentences, amounts, times and numbers of accounts, which are no part of an address. */
const foreign =
  /^DX:? \d|@|www\.|https?:|[$€£¥]|(?<!^(?:shop|unit|suite|ste|flat|level|lot|apt|stall|kiosk)\.? ?\d{0,3})\d[.,]\d{2}(?!\d)|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{3}[- .)]{1,2}\d{3}[- .]\d{4}|%|(?<!\p{L})(?:since|seit|depuis|desde|dal|established|est\.?|sinds|founded|gegr\.?) (?:1[789]|20)\d{2}|\d ?[ap]\.?m(?!\p{L})|(?<!\p{L})\d{1,3} (?:days(?! inn)|tagen?|jours|días|dias|giorni|dagen)(?!\p{L})|(?<!\p{L})(?:hr[ab] ?\d|(?:rcs|sire[nt])(?!\p{L}))|\(\d{4,12}-[a-z]\)|(?<!\p{L})(?:total|page|tel|phone|fax|date|account|invoice|number|nr(?!\d)|nummer|\p{L}+-nr|period|your|please|payment|amount|balance|iban|vat)(?!\p{L})/iu;

/** What tills count, whose numbers are no house's and no postal code: `Table 6`, `Note n° 20417`. */
const tillNumber =
  /^(?:table|tisch|mesa|tavolo|tafel|tbl|note|ticket|bill|chk|check|folio|bon|beleg|till|kasse|caisse|caja|cassa|pump|pompe|pumpe|server|guests?|covers|couverts)[ :.]*(?:n[o°º.]+ ?|nr\.? ?|# ?)?\d/iu;

/** A registration or another long code of letters and digits. */
const code = /(?<!\S)(?=\S*\d\S*\d)(?=\S*\p{Lu}\S*\p{Lu})[\p{Lu}\d]{12,}(?!\S)/u;

const monthAndYear =
  /(?<!\p{L})(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])\p{L}*\.? (?:\d{1,2},? )?(?:19|20)\d{2}$/iu;

const monthAndDay =
  /(?<!\p{L})(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.? \d{1,2}$/iu;

/** Its number is no postal code. */
const postBox =
  /^(?:(?:p\.? ?o\.? ?)?box|b\.?p\.?|cs|tsa|bo[iî]te postale|postfach|postbus|apartado(?: de correos| postal)?|apdo\.?|casella postale) ?\d[\d ]{0,8}$/iu;

/** A country behind a town: `Austin, TX 78701 US`, `Bath BA2 3NT, United Kingdom`. */
const countryBehind =
  /^(.*\p{L}{2}.*[\p{L}\d)])(?:(?:,| [-–]) ?(\p{Lu}[\p{L}. ]{1,30})| (USA?|UK|United States|Canada|United Kingdom|Australia|India))$/u;

function withoutCountry(text: string): string {
  const [, town, behindMark, behindCode] = countryBehind.exec(text) ?? [];
  const country = behindMark ?? behindCode;
  return town && country && countryOf(country) !== null ? town : text;
}

/** A town with its country, as in the Gulf, where there are no postal codes: `Dubai, U.A.E`. */
function isTownWithCountry(text: string): boolean {
  const [, country] =
    /^\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2}(?:, ?| - )(\p{Lu}[\p{L}. ]{3,24})$/u.exec(text) ?? [];
  return country !== undefined && (/^U\.?A\.?E$/.test(country) || countryOf(country) !== null);
}

/** A room or a floor behind a street, whose number looks like a postal code before a town: `3415 E. Mill Ave., Suite 2`. */
const unitAtEnd =
  /[\s,](?:suite|ste|unit|apt|apartment|room|rm|dock|bldg|building|floor|level)\.? ?#?[a-z]?\d{1,5}[a-z]?$/iu;

/** Whether a line has the postal code and town of an address, perhaps behind its street and before its country. */
export function hasPlace(text: string): boolean {
  const whole = text.replace(/[.,;\s]+$/, '');
  const bare = withoutCountry(whole);
  if (bare.length > 110 || tillNumber.test(bare) || foreign.test(bare) || code.test(bare) || monthAndYear.test(bare))
    return false;
  if (postBox.test(bare) || statute.test(bare) || unitAtEnd.test(bare)) return false;
  if (isPlace(bare) || isPlaceBehindStreet(bare) || isTownWithCountry(whole)) return true;
  const town = bare.replace(behindPlace, '');
  return town !== bare && indianPlace.test(town);
}

/** Whether a text of several parts is a whole address by its end, be it a town of India with its number. */
export function endsWithPlace(text: string): boolean {
  const bare = text.replace(/[.,;\s]+$/, '');
  return hasPlace(bare) || (!foreign.test(bare) && indianPlace.test(bare));
}

function isPlace(text: string): boolean {
  return placePatterns.some((pattern) => pattern.test(text));
}

/** What parts a street from the postal code in one line: `Via Roma 21 - 37135 Verona`. */
export const beforeCode =
  /(?<=\p{L}.{0,80}) ?[-–·|] ?(?=(?:[A-Z]{1,3}-)?(?:\d{4,5}|\d{4}-\d{3}|\d{3} \d{2}|\d{2}-\d{3}) \p{Lu}\p{L})/u;

/** Whether a line goes on from a street to its place: `Marktweg 3, 04109 Leipzig`. */
function isPlaceBehindStreet(text: string): boolean {
  if (text.includes(':')) return false;
  const comma = text.lastIndexOf(',');
  const mark = beforeCode.exec(text);
  const isParted = (street: string, place: string) =>
    street.length > 3 && isPlace(place.trim()) && (isStreetLine(street) || postBox.test(street.trim()));
  return (
    isParted(text.slice(0, Math.max(0, comma)), text.slice(comma + 1)) ||
    // Where a name stands before the street, several marks part the line.
    (mark !== null &&
      !/ [-–·|] /.test(text.slice(0, mark.index)) &&
      isParted(text.slice(0, mark.index), text.slice(mark.index + mark[0].length)))
  );
}

/** Companies may be named after streets: `Orchard Street Partners, LLC`. */
const companyEnd =
  /(?<![\p{L}\d])(?:inc|llc|llp|ltd|limited|corp|corporation|plc|gmbh|kg|s\.?r\.?l|s\.?p\.?a|b\.v|pty|hoa|association|partners|church|school|clinic|hotel|caf[eé]|bakery|pharmacy|club|properties|apartments|condominiums?)\.?$/iu;

const titleBeforeName = /(?<!\p{L})(?:dr|st)(?:\. ?| )(?=\p{Lu}[\p{L}'’]+)/giu;

/** Boxes and routes of the country, which have a number and no street: `RR 2`, `Box 220`, `BP 40118`. */
const ruralRoute =
  /^(?:(?:p\.? ?o\.? ?)?box|b\.?p\.?|cs|tsa|r\.?r\.?|rural route|site|hc) ?#?\d{1,6}(?:,? (?:site|box|comp|stn|group) ?\d{1,5})*$/iu;

/** Where two streets meet, as addresses of Australia say: `Cnr Princes Hwy & Settlement Rd`. */
const corner = /^(?:cnr|corner)\.? (?:of )?\p{Lu}[\p{L} .'’]+ (?:&|and) \p{Lu}/iu;

/** A street or an estate without numbers, as Spanish and Portuguese addresses say: `Finca La Vega, s/n`. */
const unnumbered = /\p{L}{3,}[ ,]+s\/n[.º°]?$/iu;

/** A road by its number, as filling stations stand at: `RN 20`, `EN 14, Km 12,3`. */
const nationalRoad =
  /^(?:RN|RD|EN|SS|SP|CTRA\.?|route nationale|route départementale) ?\d{1,4}(?:,? (?:km\.?|pk) ?\d{1,4}(?:[.,]\d{1,3})?)?$/iu;

/** A road of America by its number, where no house has one: `FM 904 EAST`, `County Road 118`. */
const countyRoad =
  /^(?:(?:FM|RM|HWY|(?:US|STATE|COUNTY|CO\.?|FARM TO MARKET) (?:HWY|HIGHWAY|ROUTE|RTE|ROAD|RD)\.?) ?-?\d{1,4}(?: (?:N|S|E|W|NORTH|SOUTH|EAST|WEST))?|(?:CR|SR|US) ?-?\d{1,4} (?:N|S|E|W|NORTH|SOUTH|EAST|WEST))$/iu;

/** Where a road leaves a motorway, as travel stops stand at: `I-70 Exit 295`. */
const motorwayExit = /^(?:I|US|SR|HWY)[- ]?\d{1,3},? (?:&|@|at|exit) ?[\p{L}\d .-]{1,20}$/iu;

/** Which of a chain's shops it is, whose number is no house's: `Filiale 3127`, `STORE #102774`. */
const branchNumber =
  /(?<!\p{L})(?:store|shop|restaurant|station|branch|location|markt|filialen?|filiaal|magasin|tienda|negozio|loja|sklep)(?: ?(?:nr|no|n[.º°])\.?)? ?(?:\d{3,6}|# ?\d{1,7})$/iu;

/**
 * The floor and the door behind a street's number, as they stand in Denmark, Germany, Spain and Portugal: `2. sal`, `1. th.`,
 * `3. OG`, `4º B`, `2.º Dto`.
 */
const floorBehind =
  /(?<=\d[a-z]?),? (?:st|kl|\d{1,2})(?:\. ?(?:sal|th|tv|mf|og|stock|etage|stiege)|\.? ?[º°ª]\.? ?(?:[a-h]|dto|esq|fte|frente|izda?|izq|dcha?|puerta \d{1,2}|\d{1,2}[ªº])?)(?: ?(?:th|tv|mf|links|rechts))?\.?$/iu;

/** Whether a line is a street with its number, a box or a unit of a building. */
export function isStreetLine(text: string): boolean {
  const bare = text.trim().replace(floorBehind, '');
  if (branchNumber.test(bare) || tillNumber.test(bare) || statute.test(bare)) return false;
  if (!/\d/.test(bare) && companyEnd.test(bare)) return false;
  if (bare.length < 4 || bare.length > 90 || foreign.test(bare) || code.test(bare) || !/\p{L}{2}/u.test(bare))
    return false;
  // `PL4 7QX` is a postal code of Plymouth, and no place called `PL`.
  if (/^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/.test(bare)) return false;
  if (nationalRoad.test(bare) || countyRoad.test(bare) || motorwayExit.test(bare)) return true;
  if (unit.test(bare) || ruralRoute.test(bare)) return true;
  if (corner.test(bare) && bare.length < 60) return true;
  if (dwelling.test(bare) && bare.length < 50) return true;
  const parts = bare.split(/ ?[-–] /);
  if (parts.length > 1 && parts.every(isStreetLine)) return true;
  const words = bare.split(/[\s,]+/);
  if (words.length > 12 || monthAndYear.test(bare)) return false;
  // 12 High Street · 4505 Hayden Stream · Hauptstraße 12 a
  const isNumbered =
    /^(?:#? ?\d{1,6}(?:st|nd|rd|th|[a-z])?(?:[-/]\d+)?[ ,]+\p{L})/iu.test(bare) ||
    /\p{L}{3,}\.? \d{1,4} ?[a-z]?(?:[-/ ]\d{1,4})?$/iu.test(bare) ||
    unnumbered.test(bare);
  const hasNumber = /\d/.test(bare);
  // A title or a saint before a name is no drive and no street: `Cabinet Dr Yvon Quesnel`.
  return streetWords.test(hasNumber ? bare : bare.replace(titleBeforeName, ' '))
    ? hasNumber || words.length <= 4
    : isNumbered && words.length <= 7 && !monthAndDay.test(bare);
}

/** Whether a text is the number of a house with its street, which is nobody's name: `1150 Industrial Road`. */
export function isHouseInStreet(text: string): boolean {
  return isStreetLine(/^\d{1,6}[a-z]? (.+)$/iu.exec(text.trim())?.[1] ?? '');
}

/** Under which law a French association is, below its name: `Association loi 1901`. */
const statute = /(?<!\p{L})loi (?:du 1er juillet |de )?1901$/iu;

/** An area of shops or works, as it stands above its street: `ZAC DU GRAND LARGE`, `C.C. La Plaza`. */
const estate =
  /^(?:z\.?a\.?(?:c\.?)?|z\.?i\.?|zone (?:artisanale|industrielle|commerciale|d['’]activit\p{L}+)|parc d['’]activit\p{L}+|(?:c\.c\.|cc|centre commercial|centro co[mn]mercia\p{L}+|pol[íi]gono(?: industrial)?|pol\. ?ind\.?)) \p{L}/iu;

/** Whether a line is an area of shops or works, which an address may begin with. */
export function isEstateLine(text: string): boolean {
  return estate.test(text.trim());
}

/** A number with its street before a town and its postal code, with no comma: `2810 S Harvard Ave Tulsa OK 74114`. */
const houseToCode =
  /^\d{1,6}[a-z]?(?:[-/]\d{1,4})? (?!\d{5})[\p{L}\d .,'’#&-]{6,70}? (?:[A-Z]{2},? \d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|(?:NSW|VIC|QLD|SA|WA|TAS|ACT|NT) \d{4})$/u;

/** Whether a line with a place has its street as well. */
export function hasStreet(text: string): boolean {
  if (houseToCode.test(text.trim()) && streetWords.test(text.trim().replace(/ [A-Z]{2},? \d{5}\S*$/, ''))) return true;
  // In French the number may be parted from the street: `11, rue Saint-Exemple - 75006 Paris`.
  const [number = ''] = /^\d{1,4}(?: ?(?:bis|ter|[a-d]))?, ?(?=\p{L})/iu.exec(text) ?? [];
  const first = number + text.slice(number.length).split(/[,;]/)[0]!.split(beforeCode)[0]!;
  // A postal code with its town looks like a number with its street: `41150 Klang, Selangor`.
  // Before another place it is the street: `4400 Orchard Loop, Sunnyvale, CA 94089`.
  const isCode = isPlace(first.trim()) && !streetWords.test(first) && !hasPlace(text.slice(first.length + 1).trim());
  return first !== text && (postBox.test(first.trim()) || (isStreetLine(first) && !isCode));
}

/** Whether a line is an address of its own, from the street to a place that is no street: `1 Mill Way, Bath BA2 3NT`. */
export function isWholeAddress(text: string): boolean {
  const last = text.split(/, | [-–·|] /u).at(-1)!;
  return hasPlace(text) && hasStreet(text) && !streetWords.test(last);
}

/** A room or a unit alone, which is a part of a house wherever that stands. */
const unitAlone = /^\p{L}+\.? ?#?\d+[a-z]?$/iu;

/** Whether a text may be an address at all: some part of it has a street, a box or a town with its postal code. */
export function isAddressLike(text: string): boolean {
  const parts = text.split(/,\s*/);
  return (
    hasPlace(text) ||
    parts.some(
      (part, at) =>
        (isStreetLine(part) && !(unit.test(part) && unitAlone.test(part))) ||
        hasPlace(part) ||
        hasPlace(`${parts[at - 1] ?? ''} ${part}`.trim()),
    )
  );
}

/** Whether a line is words with `&` between them, which above a street are a name: `HOTEL & CONFERENCE CENTER`. */
export function isPairOfWords(text: string): boolean {
  return pairOfWords.test(text);
}

const pairOfWords = /^[^\d,:]+ & [^\d,:]+$/u;
