import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { foldText } from '../candidates/date.ts';
import { neighboursOf } from '../layout/neighbours.ts';
import type { ComposedFields, Findings } from './compose.ts';
import { hasGivenName } from './given-names.ts';
import { isOrganizationName, isPersonName, letterHeight, withoutTitles } from './names.ts';
import { composedValue, type Stretch } from './value.ts';

/** A document's text as one string, with a way back to the lines. */
interface Prose {
  readonly text: string;
  stretchesOf(start: number, end: number): Stretch[];
}

const proseLimit = 200_000;

function proseOf(layout: Layout): Prose {
  let text = '';
  const starts: { readonly at: number; readonly line: TextLine }[] = [];
  for (const line of layout.lines) {
    if (text.length > proseLimit) break;
    starts.push({ at: text.length, line });
    text += `${line.text} `;
  }
  return {
    text,
    stretchesOf: (start, end) =>
      starts.flatMap(({ at, line }): Stretch[] => {
        const from = Math.max(start, at);
        const to = Math.min(end, at + line.text.length);
        return from < to ? [{ line, start: from - at, end: to - at }] : [];
      }),
  };
}

/** A contract: its title, parties, term, governing law and signatories, from its prose. */
export function composeContract({ layout }: Findings): ComposedFields {
  const prose = proseOf(layout);
  return {
    title: titleOf(layout),
    parties: partiesOf(layout, prose),
    term: termOf(prose),
    governing_law: governingLawOf(prose),
    effective_date: statedDateOf(prose),
    signatories: signatoriesOf(layout),
  };
}

const contractWord =
  /agreement|contract|lease|deed|addendum|amendment|terms|vertrag|vereinbarung|contrat|convention|bail|accord|contrato|acuerdo|convenio|contratto|accordo|convenzione|acordo|overeenkomst|contract|licen[sc]e|memorandum|policy/i;

/** The title: the line at the top that names a kind of contract, or whose letters are the largest. */
function titleOf(layout: Layout): ExtractedValue | null {
  const first = layout.document.pages[0];
  if (!first) return null;
  const head = layout.lines.filter(
    (line) =>
      line.page === first.number &&
      line.box.y0 < first.height * 0.45 &&
      line.text.length <= 120 &&
      /\p{L}{3}/u.test(line.text),
  );
  const heights = layout.lines.map(letterHeight).sort((a, b) => a - b);
  const usual = heights[heights.length >> 1] ?? 1;
  let best: { line: TextLine; score: number } | null = null;
  head.forEach((line, index) => {
    const capitals = line.text === line.text.toUpperCase() ? 0.6 : 0;
    const middle = Math.abs((line.box.x0 + line.box.x1) / 2 - first.width / 2) < first.width * 0.06 ? 0.4 : 0;
    const sentence = line.words.length > 10 || /[.;,]$/.test(line.text) ? 1.5 : 0;
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
  return composedValue(found.line.text, Math.round(Math.min(86, 50 + found.score * 12)), [{ line: found.line }]);
}

/** A name that a party has further on: `(the "Client")`, `ci-après dénommée « le Client »`, `nachfolgend "Auftraggeber"`. */
const definedTerm =
  /[(,]?\s*(?:\((?:the|hereinafter|herein|collectively|each|["“”'‘])|(?:hereinafter|herein(?:after)? referred to as|nachfolgend|nachstehend|im folgenden|ci-après|en adelante|in seguito|di seguito|adiante|doravante|hierna(?: te noemen)?)\b)/giu;
const opening =
  /(?:by and between|between|zwischen|entre les soussignés\s*:?|entre|reunidos\s*:?\s*de una parte,?|de una parte,?|y de otra(?: parte)?,?|tra|fra|de ondergetekenden\s*:?|tussen|and|und|et|y|e|en)\s*[:(]?\s*(?:\d+[.)]\s*)?$/iu;

function partiesOf(layout: Layout, prose: Prose): ExtractedValue | null {
  const head = prose.text.slice(0, 6000);
  const found: { readonly name: string; readonly start: number; readonly end: number }[] = [];
  const add = (start: number, end: number) => {
    const raw = prose.text.slice(start, end);
    const lead = /^(?:logo|gentlemen:|[\s,:;"“”«»„(\d.)-])*/iu.exec(raw)![0].length;
    const name = raw.slice(lead).replace(/[\s,:;"“”«»(-]+$/u, '');
    if (
      /agreement|contract|vertrag|^(?:whereas|employee|company|employer|recipient|discloser)$|^whereas/i.test(name) ||
      name.length < 3 ||
      name.length > 90 ||
      !/^\p{Lu}|^\d/u.test(name) ||
      isClause(name)
    )
      return;
    const letters = (other: string) => foldText(other).replace(/[^\p{L}\p{N}]/gu, '');
    const isKnown = found.some(
      (other) => letters(other.name).includes(letters(name)) || letters(name).includes(letters(other.name)),
    );
    if (!isKnown) found.push({ name, start: start + lead, end: start + lead + name.length });
  };
  // The text before a defined term begins with the party's name, up to its seat.
  for (const match of head.matchAll(definedTerm)) {
    const before = head.slice(Math.max(0, match.index - 420), match.index);
    const clause = before.slice(
      Math.max(before.lastIndexOf('“'), before.lastIndexOf('"'), before.lastIndexOf('»'), before.lastIndexOf(') '), 0),
    );
    const starts = [
      ...clause.matchAll(
        /\b(?:by and between|between|zwischen|soussignés\s*:?|entre|parte,?|tra|fra|ondergetekenden\s*:?|tussen|and|und|et|y|e|en)\s+(?=["“]?\p{Lu})/giu,
      ),
    ];
    const options = starts.toReversed().flatMap((start) => {
      const from = match.index - clause.length + start.index + start[0].length;
      const name = nameAt(head, from, match.index);
      return name ? [{ from, name }] : [];
    });
    const named = ({ name }: { name: string }) =>
      isOrganizationName(name) !== null || (isPersonName(name) && hasGivenName(name));
    // Without a legal form, the name stands right behind `between` or `and`, the seat behind it.
    const chosen = options.find(named) ?? options.at(-1);
    const words = chosen?.name.split(' ').length ?? 0;
    if (chosen && words <= 8 && (words > 1 || named(chosen))) add(chosen.from, chosen.from + chosen.name.length);
    if (options.length > 0) continue;
    // The name alone stands before its defined term: `Jane Doe ("Employee")`.
    const alone = /(?<![\p{L}])(\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’&-]*){1,4}),? *$/u.exec(clause);
    if (alone && named({ name: alone[1]! })) {
      const from = match.index - clause.length + alone.index;
      add(from, from + alone[1]!.length);
    }
  }
  if (found.length < 2) {
    for (const line of layout.lines.slice(0, 80)) {
      const behind =
        /^(?:party [ab12]|client|provider|seller|buyer|landlord|tenant|employer|employee|licensor|licensee|auftraggeber|auftragnehmer|vermieter|mieter|käufer|verkäufer|lessor|lessee|disclosing party|receiving party)\s*:\s*(.{3,80})$/iu.exec(
          line.text,
        );
      const at = prose.text.indexOf(line.text);
      if (behind && at >= 0) add(at + line.text.length - behind[1]!.length, at + line.text.length);
    }
  }
  if (found.length < 2) {
    for (const match of head.matchAll(
      /(?:\p{Lu}[\p{L}&.'’-]*,? ){1,6}?(?:GmbH(?: & Co\. KG)?|AG|KG|Inc\.?|LLC|Ltd\.?|Limited|Corp\.?|Corporation|S\.?A\.?R?L?\.?|SAS|S\.?L\.?|S\.?r\.?l\.?|S\.?p\.?A\.?|B\.?V\.?|N\.?V\.?|Lda\.?)(?![\p{L}])/gu,
    )) {
      if (found.length >= 4) break;
      if (opening.test(head.slice(Math.max(0, match.index - 40), match.index)) || found.length < 2)
        add(match.index, match.index + match[0].length);
    }
  }
  if (found.length < 2) {
    // Who signs stands above the line for the signature.
    for (const line of layout.lines.slice(-60)) {
      const signs = /^(?:by|name|signature|unterschrift|firma|nom|nombre|nome|naam)\s*:/i.test(line.text);
      const { above } = signs ? neighboursOf(layout, line) : { above: null };
      const at = above ? prose.text.lastIndexOf(above.text) : -1;
      if (
        above &&
        at >= 0 &&
        above.words.length <= 7 &&
        !/[:_]|^(?:signature|unterschrift|firma|assinatura|handtekening|date|datum)$/i.test(above.text) &&
        !hasGivenName(above.text)
      )
        add(at, at + above.text.length);
    }
  }
  if (found.length === 0) return null;
  return composedValue(
    found.map(({ name }) => name),
    found.length >= 2 ? 80 : 55,
    found.flatMap(({ start, end }) => prose.stretchesOf(start, end)),
  );
}

/** Words that a clause has and no name: headings, acts and verbs. */
function isClause(name: string): boolean {
  return (
    /:|[a-z]{3}\. \p{Lu}\p{Ll}{2}/u.test(name) ||
    /^(?:section|article|regulations?|exchange|securities act|witness|exhibit|schedule|proprietary|confidential|licensed|remedies|restated|amended|plan|board)(?!\p{L})/iu.test(
      name,
    ) ||
    /(?<!\p{L})(?:hereby|herein|shall|will|acknowledges?|agrees?|considering|attached|whereas|witnesseth|pursuant|december|january)(?!\p{L})/iu.test(
      name,
    )
  );
}

/** The name that begins at a place: up to the comma or word that opens the seat, or the end. */
function nameAt(text: string, from: number, to: number): string | null {
  const stretch = text.slice(from, to);
  const match =
    /^(.{3,90}?)(?:,? (?:having|with|whose|a (?:company|corporation|limited|delaware|\p{L}+ corporation)|an? \p{L}+|located|residing|of|mit sitz|vertreten|wohnhaft|dont|société|ayant|représentée?|immatriculée?|con (?:domicilio|sede)|provist[ao]|com sede|residente|gevestigd|kantoorhoudende|wonende|geschäftsansässig)\b|, (?=[\p{L}\d])|\s*[(]|,?\s*$)/iu.exec(
      stretch,
    );
  if (!match) return null;
  let name = match[1]!;
  // `Northgate, Inc.` and `Müller GmbH & Co. KG` go on over their comma.
  const form = /^, (?:Inc\.?|LLC|Ltd\.?|L\.P\.|LLP|S\.A\.|Corp\.?)/.exec(stretch.slice(name.length));
  if (form) name += form[0];
  return name.trim();
}

const termPatterns: readonly RegExp[] = [
  /(?:(?:initial )?term (?:of this agreement )?(?:shall be|is|of)|for a (?:period|term) of|(?:duration|period) of)\s+(?:approximately )?((?:\p{L}+ )?\(?\d{1,3}\)? ?(?:calendar )?(?:years?|months?|weeks?|days?)|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|eighteen|twenty[- ]four|thirty[- ]six|thirty|sixty|ninety)(?: \(\d+\))?[- ](?:calendar )?(?:years?|months?|days?))/iu,
  /(?:laufzeit|vertragsdauer|dauer)(?: des vertrag(?:e?s))?(?: von| beträgt| :)?:?\s+((?:\d{1,3}|ein|einem|eine|zwei|drei|vier|fünf|zehn|zwölf|vierundzwanzig) ?(?:jahr(?:e[ns]?)?|monat(?:e[ns]?)?|wochen))/iu,
  /(?:durée|période)(?: déterminée| initiale)?(?: du contrat)?(?: est)?(?: fixée à)? (?:de )?((?:\d{1,3}|une?|deux|trois|quatre|cinq|dix|douze|vingt-quatre)(?: \(\d+\))? ?(?:ans?|années?|mois|semaines))/iu,
  /(?:duración|plazo|vigencia)(?: del contrato)?(?: será)? (?:de )((?:\d{1,3}|una?|un|dos|tres|cuatro|cinco|diez|doce|veinticuatro)(?: \(\d+\))? ?(?:años?|meses|mes|semanas))/iu,
  /(?:durata)(?: del contratto)?(?: è)? (?:di |pari a )((?:\d{1,3}|uno?|un|due|tre|quattro|cinque|dieci|dodici|ventiquattro)(?: \(\p{L}+\))? ?(?:anni|anno|mesi|mese|settimane))/iu,
  /(?:duração|prazo|vigência)(?: do contrato)? (?:de )((?:\d{1,3}|uma?|um|dois|duas|três|quatro|cinco|dez|doze|vinte e quatro)(?: \(\p{L}+\))? ?(?:anos?|meses|mês|semanas))/iu,
  /(?:looptijd|duur|periode)(?: van de overeenkomst)?(?: bedraagt| is)? (?:van )?((?:\d{1,3}|een|één|twee|drie|vier|vijf|tien|twaalf|vierentwintig)(?: \(\d+\))? ?(?:jaar|jaren|maanden|maand|weken))/iu,
];

const lawPatterns: readonly RegExp[] = [
  /(?:governed by|construed (?:and (?:enforced|interpreted) )?(?:in accordance with|under)|subject to|interpreted (?:in accordance with|under))(?: and (?:construed|interpreted|enforced) (?:in accordance with|under))?,? the (?:internal |substantive )?laws? of (?:the )?((?:State|Commonwealth|Province|Republic|Kingdom) of \p{Lu}[\p{L}]+(?: \p{Lu}[\p{L}]+)?|\p{Lu}[\p{L}]+(?: (?:and|of|the|\p{Lu}[\p{L}]+))*)/u,
  /(?:es gilt|gilt|findet|unterliegt|anwendung findet)(?: ausschließlich)?(?: das| dem)? (?:recht (?:der |des )?((?:Bundesrepublik |Republik |Schweizerischen )?\p{L}{4,})|((?:deutsch|österreichisch|schweizerisch)e[sm]? Recht))/iu,
  /(?:soumis(?:e)?|régi(?:e)?|gouverné)(?: exclusivement)? (?:au|par le|par la|à la) (?:droit|loi) (\p{Ll}\p{L}+)/iu,
  /(?:regirá|rige|regido|regirán|sujeto)(?: e interpretará)? (?:por|a|según) (?:la|el|las) (?:ley(?:es)?|legislación|derecho) (?:de )?(\p{L}+)/iu,
  /(?:regolato|disciplinato|retto|soggetto)(?: e interpretato)? (?:dalla|dal|alla|secondo la) (?:legge|diritto) (\p{L}+)/iu,
  /(?:rege-se|regido|reger-se-á|sujeito)(?: e interpretado)? (?:pela|à|pelo) (?:lei|legislação|direito) (\p{L}+)/iu,
  /(?:is|zijn)(?: uitsluitend)? (?:het )?(Nederlands|Belgisch)e? recht van toepassing|beheerst door (?:het )?(Nederlands|Belgisch)e? recht/iu,
];

function governingLawOf(prose: Prose): ExtractedValue | null {
  const value = firstMatch(prose, lawPatterns, 82) ?? jurisdictionOf(prose);
  if (!value || typeof value.value !== 'string') return value;
  const text = value.value.replace(/ (?:and|of|the|without|excluding|applicable|as)$/i, '');
  return { ...value, value: text === text.toUpperCase() ? titleCase(text) : text };
}

const states =
  'Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming|Ontario|Quebec|British Columbia|Alberta|England and Wales|England|Scotland|Ireland|Israel|Bermuda|Singapore|Hong Kong|Japan|India|Canada|Australia|Switzerland|Germany|France';
const jurisdictionPatterns: readonly RegExp[] = [
  new RegExp(`laws? (?:and \\w+ )?of (?:the )?((?:(?:state|commonwealth|province) of )?(?:${states}))(?!\\p{L})`, 'iu'),
  new RegExp(
    `(?:governed by|construed under|in accordance with|under) (?:the )?(?:internal )?(${states})(?: state)? laws?(?!\\p{L})`,
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
  `(?:dated|date[d]?:|made|entered(?: into)?|effective|executed|agreement)(?: and entered(?: into)?)?[^.;]{0,60}?(?:as of|on|this|effective|dated)? *(?:the |this )?(?:(\\d{1,2})(?:st|nd|rd|th)? day of (${months}),? ?(?:of )?((?:19|20)\\d{2})|(${months}) (\\d{1,2})(?:st|nd|rd|th)?,? ((?:19|20)\\d{2}))`,
  'iu',
);
const lineDate = new RegExp(`(?<!\\p{L})(${months}) (\\d{1,2})(?:st|nd|rd|th)?,? ?((?:19|20)\\d{2})`, 'iu');
/** A contract says its date in its first sentences, a letter above its salutation. */
const headLength = 1_800;

/** The date as of which an English contract is made. */
function statedDateOf(prose: Prose): ExtractedValue | null {
  const head = prose.text.slice(0, headLength);
  const match = statedDate.exec(head);
  const isoOf = (year: string, month: string, day: string) =>
    `${year}-${String(months.split('|').indexOf(month.toLowerCase()) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (match) {
    const [all, day, month, year, otherMonth, otherDay, otherYear] = match;
    const value = day ? isoOf(year!, month!, day) : isoOf(otherYear!, otherMonth!, otherDay!);
    const end = match.index + all.length;
    return composedValue(value, 84, prose.stretchesOf(end - 24, end));
  }
  const salutation = /(?:ladies and gentlemen|dear |gentlemen:)/i.exec(head)?.index ?? -1;
  const above = salutation > 0 ? lineDate.exec(head.slice(0, salutation)) : null;
  if (!above) return null;
  return composedValue(
    isoOf(above[3]!, above[1]!, above[2]!),
    78,
    prose.stretchesOf(above.index, above.index + above[0].length),
  );
}

/** How long the agreement or its obligations last; not how long somebody stays away from a competitor. */
function termOf(prose: Prose): ExtractedValue | null {
  for (const sentence of prose.text.matchAll(/[^.;]{20,900}[.;]/gu)) {
    const [text] = sentence;
    if (!lasting.test(text) || otherTerm.test(text)) continue;
    const match = duration.exec(text);
    if (!match) continue;
    const start = sentence.index + match.index;
    return composedValue(durationOf(match), 74, prose.stretchesOf(start, start + match[0].length));
  }
  return firstMatch(prose, termPatterns.slice(1), 78);
}

const lasting =
  /(?:this (?:letter )?agreement|obligations?|confidentiality|restrictions|provisions|covenants|duties)[^.;]{0,160}(?:terminat|expire|remain in|continue|survive|cease|in effect|in force|for a period|for a term|lapse|last for)|(?:terminat|expire)[^.;]{0,80}(?:this (?:letter )?agreement|obligations)|term of this agreement (?:shall|is|will)/iu;
const otherTerm =
  /non-?compet|compete|solicit|hire|employ|engage in any business|severance|salary|standstill|acquire|invoice|notice|days? (?:prior|after|before|of)|within/iu;
const duration =
  /(?<!\p{L})(one|two|three|four|five|six|seven|eight|nine|ten|twelve|eighteen|twenty[- ]four|thirty[- ]six|\d{1,3})(?: ?\((\d{1,3})\))?[- ](years?|months?)/iu;
const durationWords: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  eighteen: 18,
  'twenty four': 24,
  'thirty six': 36,
};

/** `two (2) years` as `2 years`. */
function durationOf([, word, digits, unit]: RegExpExecArray): string {
  const count = Number(digits ?? durationWords[word!.toLowerCase().replace('-', ' ')] ?? word);
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

/** Names behind `Name:` or `By:`, or below a line for signatures, in the last part of the document. */
function signatoriesOf(layout: Layout): ExtractedValue | null {
  const tail = layout.lines.slice(-Math.max(30, Math.ceil(layout.lines.length / 3)));
  const names: string[] = [];
  const stretches: Stretch[] = [];
  const add = (text: string, stretch: Stretch) => {
    const name = withoutTitles(text.replace(/[_.\s]+$/, ''));
    if (!isPersonName(name) || names.includes(name)) return;
    names.push(name);
    stretches.push(stretch);
  };
  for (const line of tail) {
    for (const match of line.text.matchAll(
      /(?:^|\s)(?:(?:printed |print )?name|by|signed by|nom|nombre|nome|naam|namens|signed|unterzeichnet|name in druckbuchstaben)\s*[:.]\s*(?:\/s\/ ?)?([^:_|]{3,40}?)(?=$|\s{2,}|\s+(?:(?:printed |print )?name|by|nom|nombre|nome|naam|title|date)\s*:)/giu,
    )) {
      const start = match.index + match[0].length - match[1]!.length;
      add(match[1]!, { line, start, end: start + match[1]!.length });
    }
  }
  return names.length === 0 ? null : composedValue(names, 78, stretches);
}
