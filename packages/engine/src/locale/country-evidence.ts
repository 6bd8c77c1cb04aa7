import type { TextLine } from '@millrace/document-model';
import { countriesIn, ibansIn, taxIdsIn } from '../candidates/line-findings.ts';
import { isValidVat } from '../candidates/tax-id.ts';

/** What speaks for a country besides its name, and how much: company forms, names of taxes, postal forms, calling codes. */
const signs: readonly (readonly [pattern: RegExp, country: string, weight: number])[] = [
  // States by the titles of their papers, which recognition often leaves without accents.
  [/\bunited kingdom of great britain\b/i, 'GB', 3],
  [/\bbundesrepublik deutschland\b/i, 'DE', 3],
  [/\br[ée]publique fran[çc]aise\b/i, 'FR', 3],
  [/\brepubblica italiana\b/i, 'IT', 3],
  [/\brep[úu]blica portuguesa\b/i, 'PT', 3],
  [/\brep[úu]blica federativa do brasil\b/i, 'BR', 3],
  [/\brepublik [öo]sterreich\b/i, 'AT', 3],
  [/\bkoninkrijk der nederlanden\b/i, 'NL', 3],
  [/\brzeczpospolita polska\b/i, 'PL', 3],
  [/\b(?:government|govt\.?|union|republic) of india\b/i, 'IN', 3],
  [/\b(?:instituto nacional electoral|estados unidos mexicanos)\b/i, 'MX', 3],
  [/\b(?:sdn\.? ?bhd|s\/b)\b/i, 'MY', 3],
  [/\b(?:jalan|jln|taman|bandar)\b/i, 'MY', 1],
  [/\b(?:gmbh|ust-?id|mwst\.?|steuernummer|amtsgericht)\b|\be\.k\./i, 'DE', 2],
  // Taxes and insurances that only one country has, which its payslips name while they print no currency.
  [/\bsolidarit[aä]tszuschlag|\bsolz\b/i, 'DE', 2],
  [/\b(?:lohnsteuer|rentenversicherung|arbeitslosenversicherung|finanzamt)/i, 'DE', 1],
  [/\b(?:urssaf|csg)\b/i, 'FR', 2],
  [/\bi\.?r\.?p\.?f\b/i, 'ES', 2],
  [/\bagencia tributaria\b/i, 'ES', 3],
  [/\bfica\b/i, 'US', 2],
  [/\birpef\b|\binps\b|\bagenzia delle entrate\b/i, 'IT', 2],
  [/\b(?:loonheffing(?:en)?|burgerservicenummer|belastingdienst)/i, 'NL', 1],
  // Portugal's tax is called as America's office is: `IRS`.
  [/\bseguran[cç]a social\b|\bautoridade tribut[aá]ria\b|\bsubs[ií]dio de (?:alimenta|f[eé]rias|natal)/iu, 'PT', 3],
  [/\bbedrijfsvoorheffing\b|\bpr[eé]compte professionnel\b/iu, 'BE', 3],
  [/\bprsi\b/i, 'IE', 3],
  [/\bpayg\b/i, 'AU', 3],
  [/\bcanada revenue agency\b|\bagence du revenu du canada\b/i, 'CA', 3],
  [/\bnhs\b|\bnational insurance\b|\bni (?:number|no|letter|table)\b|\bhmrc\b|\bhm revenue\b/i, 'GB', 2],
  [/\b(?:siret|siren|s\.?a\.?r\.?l|rcs|tva intracommunautaire)\b/i, 'FR', 3],
  [/\bp\.? ?iva\b|\bcodice fiscale\b|\bs\.r\.l\b|\bpartita iva\b/i, 'IT', 3],
  [/\bb\.v\.|\b(?:btw-?(?:nr|nummer|id)|kvk)\b/i, 'NL', 3],
  // The number itself begins with a letter; India's banks have a `CIF No` of digits.
  [/\bc\.?i\.?f\.?(?:[: ]|n[.ºo°]*)*(?:ES-?)?[A-HJ-NP-SU-W]-?\d|\bs\.l\.u?\.?(?=[: ,]|$)/i, 'ES', 2],
  [/\b(?:contribuinte|lda\.?|nipc|freguesia)\b/i, 'PT', 3],
  [/\b(?:cnpj|cpf|ltda)\b/i, 'BR', 4],
  [/\b(?:gstin|cgst|sgst|igst|ifsc|ifs code|neft|pvt\.? ltd)\b/i, 'IN', 4],
  [/\b(?:abn|pty\.? ltd)\b/i, 'AU', 4],
  [/\bbsb\b/i, 'AU', 2],
  [/\(pty\)\.? ?(?:ltd|limited)\b/i, 'ZA', 3],
  [/\bnzbn\b|\bgst (?:no|number|reg)[.:# ]*\d{2,3}-\d{3}-\d{3}\b/i, 'NZ', 4],
  [
    /\bco\. ?(?:carlow|clare|cork|donegal|galway|kerry|kildare|kilkenny|laois|louth|mayo|meath|tipperary|wexford|wicklow)\b/i,
    'IE',
    2,
  ],
  [/\bs\.? ?a\.?(?: ?p\.? ?i\.?)? de c\.? ?v\b|\bs\.? de r\.? ?l\.? de c\.? ?v\b/i, 'MX', 4],
  [/\bfactura simplificada\b/i, 'ES', 3],
  [/\b(?:tps|tvq|tvh|qst|interac)\b/i, 'CA', 2],
  [/\bpte\.? ltd\b/i, 'SG', 4],
  [/\bUEN\b/, 'SG', 2],
  [/\bvat (?:reg|no|number)/i, 'GB', 1],
  [/\b(?:llc|inc\.|irs|social security|form (?:w-9|1099|1098|w-2))(?![\p{L}\d])/iu, 'US', 2],
  [/\bsales tax\b|\bzip code\b/i, 'US', 1],
  [
    /\b(?:state|commonwealth) of (?:alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new (?:hampshire|jersey|mexico|york)|(?:north|south) (?:carolina|dakota)|ohio|oklahoma|oregon|pennsylvania|rhode island|tennessee|texas|utah|vermont|virginia|washington|wisconsin|wyoming)\b/i,
    'US',
    2,
  ],
  [
    /\b(?:rx ?bin|rx ?pcn|medicare|medicaid|aba number|routing (?:no|number)|fdic|copay(?:ment)?s?|hmo|ppo|driver['’]?s? license)\b/i,
    'US',
    2,
  ],
];

/** The same where the sign has a digit in it. */
const signsWithDigits: readonly (readonly [pattern: RegExp, country: string, weight: number])[] = [
  [
    /\b\d{5},? (?:kuala lumpur|johor|selangor|shah alam|petaling jaya|penang|klang|ipoh|seremban|melaka|kajang|puchong|kepong)/i,
    'MY',
    3,
  ],
  [/\bRM ?\d/, 'MY', 2],
  // Only France sets its telephone numbers in five pairs.
  [/(?<![\d.+]|\d )0[1-9](?:(?: \d{2}){4}|(?:\.\d{2}){4})(?![ .]?\d)/, 'FR', 1.5],
  // Between two signs of magnetic ink only America's banks have nine digits.
  [/⑆ ?\d{9} ?⑆/, 'US', 3],
  [/\bsingapore,? \d{6}\b/i, 'SG', 3],
  [/\bD-\d{5}\b/, 'DE', 3],
  [/\bA-\d{4}\b|\bATU\d{8}\b/, 'AT', 4],
  [/\bCHE-\d{3}|\bCH-\d{4}\b/, 'CH', 4],
  // In America a quarter stands between house and street: `1480 NE Stephens St`.
  [/\b\d{4} ?(?![NS][EW] )[A-Z]{2} {1,2}\p{Lu}\p{L}+/u, 'NL', 2],
  [/\b\d{4}-\d{3} \p{Lu}/u, 'PT', 3],
  [/\b\d{5}-\d{3}\b/, 'BR', 2],
  [/\b(?:NSW|VIC|QLD|SA|WA|TAS|ACT|NT),? \d{4}\b(?!-)/, 'AU', 3],
  // Tills count themselves and their cashiers: `R2041 T07 C118`.
  [/(?<!\d )\b[AC-FHKNPRTV-Y]\d[\dW] (?=\d*[A-Z])[AC-FHKNPRTV-Y\d]{4}\b/, 'IE', 3],
  [/\brfc[: ]+[A-ZÑ&]{3,4}-?\d{6}-?[A-Z\d]{3}\b/i, 'MX', 4],
  [/\br\.?u\.?t\.?[.: ]+\d{1,2}\.\d{3}\.\d{3}-[\dK]/i, 'CL', 4],
  [/\bc\.?u\.?i\.?t\.?[:. ]+\d{2}-\d{8}-\d\b/i, 'AR', 4],
  [/\bn\.?i\.?t\.?[:. ]+\d{3}\.\d{3}\.\d{3}-\d\b/i, 'CO', 4],
  [/\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/, 'GB', 3],
  [/\bGB ?\d{3} ?\d{4} ?\d{2}\b/, 'GB', 3],
  [
    /\b(?:AL|AK|AZ|AR|CA|CO|CT|FL|GA|HI|IA|ID|IL|IN|KS|KY|LA|MA|MD|ME|MI|MN|MO|MS|MT|NC|ND|NE|NH|NJ|NM|NV|NY|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VA|VT|WA|WI|WV|WY|DC),? \d{5}(?:-\d{4})?\b/,
    'US',
    3,
  ],
  [/(?<!\d)\(?8(?:00|33|44|55|66|77|88)\)?[- .]\d{3}[- .]\d{4}(?!\d)/, 'US', 1],
  [/\b[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d\b/, 'CA', 3.5],
  // Behind a province capitals that are but larger may be read as small letters, `BC V6s 1x4`, and a nought as one.
  [
    /\b(?:AB|BC|MB|NB|NL|NS|ON|PE|QC|SK|YT),? (?![A-Z]\d[A-Z] ?\d[A-Z]\d)[A-Z][\dO][A-Zcosuvwxz] ?\d[A-Zcosuvwxz][\dO]\b/,
    'CA',
    3.5,
  ],
  [/\d ?RT ?\d{4}\b/, 'CA', 3],
  // A company's registration: year, number, form.
  [/(?<!\d)(?:19|20)\d{2}\/\d{6}\/(?:0[678]|2[1346])(?!\d)/, 'ZA', 3],
];

const allSigns = [...signs, ...signsWithDigits];

const callingCodes: readonly (readonly [pattern: RegExp, country: string])[] = [
  [/\+ ?60[ \d-]{7}/, 'MY'],
  [/\+ ?49[ (\d/-]{6}/, 'DE'],
  [/\+ ?43[ (\d/-]{6}/, 'AT'],
  [/\+ ?41[ (\d/-]{6}/, 'CH'],
  [/\+ ?33[ (\d/.-]{6}/, 'FR'],
  [/\+ ?39[ \d/.-]{6}/, 'IT'],
  [/\+ ?34[ \d/.-]{6}/, 'ES'],
  [/\+ ?351[ \d/.-]{6}/, 'PT'],
  [/\+ ?31[ (\d/.-]{6}/, 'NL'],
  [/\+ ?32[ (\d/.-]{6}/, 'BE'],
  [/\+ ?44[ (\d/.-]{6}/, 'GB'],
  [/\+ ?65[ \d-]{7}/, 'SG'],
  [/\+ ?91[ \d-]{7}/, 'IN'],
  [/\+ ?61[ (\d-]{7}/, 'AU'],
  [/\+ ?64[ (\d-]{7}/, 'NZ'],
  [/\+ ?353[ (\d-]{7}/, 'IE'],
  [/\+ ?52[ (\d-]{7}/, 'MX'],
  [/\+ ?55[ (\d-]{7}/, 'BR'],
  [/\+ ?48[ \d-]{7}/, 'PL'],
];

/** The end of a mail or web address that a country's residents have. */
const nationalDomain =
  /(?:@|(?<![\p{L}\d.-])www\.)[\p{L}\d.-]*\.(?:(de|at|ch|fr|es|it|pt|nl|be|ie|pl|se|dk)|co\.(uk|nz|za|in)|com\.(au|br|mx|sg|my|ar))(?![\p{L}\d.-])/iu;
const countryOfDomain = 1.5;

/** How much the lines speak for each country, the best first. */
export function countryScores(lines: readonly TextLine[]): readonly (readonly [country: string, score: number])[] {
  const scores = new Map<string, number>();
  const add = (country: string, weight: number) => scores.set(country, (scores.get(country) ?? 0) + weight);
  const domains = lines.flatMap(({ text }) => {
    const [, ...ends] = (/[@.]/.test(text) && nationalDomain.exec(text)) || [];
    const end = ends.find((each) => each !== undefined)?.toUpperCase();
    return end ? [end === 'UK' ? 'GB' : end] : [];
  });
  for (const country of new Set(domains)) add(country, countryOfDomain);
  for (const line of lines) {
    const { text } = line;
    for (const { value, quality } of countriesIn(line)) add(value, quality * 2);
    for (const [pattern, country, weight] of /\d/.test(text) ? allSigns : signs)
      if (pattern.test(text)) add(country, weight);
    if (text.includes('+')) for (const [pattern, country] of callingCodes) if (pattern.test(text)) add(country, 2);
    if (!/\d{6}/.test(text.replaceAll(' ', ''))) continue;
    for (const { value, quality } of ibansIn(line)) if (quality > 0.5) add(value.slice(0, 2), 2);
    for (const { value, quality } of taxIdsIn(line)) {
      if (quality === 1 && isValidVat(value) && /^[A-Z]{2}/.test(value))
        add(value.slice(0, 2) === 'EL' ? 'GR' : value.slice(0, 2), 3);
    }
  }
  return [...scores].sort((a, b) => b[1] - a[1]);
}
