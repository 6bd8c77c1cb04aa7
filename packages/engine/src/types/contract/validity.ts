import type { ExtractedValue, Layout, Locale, TextLine } from '@millrace/document-model';
import { findDates, resolveDate } from '../../candidates/date.ts';
import { unmarked } from '../../candidates/unmarked.ts';
import type { Prose } from '../../compose/prose.ts';
import { composedValue } from '../../compose/value.ts';
import { neighboursOf } from '../../layout/neighbours.ts';

/** Clauses on how long a contract holds stand in its first pages; later ones are schedules. */
const searchedLength = 20_000;
/** What may stand between a verb and its day. */
const prepositions = `(?:[\\s:☐☑☒✓✔-]|\\((?:date|(?:check|select|choose) one)\\)|date(?= of )|(?<!\\p{L})(?:on|as|of|from|at|the|and|including|inclusive|with|upon|am|ab|dem|mit|ablauf|des|vom|zum|den|le|du|au|el|d[ií]a|il|dal|del|op|per|de|desde|em|no|ao|in|full|force|effect|midnight|noon|\\d{1,2}(?:[:.]\\d{2})? ?(?:[ap]\\.?m\\.?|hours|uhr|o['’]?clock))(?!\\p{L}))*`;
/** What says that a contract begins on the day behind it. */
const beginning = unmarked(
  new RegExp(
    `(?<!\\p{L})(?:begin(?:s|ning)?|commenc(?:e|es|ing)|start(?:s|ing)?|take(?:s)? effect|(?:becomes?|is|be) effective|(?:com(?:e|es|ing)|enter(?:s|ing)?) into (?:force|effect)|with effect|(?:months?|years?|term|period|services),?(?: \\([^)]{1,30}\\))? from|(?:ann[io]|mes[ie]|ans|mois|años?|meses|anos?|jahren?|monaten?)(?: \\d{1,2}(?: ?\\([^)]{1,20}\\))?)?,? (?:dal|du|desde|del|vom|ab)|(?:durata|duración|vigencia|durée|duração|vigência|laufzeit),? (?:dal|del|du|desde|de|vom)|durée déterminée|zeitraum|befristet|beginnt|läuft|tritt|mit wirkung|prend(?:ra)? effet|entre(?:ra)? en vigueur|débute(?:ra)?|commence(?:ra)?|à (?:compter|partir)|a contar|a partir|comenzará|iniciándose(?: la relación laboral)?(?: en fecha)?|entrará en vigor|se iniciará|con efectos|(?:tem|terá|com) início|inicia-se|produz(?:irá)? efeitos|(?:a )?decorre(?:re|rà)?|decorrenza|ingaande|vanaf|met ingang|vangt aan)(?!\\p{L})${prepositions}$`,
    'iu',
  ),
);
/** What says that a contract ends on the day behind it. */
const ending = unmarked(
  new RegExp(
    `(?<!\\p{L})(?:ends?|ending|expir(?:e|es|ing)|terminat(?:e|es|ing)|until|up to|through|endet|bis|se terminera|se termine|prend(?:ra)? fin|expirera|jusqu['’]|finaliza(?:rá)?|termina(?:rá|ndo)?|cessa(?:rá|ndo)?|(?:com|tem|terá) (?:o )?(?:seu )?termo|caduca(?:rá|ndo)?|até|hasta|scad(?:e|rà)|terminerà|cess(?:a|erà)|fino|eindigt(?: van rechtswege)?|tot(?: en met)?)(?!\\p{L})${prepositions}$`,
    'iu',
  ),
);
/** What joins the first day to the last one. */
const joining = unmarked(
  new RegExp(
    `^[\\s,(]*(?:\\([^)]{0,60}\\)[\\s,]*)?(?:(?:and|und|et|y|e|en) )?(?:(?:(?:it )?(?:shall|will) )?(?:continu(?:e|es|ing)|remain|run)[^.;\\d]{0,40} )?(?:to|through|till|until|(?:shall |will )?(?:end|expire|terminate)s?|ending|expiring|bis|endet|jusqu['’]au|au|se terminera|se termine|prend(?:ra)? fin|(?:com )?(?:o )?(?:seu )?termo|hasta|finaliza(?:rá)?|fino|al|tot(?: en met)?|[-–])${prepositions}$`,
    'iu',
  ),
);
const contractWord = unmarked(
  /agreement|(?<!re)lease|tenanc|(?<!\p{L})terms?(?!\p{L})|letting|licen[cs]e|contract|employment|engagement|services|subscription|(?<!\p{L})deed|vertrag|verhältnis|laufzeit|contrat|(?<!\p{L})bail(?!\p{L})|location|durée|arrendamiento|duración|plazo|locazione|durata|assunzione|overeenkomst|(?<!\p{L})huur/iu,
);
/** What else has a first and a last day: payments, what is earned over time, notices, earlier agreements. */
const otherMatter = unmarked(
  /instal|payable|payments?(?!\p{L})|interest|vest|bonus|salary|deposit|notice|scheduled|prior (?:to|agreement)|previous|amended|fiscal|year ended|probezeit|zahl|kündig|pago|paiement|échéance|trimestr|warranty|insurance|non-?compet|solicit|offer/iu,
);
/** What gives a day its name: `June 15, 2027 (the “Maturity Date”)`. */
const namedBeginning =
  /^,? ?\((?:the |such date,? the )?["“”'„«]{1,2}(?:commencement|start|effective|service start) date/iu;
const namedEnd =
  /^,? ?\((?:the |such date,? the )?["“”'„«]{1,2}(?:(?:initial )?(?:expiration|expiry|termination|maturity|end)) date/iu;

/** A definition of the day behind it: `Commencement Date: 1 April 2023`, `“Start Date” means 2 May 2022`. */
const definedBeginning =
  /(?<!\p{L})(?:(?:service |initial )?(?:commencement|start) date|effective date)["“”'’»]{0,2} ?(?::|means|shall mean|(?:shall|will) be|is) ?(?:the )?$/iu;

const definedEnd =
  /(?<!\p{L})(?:(?:scheduled )?(?:maturity|expiration|expiry|termination|end) date)["“”'’»]{1,2} ?(?::|means|shall mean|shall be|is) ?(?:the )?$/iu;

interface Day {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** What numbers a clause: `A.`, `1)`. */
const numbering = '(?:(?:[a-h]|\\d{1,2}(?:\\.\\d{1,2})?)[.)] ?)?';
const contractKind =
  '(?:contract|lease|tenancy|letting|(?:initial )?term|subscription|order|services?|licen[cs]e|agreement|employment)';
const beginningCaption = unmarked(
  new RegExp(
    `^${numbering}(?:date of commencement|${contractKind} (?:start|commencement|begin) date|(?:start|commencement|beginning) (?:date )?of (?:the )?${contractKind}|commencement(?: date)?|start(?:ing)? date|(?:miet|vertrags)beginn|beginn(?: des \\p{L}+)?|date (?:de début|de prise d['’]effet|d['’]effet)(?: du (?:contrat|bail))?|fecha de (?:inicio|comienzo)|data de início|decorrenza|ingangsdatum)(?: \\([^)]{1,30}\\))?\\*?\\s*(?::\\s*|$)`,
    'iu',
  ),
);
const endCaption = unmarked(
  new RegExp(
    `^${numbering}(?:completion date|date of (?:expiry|expiration|termination)|${contractKind} (?:end|expiry|expiration|termination) date|(?:end|expiry) (?:date )?of (?:the )?${contractKind}|(?:expiry|expiration|end(?:ing)?|maturity) date|(?:miet|vertrags)ende|date de fin(?: du (?:contrat|bail))?|date d['’]échéance|fecha de (?:fin|finalización|vencimiento)|data de (?:fim|termo)|scadenza|einddatum)(?: \\([^)]{1,30}\\))?\\*?\\s*(?::\\s*|$)`,
    'iu',
  ),
);
/** The lines at a contract's head in which its particulars are captioned. */
const captionedLines = 150;

/** The day behind, beside or below a caption that names it. */
function captionedDay(layout: Layout, prose: Prose, caption: RegExp, dayAt: (at: number) => Day | null): Day | null {
  for (const line of layout.lines.slice(0, captionedLines)) {
    const { right, below } = neighboursOf(layout, line);
    const found = caption.exec(line.text)?.[0];
    // In a narrow cell a caption takes two lines.
    const isParted = found === undefined && below !== null && caption.test(`${line.text} ${below.text}`);
    const beside = isParted ? (right ?? neighboursOf(layout, below).right) : null;
    const besideAt = beside ? prose.startOf(beside) : undefined;
    const besideDay = besideAt === undefined ? null : dayAt(besideAt);
    if (besideDay) return besideDay;
    if (found === undefined) continue;
    const isAlone = found.length === line.text.length;
    const places: readonly (TextLine | null)[] = isAlone ? [right, right ? null : below] : [line];
    for (const place of places) {
      const start = place ? prose.startOf(place) : undefined;
      const day = start === undefined ? null : dayAt(start + (isAlone ? 0 : found.length));
      if (day) return day;
    }
  }
  return null;
}

/** The first and the last day of a contract, where a caption, a clause on its term, or a name given to a day states them. */
export function validityOf(
  layout: Layout,
  prose: Prose,
  locale: Locale,
): { readonly effective_date: ExtractedValue | null; readonly end_date: ExtractedValue | null } {
  const text = prose.text.slice(0, searchedLength);
  const dayAt = (at: number): Day | null => {
    const finding = findDates(text.slice(at, at + 40))[0];
    if (!finding || finding.start > 0) return null;
    return { value: resolveDate(finding, locale).value, start: at, end: at + finding.end };
  };
  let first = captionedDay(layout, prose, beginningCaption, dayAt);
  let last = captionedDay(layout, prose, endCaption, dayAt);
  const days = first && last ? [] : daysOf(text, locale);
  const [begun] = first ? [] : days.filter(({ start }) => isStated(text, start, beginning));
  first ??=
    begun ?? days.find(({ start }) => definedBeginning.test(text.slice(Math.max(0, start - 60), start))) ?? null;
  const next = begun && days[days.indexOf(begun) + 1];
  if (next && joining.test(text.slice(begun.end, next.start).slice(0, joinedLength))) last ??= next;
  last ??= days.find(({ start }) => isStated(text, start, ending)) ?? null;
  first ??= days.find(({ end }) => namedBeginning.test(text.slice(end, end + 60))) ?? null;
  last ??= days.find(({ start }) => definedEnd.test(text.slice(Math.max(0, start - 60), start))) ?? null;
  last ??= days.find(({ end }) => namedEnd.test(text.slice(end, end + 60))) ?? null;
  const stated = (day: Day | null) =>
    day && composedValue(day.value, confidence, prose.stretchesOf(day.start, day.end));
  return {
    effective_date: stated(first),
    end_date: last && first && last.value <= first.value ? null : stated(last),
  };
}

/** A clause that states the day is surer than what the scorer takes from the words around the day of the signature. */
const confidence = 96;

/** What may be a day's year, or a day in figures alone. */
const yearOrFigures = /(?<!\d)(?:(?:19|20)\d{2}(?!\d)|\d{1,2}[./-]\d{1,2}[./-]\d{2})/g;
const mostDays = 80;
const joinedLength = 110;

/** The days of a text in their order. */
function daysOf(text: string, locale: Locale): readonly Day[] {
  const days: Day[] = [];
  for (const { index } of text.matchAll(yearOrFigures)) {
    if (days.length >= mostDays) break;
    const from = Math.max(days.at(-1)?.end ?? 0, index - 32);
    if (index < from) continue;
    const finding = findDates(text.slice(from, index + 12)).find(({ end }) => from + end > index);
    if (!finding) continue;
    const { value } = resolveDate(finding, locale);
    days.push({ value, start: from + finding.start, end: from + finding.end });
  }
  return days;
}

const verbLength = 80;

/** Whether the words before a day say that the contract begins or ends on it. */
function isStated(text: string, start: number, verb: RegExp): boolean {
  const at = verb.exec(text.slice(Math.max(0, start - verbLength), start))?.index;
  return at !== undefined && isOfContract(text, Math.max(0, start - verbLength) + at);
}

/** A clause's heading, which the prose joins to its first sentence: `§ 3 Laufzeit und Kündigung`. */
const headingOfTerm =
  /(?<!\p{L})(?:laufzeit|vertragsdauer|dauer|term|duration)(?:,| und| and| \/) (?:k[üu]ndigung|termination)(?!\p{L})/giu;

/** Whether the sentence up to a verb speaks of the contract, and of nothing else that begins and ends. */
function isOfContract(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 220), at);
  const sentence = before
    .split(/[.;](?=\s)/)
    .at(-1)!
    .replace(headingOfTerm, ' ');
  return contractWord.test(`${sentence}${text.slice(at, at + 20)}`) && !otherMatter.test(sentence.slice(-110));
}
