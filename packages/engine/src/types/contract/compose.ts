import type { ExtractedValue, Layout, Locale, TextLine } from '@millrace/document-model';
import { isAddressLike } from '../../candidates/address-lines.ts';
import { findDates, isoDate, resolveDate } from '../../candidates/date.ts';
import { unmarked } from '../../candidates/unmarked.ts';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { letterHeight } from '../../compose/names.ts';
import { numberOfWords } from '../../compose/number-words.ts';
import { type Prose, proseOf } from '../../compose/prose.ts';
import { composedValue } from '../../compose/value.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import { isDayOfOtherAgreement } from './other-days.ts';
import { partiesOf } from './parties.ts';
import { signatoriesOf } from './signatories.ts';
import { captionedTotal, totalOf } from './sums.ts';
import { validityOf } from './validity.ts';

/** A contract: its title, parties, term, governing law and signatories, from its prose. */
export function composeContract({ layout, locale }: Findings): ComposedFields {
  const prose = proseOf(layout);
  const parties = partiesOf(layout, prose);
  const validity = validityOf(layout, prose, locale);
  const title = titleOf(layout, parties);
  return {
    title,
    parties,
    term: termOf(prose) ?? captionedTerm(layout) ?? (validity.end_date ? null : openTermOf(prose)),
    governing_law: governingLawOf(prose) ?? captionedLaw(layout),
    effective_date: firstDayOf(title, validity.effective_date, statedDateOf(prose)) ?? signedOn(layout, locale),
    end_date: validity.end_date,
    total_amount: totalOf(prose, locale) ?? captionedTotal(layout, locale),
    signatories: signatoriesOf(layout, parties),
  };
}

/** The first day of a contract; what an amendment extends begins on a day of its own. */
function firstDayOf(
  title: ExtractedValue | null,
  begun: ExtractedValue | null,
  made: ExtractedValue | null,
): ExtractedValue | null {
  const isAmendment = /(?<!\p{L})(?:amendment|addendum|nachtrag|avenant|adenda)(?!\p{L})/iu.test(String(title?.value));
  return isAmendment ? (made ?? begun) : beginningOf(begun, made);
}

/** The day on which a contract begins, unless that is before its own date or years behind it, as another one's is. */
function beginningOf(begun: ExtractedValue | null, made: ExtractedValue | null): ExtractedValue | null {
  if (!begun || !made) return begun ?? made;
  const days = (Date.parse(String(begun.value)) - Date.parse(String(made.value))) / 86_400_000;
  return days >= 0 && days < latestBeginning ? begun : made;
}

const placeAndDay =
  /^(?:(?:Fait|Feito|Hecho|Fatto|Gedaan|Geschehen|Done)(?: (?:en|em|in) \p{L}+(?: \p{L}+)?,)? (?:à|em|en|a|te|zu|at) )?\p{Lu}[\p{L} .()'’-]{2,30}, ?(?:(?:den|am|le|li|il|a|em|aos|op|dated) )?(?=\d)/u;

/** The day on which a contract is signed, behind the place: `Celle, den 21.09.2024`; null where there are several. */
function signedOn(layout: Layout, locale: Locale): ExtractedValue | null {
  const days = layout.lines.slice(-signatureLines).flatMap((line) => {
    const start = line.text.length > 60 ? undefined : placeAndDay.exec(line.text)?.[0].length;
    // Behind the day it may say in how many copies.
    const day = start === undefined ? undefined : findDates(line.text.slice(start))[0];
    if (start === undefined || day?.start !== 0) return [];
    return [composedValue(resolveDate(day, locale).value, 84, [{ line, start, end: start + day.end }])];
  });
  const [first] = days;
  return first && days.every(({ value }) => value === first.value) ? first : null;
}

/** Lines at a contract's end among which it is signed. */
const signatureLines = 40;

/** Days after its date within which a contract begins. */
const latestBeginning = 500;

const contractWord =
  /agreement|contract|lease|deed|addendum|amendment|terms|vertrag|vereinbarung|contrat|convention|bail|accord|contrato|acuerdo|convenio|contratto|accordo|convenzione|acordo|overeenkomst|contract|licen[sc]e|memorandum|policy/i;

/** The title: the line at the top that names a kind of contract, or whose letters are the largest. */
function titleOf(layout: Layout, parties: ExtractedValue | null): ExtractedValue | null {
  const first = layout.document.pages[0];
  if (!first) return null;
  const subject = subjectOf(layout);
  if (subject) return subject;
  const head = layout.lines.filter(
    (line) =>
      line.page === first.number &&
      line.box.y0 < first.height * 0.45 &&
      line.text.length <= 120 &&
      /\p{L}{3}/u.test(line.text) &&
      !isAddressLike(line.text) &&
      // A letterhead's logo is set as large as a title.
      !isOfParty(line.text, parties),
  );
  const heights = layout.lines.map(letterHeight).sort((a, b) => a - b);
  const usual = heights[heights.length >> 1] ?? 1;
  let best: { line: TextLine; score: number } | null = null;
  head.forEach((line, index) => {
    const capitals = line.text === line.text.toUpperCase() ? 0.6 : 0;
    const middle = Math.abs((line.box.x0 + line.box.x1) / 2 - first.width / 2) < first.width * 0.06 ? 0.4 : 0;
    const sentence = line.words.length > 10 || /[.;,]$|^\p{Ll}+ /u.test(line.text) ? 1.5 : 0;
    const bold = line.words[0]?.bold ? 0.4 : 0;
    const score =
      Math.min(2.5, letterHeight(line) / usual) +
      (contractWord.test(line.text) ? 1.2 : 0) +
      capitals +
      middle +
      bold -
      sentence -
      Math.min(1, index * 0.08);
    if (!best || score > best.score) best = { line, score };
  });
  const found = best as { line: TextLine; score: number } | null;
  if (!found || found.score < 1.2) return null;
  const whole = wholeTitle(found.line, layout.lines, usual);
  return composedValue(
    whole.map(({ text }) => text).join(' '),
    Math.round(Math.min(86, 50 + found.score * 12)),
    whole.map((line) => ({ line })),
  );
}

const subjectCaption = /^(?:re|subject|betreff|betrifft|objet|asunto|oggetto)\s*:\s*(?=\p{Lu})/iu;
const subjectLines = 40;

/** What a contract in the form of a letter is about, at the caption above or below its salutation. */
function subjectOf(layout: Layout): ExtractedValue | null {
  for (const line of layout.lines.slice(0, subjectLines)) {
    const start = subjectCaption.exec(line.text)?.[0].length;
    if (start !== undefined && line.text.length < 120 && !/[.,;]$/.test(line.text))
      return composedValue(line.text.slice(start), 80, [{ line, start, end: line.text.length }]);
  }
  return null;
}

const openEnd = /(?<!\p{L})(?:to|of|for|and|&|on|zum|zur|über|und|de|du|des|et|del|di)$/iu;
const openStart = /^(?:to|of|for|and|&|zum|zur|über|und|de|du|des|et|del|di)(?!\p{L})/iu;

/** A title with the lines into which it is broken: at a word that joins, in letters as tall. */
function wholeTitle(title: TextLine, lines: readonly TextLine[], usual: number): readonly TextLine[] {
  // In letters larger than the text's, a line as long as what is left of it goes on in the next.
  const isFull = (upper: TextLine, lower: TextLine) =>
    letterHeight(upper) > largeTitle * usual &&
    upper.text.length > fullLine &&
    upper.text.length > lower.text.length &&
    !/\d/.test(lower.text) &&
    isAllCapitals(upper.text) === isAllCapitals(lower.text) &&
    !besideTitle.test(lower.text);
  const isBroken = (upper: TextLine, lower: TextLine) =>
    (openEnd.test(upper.text) || openStart.test(lower.text) || isFull(upper, lower)) &&
    lower.box.y0 > upper.box.y0 &&
    lower.box.y0 - upper.box.y1 < letterHeight(upper) &&
    Math.abs(letterHeight(upper) - letterHeight(lower)) < 0.15 * letterHeight(upper);
  const at = lines.indexOf(title);
  let [first, last] = [at, at];
  while (first > 0 && isBroken(lines[first - 1]!, lines[first]!)) first -= 1;
  while (last + 1 < lines.length && isBroken(lines[last]!, lines[last + 1]!)) last += 1;
  return lines.slice(first, last + 1);
}

const largeTitle = 1.2;
const fullLine = 30;
/** What stands below a title in letters as large. */
const besideTitle = /^(?:between|by|dated|date|this|parties|zwischen|entre|tra|tussen)(?!\p{L})|^\(/iu;

function isAllCapitals(text: string): boolean {
  return text === text.toUpperCase();
}

/** Whether a line is a party's name or the beginning of one. */
function isOfParty(text: string, parties: ExtractedValue | null): boolean {
  const letters = (name: string) => name.toLowerCase().replace(/[^\p{L}\d]/gu, '');
  return (Array.isArray(parties?.value) ? parties.value : []).some((name) =>
    letters(String(name)).startsWith(letters(text)),
  );
}

const termPatterns: readonly RegExp[] = [
  /(?:(?:initial )?term (?:of this agreement )?(?:shall be|is|of)|for a (?:period|term) of|(?:duration|period) of)\s+(?:approximately )?((?:\p{L}+ )?\(?\d{1,3}\)? ?(?:calendar )?(?:years?|months?|weeks?|days?)|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|eighteen|twenty[- ]four|thirty[- ]six|thirty|sixty|ninety)(?: \(\d+\))?[- ](?:calendar )?(?:years?|months?|days?))/iu,
  /(?:laufzeit|vertragsdauer|dauer)(?: des vertrag(?:e?s))?(?: von| beträgt| :)?:?\s+((?:\d{1,3}|ein|einem|eine|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|achtzehn|vierundzwanzig) ?(?:jahr(?:e[ns]?)?|monat(?:e[ns]?)?|wochen))/iu,
  /(?:durée|période)(?: déterminée| initiale)?(?: du (?:contrat|bail)| de la location)?(?: est)?(?:,? (?:donc|ainsi|alors),?)?(?: fixée à)? ?:? (?:de )?((?:\d{1,3}|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix-huit|dix|onze|douze|vingt-quatre|trente-six)(?: \(\d+\))? ?(?:ans?|années?|mois|semaines))/iu,
  /(?:duración|plazo|vigencia)(?: de duración)?(?: del (?:contrato|arrendamiento))?(?: será| es)?(?:,? (?:por (?:lo )?tanto|inicial|total),?)?(?: de |: ?)((?:\d{1,3}|una?|un|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|dieciocho|diez|once|doce|veinticuatro)(?: \(\d+\))? ?(?:años?|meses|mes|semanas))/iu,
  /(?:durata)(?: del contratto| della locazione)?(?: è| sarà)?(?:,? \p{L}{3,9},?)?(?: di | pari a |: ?)((?:\d{1,3}|uno?|un|due|tre|quattro|cinque|sei|sette|otto|nove|diciotto|dieci|undici|dodici|ventiquattro)(?: \(\p{L}+\))? ?(?:anni|anno|mesi|mese|settimane))/iu,
  /(?:durata)(?: del contratto| della locazione)?(?: è| sarà)? (?:di |pari ad? )((?:anni|mesi) (?:\d{1,2}|un[oa]?|due|tre|quattro|cinque|sei|otto|dodici|diciotto|ventiquattro)(?: \(\p{L}+\))?)(?!\p{L})/iu,
  /(?:duração|prazo|vigência)(?: do contrato)?(?: de |: ?)((?:\d{1,3}|uma?|um|dois|duas|três|quatro|cinco|seis|sete|oito|nove|dezoito|dez|onze|doze|vinte e quatro)(?: \(\p{L}+\))? ?(?:anos?|meses|mês|semanas))/iu,
  /(?:looptijd|duur|periode)(?: van de (?:overeenkomst|huur))?(?: bedraagt| is)?:? (?:van )?((?:\d{1,3}|een|één|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf|achttien|vierentwintig)(?: \(\d+\))? ?(?:jaar|jaren|maanden|maand|weken))/iu,
].map(unmarked);

const lawPatterns: readonly RegExp[] = [
  /(?:gove(?:rn|m)ed (?:by|under)|construed (?:and (?:enforced|interpreted) )?(?:in accordance with|under)|subject to|interpreted (?:in accordance with|under))(?: and (?:construed|interpreted|enforced) (?:in accordance with|under))?,? the (?:internal |substantive )?laws?(?: \([^)]{1,80}\)| and public policies| located)? (?:of|in) (?:the )?(?:United States(?: of America)? and (?:of )?(?:the )?)?((?:State|Commonwealth|Province|Republic|Kingdom) of \p{Lu}[\p{L}]+(?: \p{Lu}[\p{L}]+)?|\p{Lu}[\p{L}]+(?: (?:and|of|the|\p{Lu}[\p{L}]+))*)/u,
  /(?:es gilt|gilt|findet|unterliegt|anwendung findet|ist)(?: ausschließlich)?(?: das| dem)? (?:recht (?:der |des )?((?:Bundesrepublik |Republik |Schweizerischen )?\p{L}{4,})|((?:deutsch|österreichisch|schweizerisch)e[sm]? Recht))/iu,
  // A law by its subject or its year, as of tenancies or of associations, is none that a contract chooses.
  /(?:soumis|régi|gouvern|applicable|appliqu|interprét)[^.;]{0,80}?((?:droit|lois?|législation) (?:français|belge|suisse|luxembourgeois|québécois|canadien|allemand|italien|espagnol|anglais|marocain|tunisien|monégasque|sénégalais|ivoirien)e?)(?!\p{L})/iu,
  /(?:regi|rige|rija|somet|sujet|aplica|interpret)[^.;]{0,80}?((?:ley(?:es)?|legislación|derecho)(?: (?:común|civil|mercantil|vigente))? (?:español|mexican|argentin|chilen|colombian|peruan|uruguay|ecuatorian|venezolan)[ao]|(?:leyes|legislación) de (?:españa|méxico|los estados unidos mexicanos|la república argentina|argentina|chile|colombia|perú|uruguay|ecuador))(?!\p{L})/iu,
  /(?:regolat|disciplinat|rett[oa] d|soggett|applic)[^.;]{0,80}?((?:leggi|legge|diritto|legislazione) (?:italian|svizzer|tedesc|frances)[aoei])(?!\p{L})/iu,
  /(?:rege|regid|regul|aplic|sujeit|submet|interpretad)[^.;]{0,80}?((?:leis?|legislação|direito) (?:portugues[ae]s?|português|brasileir[ao]s?|angolan[ao]|moçambican[ao]))(?!\p{L})/iu,
  /(?:(?:is|zijn)(?: uitsluitend)? (?:het )?|beheerst door (?:het )?)((?:Nederlands|Belgisch)e? recht)(?!\p{L})/iu,
  /(?:governed|construed|interpreted|subject)[^.;]{0,60}? (?:by|under|with|to) ((?:English|Scots|Scottish|Irish|Swiss|German|Austrian|French|Belgian|Dutch|Danish|Swedish|Norwegian|Finnish|Spanish|Italian|Portuguese|Indian) law)(?!\p{L})/u,
].map(unmarked);

/** OCR takes the letter of Iowa, Ireland and the like for a small one. */
const smallLetter = /(?<= of )l(?=(?:owa|daho|llinois|ndiana|ndia|reland|srael|taly)(?!\p{L}))/gu;

function governingLawOf({ text: read, ...places }: Prose): ExtractedValue | null {
  const prose = { ...places, text: read.replace(smallLetter, 'I') };
  const stated = firstMatch(prose, lawPatterns, 82);
  // A state's law governs what is made in a federation; the federation's is named beside it.
  const isFederal = stated !== null && /^united states/i.test(String(stated.value));
  const value = isFederal ? jurisdictionOf(prose) : (stated ?? jurisdictionOf(prose));
  if (!value || typeof value.value !== 'string') return value;
  const text = value.value.replace(/(?: (?:and|of|the|without|excluding|applicable|as|State))+$/i, '');
  return { ...value, value: text === text.toUpperCase() ? titleCase(text) : text };
}

const lawCaption =
  /^(?:(?:governing|applicable) law(?: (?:&|and) jurisdiction)?|anwendbares recht|droit applicable|ley aplicable)\s*:?\s*/iu;
const lawName =
  /^(?:the )?(?:laws? of (?:the )?)?((?:(?:State|Commonwealth|Province|Republic) of )?\p{Lu}\p{L}+(?:,? (?:(?:and|of) )?\p{Lu}\p{L}+){0,4})\.?$/u;

/** The law at a caption of its own: `Governing Law: Delaware`. */
function captionedLaw(layout: Layout): ExtractedValue | null {
  for (const line of layout.lines.slice(0, 300)) {
    const caption = line.text.length > 70 ? undefined : lawCaption.exec(line.text)?.[0];
    if (caption === undefined) continue;
    const isAlone = caption.length === line.text.length;
    const place = isAlone ? neighboursOf(layout, line).right : line;
    const text = isAlone ? place?.text : line.text.slice(caption.length);
    const law = text === undefined ? undefined : lawName.exec(text)?.[1];
    if (!place || law === undefined) continue;
    const start = place.text.lastIndexOf(law);
    return composedValue(law, 78, [{ line: place, start, end: start + law.length }]);
  }
  return null;
}

const states =
  'Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming|Ontario|Quebec|British Columbia|Alberta|England and Wales|England|Scotland|Ireland|Israel|Bermuda|Singapore|Hong Kong|Japan|India|Canada|Australia|Switzerland|Germany|France';
const jurisdictionPatterns: readonly RegExp[] = [
  new RegExp(
    `laws?(?: \\([^)]{1,80}\\)| and (?:\\w+ ){1,2})? ?of (?:the )?((?:(?:state|commonwealth|province) of )?(?:${states}))(?!\\p{L})`,
    'iu',
  ),
  new RegExp(
    `(?:governed by|construed under|in accordance with|under) (?:the )?(?:internal )?(${states})(?: state)? laws?(?!\\p{L})`,
    'iu',
  ),
  new RegExp(`(?<!\\p{L})(${states})(?: state)? laws? (?:shall |will )?(?:governs?|appl(?:y|ies))(?!\\p{L})`, 'iu'),
  new RegExp(
    `(?:governed by|construed (?:in accordance|under))[^.;]{0,140}? laws?[^.;]{0,60}? of (?:the )?((?:state|commonwealth|province) of (?:${states}))(?!\\p{L})`,
    'iu',
  ),
  new RegExp(`laws? of (?:the )?((?:state|commonwealth|province) of (?:${states}))(?!\\p{L})`, 'iu'),
];

/** The state or country whose law an English contract names in any clause. */
function jurisdictionOf(prose: Prose): ExtractedValue | null {
  return firstMatch(prose, jurisdictionPatterns, 76);
}

function titleCase(text: string): string {
  return text.toLowerCase().replace(/(?<!\p{L})(?!of |and |the )\p{L}/gu, (letter) => letter.toUpperCase());
}

const months = 'january|february|march|april|may|june|july|august|september|october|november|december';
const statedDate = new RegExp(
  `(?:dated|date[d]?:|made|entered(?: into)?|effective|executed|agreement)(?: and entered(?: into)?)?[^.;]{0,60}?(?:as of|on|this|effective|dated)? *(?:the |this )?(?:(\\d{1,2})(?: ?(?:st|nd|rd|th))? day of (${months}),? ?(?:of )?((?:19|20)\\d{2})|(${months}) (\\d{1,2})(?:st|nd|rd|th)?,? ((?:19|20)\\d{2}))`,
  'giu',
);
const lineDate = new RegExp(`(?<!\\p{L})(${months}) (\\d{1,2})(?:st|nd|rd|th)?,? ?((?:19|20)\\d{2})`, 'iu');
const madeOn = /(?<!\p{L})(?:made|entered)(?!\p{L})/iu;
/** Dated on one day, a contract may hold from another one: `dated as of May 8, but effective as of May 1`. */
const butEffective = /^,? ?(?:but|and|to be|with)? ?(?:made |is |shall be |to be )?effective/iu;
/** A contract says its date in its first sentences, a letter above its salutation. */
const headLength = 1_800;

/** The date as of which an English contract is made. */
function statedDateOf(prose: Prose): ExtractedValue | null {
  const head = prose.text.slice(0, headLength);
  const dayOf = (year: string, month: string, day: string) =>
    isoDate(Number(year), months.split('|').indexOf(month.toLowerCase()) + 1, Number(day));
  // A letter is of the date above its salutation; what it mentions as dated is another agreement.
  const salutation = /(?:ladies and gentlemen|dear |gentlemen:)/i.exec(head)?.index ?? -1;
  const above = salutation > 0 ? lineDate.exec(head.slice(0, salutation)) : null;
  if (above) {
    const end = above.index + above[0].length;
    const value = dayOf(above[3]!, above[1]!, above[2]!);
    return value === null ? null : composedValue(value, 80, prose.stretchesOf(above.index, end));
  }
  const matches = [...head.matchAll(statedDate)].filter(
    ({ index, 0: text }) => !isDayOfOtherAgreement(head.slice(Math.max(0, index - 120), index + text.length)),
  );
  const [first] = matches;
  // A title or a filing's list of exhibits, in capitals, may name another day than the clause by which it is made.
  const isTitle = first !== undefined && isAllCapitals(first[0]);
  const made = (isTitle ? matches.find(({ 0: text }) => madeOn.test(text)) : undefined) ?? first;
  const next = made && matches[matches.indexOf(made) + 1];
  const isOtherwise = next && butEffective.test(head.slice(made.index + made[0].length, next.index + 12));
  const match = isOtherwise ? next : made;
  if (!match) return null;
  const [all, day, month, year, otherMonth, otherDay, otherYear] = match;
  const value = day ? dayOf(year!, month!, day) : dayOf(otherYear!, otherMonth!, otherDay!);
  if (value === null) return null;
  const end = match.index + all.length;
  return composedValue(value, 84, prose.stretchesOf(end - 24, end));
}

/**
 * How long the agreement lasts where a clause says so of it, and otherwise how long its obligations do; not how long
 * somebody stays away from a competitor.
 */
function termOf(prose: Prose): ExtractedValue | null {
  for (const pattern of agreementTerms) {
    const match = pattern.exec(prose.text);
    if (!match) continue;
    const sentence = prose.text.slice(0, match.index).split(/[.;]/).at(-1)!.slice(-300);
    if (surviving.test(`${sentence}${match[0]}`)) continue;
    const length = duration.exec(match[1]!)!;
    const start = match.index + match[0].lastIndexOf(match[1]!);
    return composedValue(durationOf(length), 80, prose.stretchesOf(start, start + match[1]!.length));
  }
  const until = untilAnniversary.exec(prose.text);
  if (until && !otherAim.test(until[0])) {
    const years = ordinals.indexOf(until[1]!.toLowerCase()) + 1;
    const end = until.index + until[0].length;
    return composedValue(
      `${years} year${years === 1 ? '' : 's'}`,
      78,
      prose.stretchesOf(end - until[1]!.length - 24, end),
    );
  }
  for (const sentence of prose.text.matchAll(/[^.;]{20,900}[.;]/gu)) {
    const [text] = sentence;
    if (!lasting.test(text) || otherTerm.test(text)) continue;
    const match = duration.exec(text);
    if (!match) continue;
    const start = sentence.index + match.index;
    return composedValue(
      durationOf(match),
      surviving.test(text) ? 62 : 74,
      prose.stretchesOf(start, start + match[0].length),
    );
  }
  for (const pattern of termsFromDay) {
    const match = pattern.exec(prose.text);
    if (!match) continue;
    const start = match.index + match[0].lastIndexOf(match[1]!);
    return composedValue(durationOf(duration.exec(match[1]!)!), 78, prose.stretchesOf(start, start + match[1]!.length));
  }
  return firstMatch(prose, termPatterns.slice(1), 78);
}

/** What says of a contract that it has no last day; in Spanish its title says so as well. */
const openTerms: readonly RegExp[] = [
  /(?<!\p{L})(?:auf (unbestimmte Zeit)|(durée indéterminée)|(?:duración|carácter|tiempo)[^.;:]{0,30}? (indefinid[oa])|(tempo indetermina(?:to|do))|(onbepaalde (?:tijd|duur)))(?!\p{L})/iu,
  /(?<!\p{L})contrato[^.;:]{0,30}? (indefinid[oa])(?!\p{L})/iu,
].map(unmarked);

/** How long a contract holds that is made without a last day: `auf unbestimmte Zeit`, `à durée indéterminée`. */
function openTermOf(prose: Prose): ExtractedValue | null {
  const term = firstMatch(prose, openTerms, 80);
  return term && { ...term, value: String(term.value).toLowerCase().replace(/zeit$/, 'Zeit') };
}

const termCaption =
  /^(?:\d{1,2}[.)] ?)?(?:the )?(?:(?:initial |contract |subscription |minimum |service |license |lease |tenancy |fixed )?(?:term|duration|(?:length|period)(?= of ))(?: of (?:(?:this|the) )?(?:agreement|contract|letting|tenancy|lease|loan))?|(?:confidentiality|contract|licen[cs]e) period)\s*:?\s*/iu;

/** How long an agreement lasts, at a caption of its own: `Initial term: 36 months`. */
function captionedTerm(layout: Layout): ExtractedValue | null {
  for (const line of layout.lines.slice(0, 300)) {
    const { below, right } = neighboursOf(layout, line);
    const caption = line.text.length > 60 ? null : termCaption.exec(line.text);
    // In a narrow cell a caption takes two lines.
    const isParted =
      below !== null && /^(?:term|period):?$/iu.test(below.text) && termCaption.test(`${line.text} ${below.text}`);
    if (!caption && !isParted) continue;
    const behind = isParted ? '' : line.text.slice(caption![0].length);
    const stated = behind === '' ? right && { line: right, text: right.text } : { line, text: behind };
    const place = stated && {
      ...stated,
      text: stated.text.replace(/^(?:an? |the )?(?:fixed |initial )?(?:term|period)(?: certain)? of /iu, ''),
    };
    const match = place && captionedDuration.exec(place.text);
    const rest = place && match ? place.text.slice(match[0].length) : '';
    const isOnly = rest.length <= 20 || /^,? (?:from|commencing|starting|beginning|after)(?!\p{L})/iu.test(rest);
    if (!place || !match || match.index > 0 || !isOnly) continue;
    const start = place.line.text.length - place.text.length;
    return composedValue(durationOf(match), 80, [{ line: place.line, start, end: start + match[0].length }]);
  }
  return null;
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
/** An agreement, or what it obliges to, that ends on an anniversary of its date. */
const untilAnniversary = new RegExp(
  `(?:this (?:letter )?(?:agreement|nda|lease|contract)|obligations?|term)(?!\\p{L})[^.;]{0,200}?(?:terminat|expire|continue|end|remain|in effect)[^.;]{0,120}?(${ordinals.join('|')})(?: ?\\([^)]{1,6}\\))? anniversary(?: date)? (?:of (?:the|this)|hereof)`,
  'iu',
);
/** What outlasts an agreement says little of how long that lasts. */
const surviving = /surviv/i;
const otherAim = /non-?compet|compete|solicit|hire|standstill|acquire|employment|severance/iu;

const lasting =
  /(?:this (?:letter )?agreement|obligations?|confidentiality|restrictions|provisions|covenants|duties)[^.;]{0,160}(?:terminat|expire|remain in|continue|survive|cease|in effect|in force|for a period|for a term|lapse|last for)|(?:terminat|expire)[^.;]{0,80}(?:this (?:letter )?agreement|obligations)|term of this agreement (?:shall|is|will)/iu;
const otherTerm =
  /non-?compet|compete|solicit|hire|employ|engage in any business|severance|salary|standstill|acquire|invoice|notice|days? (?:prior|after|before|of)|within/iu;
const duration =
  /(?<!\p{L})(one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|eighteen|twenty[- ](?:four|five)|twenty|thirty[- ]six|thirty|\d{1,3})(?: ?\((?:(\d{1,3})|\p{L}+(?:[- ]\p{L}+)?)\))?[- ](years?|months?)/iu;
const spelledDuration = duration.source;
/** At a caption of its own, a term may also be of weeks or days. */
const captionedDuration = new RegExp(spelledDuration.replace('months?', 'months?|weeks?|days?'), 'iu');
/** Clauses that state the term of the agreement itself. */
const agreementTerms: readonly RegExp[] = [
  `(?:initial )?term of (?:this|the) (?:letter )?(?:agreement|lease|contract|nda|license)(?: \\([^)]{1,40}\\))? (?:shall be|will be|is)(?: for)?(?: a| the)?(?: period| term)?(?: of)? (${spelledDuration})`,
  `(?:initial|lease) term(?: \\([^)]{1,40}\\))? (?:shall be|will be|is|of)(?: for)?(?: a| the)?(?: period| term)?(?: of)? (${spelledDuration})`,
  `this (?:letter )?agreement(?: and[^.;]{0,60})?(?:,[^.;]{0,80},)? ?(?:begins[^.;]{0,50})?(?:shall|will) (?:automatically )?(?:terminate|expire|continue|remain|be effective|be in effect)[^.;]{0,110}? (?:for |after |until |on |at |effect,? )?(?:a |the )?(?:period |term |end )?(?:of )?(${spelledDuration})[- ](?:from|after|following|anniversary|commencing|beginning)`,
  // What a clause's heading names, its first words state: `2. Term. Thirty-six (36) months, commencing …`.
  `(?<!\\p{L})(?:term|duration) ?[.:–—-] ?(?:a (?:period|term) of )?(${spelledDuration})(?! (?:prior|written|notice))`,
  `(?:licen[cs]e|lease|right|agreement) (?:is|shall be) granted for a (?:period|term) of (${spelledDuration})`,
  `(?:shall|will) continue for a (?:period|term) of (${spelledDuration}),? (?:which term|unless)`,
  `(?:agreement|engagement|lease|contract|memorandum|licen[cs]e|tenancy|MSA|SOW|NDA) (?:(?:shall|will) (?:commence|begin|start|become effective)|commences|begins|starts|takes effect)[^.;]{0,90}? and(?:,? unless[^.;]{0,80},)? (?:(?:shall|will) )?(?:continues?|remains?)(?: in (?:full )?(?:force|effect)(?: and effect)?)? for (?:an? )?(?:initial )?(?:(?:period|term) of )?(${spelledDuration})`,
].map((source) => new RegExp(source, 'iu'));
/** Where no clause says it at length, how long it lasts from the day on which it begins. */
const termsFromDay: readonly RegExp[] = [
  `from [^.;]{0,20}(?:19|20)\\d{2},? for (?:an?|the) (?:(?:initial|fixed) )?(?:period|term) of (${spelledDuration})`,
  // What the parties promise each other, from its own day on: `The undertakings will continue in force for 3 years from …`.
  `(?:undertakings?|obligations?)[^.;]{0,60} (?:will|shall) (?:continue|remain)[^.;]{0,40}? for (?:an? )?(?:period of )?(${spelledDuration}) from the (?:effective )?date (?:of|hereof)`,
  `(?:expires?|terminates?|continues? for) (${spelledDuration}) (?:from|after|following) (?:the )?effective date`,
  `for (?:an?|the) (?:term|period) of (${spelledDuration}) ?,? (?:(?:such|said|the) term )?(?:to (?:commence|begin|start)|commencing|beginning|starting) (?:on|from)`,
  `(?:(?:fixed|initial|lease|tenancy|licen[cs]e) term|(?:licen[cs]e|tenancy|lease)[^.;]{0,30} for a term) of (${spelledDuration}),? (?:from|commencing|beginning|starting)`,
].map((source) => new RegExp(source, 'iu'));

/** `two (2) years` as `2 years`. */
function durationOf([, word, digits, unit]: RegExpExecArray): string {
  const count = Number(digits ?? numberOfWords(word!) ?? word);
  return `${count} ${unit!.toLowerCase().replace(/s$/, '')}${count === 1 ? '' : 's'}`;
}

function firstMatch(prose: Prose, patterns: readonly RegExp[], confidence: number): ExtractedValue | null {
  for (const pattern of patterns) {
    const match = pattern.exec(prose.text);
    const text = match?.slice(1).find((group) => group !== undefined);
    if (!match || text === undefined) continue;
    const start = match.index + match[0].lastIndexOf(text);
    return composedValue(text.replace(/\s+/g, ' ').trim(), confidence, prose.stretchesOf(start, start + text.length));
  }
  return null;
}
