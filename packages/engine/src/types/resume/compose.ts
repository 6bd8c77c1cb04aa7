import type { Candidate, ExtractedValue, JsonValue, TextLine } from '@millrace/document-model';
import { addressWithinLine, bestAddress } from '../../compose/address.ts';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { hasGivenName } from '../../compose/given-names.ts';
import { isOrganizationName, isPersonName, letterHeight } from '../../compose/names.ts';
import { keyOf, type Section, sectionsOf, sectionTexts } from '../../compose/sections.ts';
import { candidateValue, composedValue, type Stretch } from '../../compose/value.ts';

/** Headings of sections that are no field of ours but end the one before them. */
const otherHeadings = new Set(
  [
    'references',
    'interests',
    'hobbies',
    'certifications',
    'certificates',
    'projects',
    'publications',
    'awards',
    'honors',
    'activities',
    'volunteer',
    'volunteering',
    'contact',
    'personal details',
    'personal information',
    'achievements',
    'courses',
    'training',
    'referenzen',
    'interessen',
    'zertifikate',
    'kontakt',
    'persönliche daten',
    'projekte',
    'weiterbildung',
    "centres d'intérêt",
    'loisirs',
    'références',
    'certificats',
    'projets',
    'coordonnées',
    'intereses',
    'referencias',
    'certificados',
    'proyectos',
    'contacto',
    'datos personales',
    'interessi',
    'referenze',
    'certificazioni',
    'contatti',
    'progetti',
    'dati personali',
    'interesses',
    'referências',
    'certificações',
    'contactos',
    'referenties',
    'certificaten',
    "hobby's",
    'persoonlijke gegevens',
    'contactgegevens',
    'projecten',
  ].map(keyOf),
);

const fields = ['summary', 'skills', 'education', 'experience', 'languages'];

/** A resume: the person's name and contact at its top, and the sections by their headings. */
export function composeResume({ type, layout, candidates }: Findings): ComposedFields {
  const sections = sectionsOf(type, fields, layout, otherHeadings);
  const under = (field: string) => sections.filter((section) => section.field === field);
  const name = nameOf(layout.lines.filter((line) => line.page === 1).slice(0, 40));
  const first = (kind: 'email' | 'phone', least: number) =>
    candidates
      .filter((candidate) => candidate.kind === kind && candidate.quality >= least)
      .sort((a, b) => a.page - b.page || (kind === 'email' ? 0 : b.quality - a.quality) || a.box.y0 - b.box.y0)[0];
  const email = first('email', 0);
  const phone = first('phone', 0.35);
  const onFirstPage = ({ page, box }: Candidate) => (page === 1 ? 0 : -2) - box.y0 / 4000;
  const address = bestAddress(candidates, 0.8, onFirstPage);
  const within = addressWithinLine(layout.lines.slice(0, 15));
  return {
    name,
    email: email ? candidateValue(email, 89) : null,
    phone: phone ? candidateValue(phone, 86) : null,
    address:
      within && (!address || within.score > address.score)
        ? composedValue(within.text, 72, [within])
        : address && candidateValue(address.candidate, 76),
    summary: summaryOf(under('summary')),
    skills: listOf(under('skills')),
    languages: listOf(under('languages')),
    experience: entriesOf(under('experience')),
    education: entriesOf(under('education')),
  };
}

/** The name in the largest letters; given name and surname may stand on lines of their own. */
function nameOf(lines: readonly TextLine[]): ExtractedValue | null {
  const bySize = (a: TextLine, b: TextLine) => letterHeight(b) - letterHeight(a) || a.box.y0 - b.box.y0;
  const name = lines.filter((line) => isPersonName(line.text)).sort(bySize)[0];
  const single = lines.filter((line) => line.words.length === 1 && /^\p{Lu}[\p{L}'’-]+$/u.test(line.text)).sort(bySize);
  const [first, second] = single.slice(0, 2).sort((a, b) => a.box.y0 - b.box.y0);
  if (first && second && (!name || letterHeight(first) > 1.3 * letterHeight(name))) {
    const joined = `${first.text} ${second.text}`;
    const stacked =
      second.box.y0 - first.box.y1 < letterHeight(first) &&
      Math.abs(first.box.x0 - second.box.x0) < letterHeight(first);
    if (stacked && isPersonName(joined)) return composedValue(joined, 78, [{ line: first }, { line: second }]);
  }
  if (!name) return null;
  const end = name.text.length - (credentials.exec(name.text)?.[0].length ?? 0);
  const text = name.text.slice(0, end);
  return composedValue(text, hasGivenName(text) ? 84 : 70, [{ line: name, start: 0, end }]);
}

/** Degrees and licences behind a name: `Jane Doe, BSN, RN`. */
const credentials = /(?<=\p{L} [\p{L}'’-]+)(?:, ?(?:\p{Lu}{2,5}|(?:\p{Lu}\p{Ll}?\.){2,3}|PhD|MSc|BSc|MEd))+$/u;

const bullet = /^[\s•·▪●○◦‣*–—-]+\s*/u;

function summaryOf(sections: readonly Section[]): ExtractedValue | null {
  const parts = sections.slice(0, 1).flatMap(sectionTexts).slice(0, 30);
  const text = parts
    .map((part) => part.text)
    .join(' ')
    .trim();
  return text === '' ? null : composedValue(text, 76, placesOf(parts));
}

function placesOf(parts: ReturnType<typeof sectionTexts>): Stretch[] {
  return parts.flatMap(({ stretches }) => stretches);
}

/** Entries set one a line, or several a line between commas, bullets and bars. */
function listOf(sections: readonly Section[]): ExtractedValue | null {
  const parts = sections.flatMap(sectionTexts);
  const items: string[] = [];
  let carried = '';
  for (const { text } of parts) {
    const fresh = bullet.test(text) || carried === '';
    // A line that ends with a comma goes on.
    const joined = fresh ? text : `${carried} ${text}`;
    if (fresh && carried !== '') items.push(...split(carried));
    carried = joined;
    if (!/[,;]\s*$/.test(text)) {
      items.push(...split(carried));
      carried = '';
    }
  }
  if (carried !== '') items.push(...split(carried));
  const distinct = [...new Set(items)];
  return distinct.length === 0 ? null : composedValue(distinct, 76, placesOf(parts));
}

function split(text: string): string[] {
  const bare = text.replace(bullet, '').replace(/^[\p{L} /&]{3,30}:\s+(?=\S)/u, '');
  const parts = /[|•·;]/.test(bare) ? bare.split(/\s*[|•·;]\s*/u) : bare.split(/,\s+(?![^(]*\))/u);
  return parts
    .map((part) => part.trim().replace(/[.,;]$/, ''))
    .filter((part) => /[\p{L}\d]/u.test(part) && part.length <= 120);
}

const month = String.raw`(?:\p{L}{3,9}\.? |\d{1,2}[./])?`;
const day = String.raw`(?:${month}(?:19|20)\d{2})`;
/** `2015 – 2019`, `03/2015 - heute`, `June 2018 – Present`, `since 2020`. */
const period = new RegExp(
  String.raw`(?<!\d)(?:(?:since|seit|depuis|desde|dal|from|sinds) )?${day}\s*(?:[-–—]|to|bis|until|à|a|al|até|tot|t/m)\s*(?:${day}|presente|present|now|current|today|heute|aujourd['’]hui|actualidad|oggi|attuale|heden|atualmente|jetzt|actual)(?![\p{L}\d])|(?:since|seit|depuis|desde|sinds) ${day}`,
  'iu',
);
const loneYear = /(?<!\d)(?:19|20)\d{2}(?!\d)/;

interface Entry {
  period: string | null;
  heads: string[];
  details: string[];
}

/** Positions or studies, each begun by a row with a period. */
function entriesOf(sections: readonly Section[]): ExtractedValue | null {
  const parts = sections.flatMap(sectionTexts).slice(0, 400);
  if (parts.length === 0) return null;
  const dated = parts.some(({ text }) => period.test(text));
  const pattern = dated ? period : loneYear;
  const begins = parts.map(({ text }) => !bullet.test(text) && pattern.test(text));
  const entries: Entry[] = [];
  parts.forEach(({ text, stretches }, index) => {
    if (begins[index]) {
      const match = pattern.exec(text)!;
      const entry: Entry = { period: match[0].replace(/\s+/g, ' '), heads: headsOf(text, match), details: [] };
      // A period alone on its row belongs to the position above it, where that begins an entry.
      const above = entry.heads.length === 0 && index > 0 && !begins[index - 1] ? parts[index - 1]! : null;
      const previous = entries.at(-1);
      if (above && isProminent(above.stretches[0]?.line) && previous?.details.at(-1) === above.text) {
        previous.details.pop();
        entry.heads.push(above.text);
      } else if (above && previous && previous.period === null && previous.heads.at(-1) === above.text) {
        entries.pop();
        entry.heads.push(...previous.heads);
      }
      entries.push(entry);
      return;
    }
    const entry = entries.at(-1);
    if (!entry) {
      entries.push({ period: null, heads: [text], details: [] });
      return;
    }
    const short = !bullet.test(text) && text.length < 90 && !/[.!]$/.test(text);
    const isOrganization = isOrganizationName(text) === 'legal_form';
    const isHead =
      entry.details.length === 0 && entry.heads.length < 2 && !bullet.test(text) && (short || isOrganization);
    if (isHead) entry.heads.push(text);
    else entry.details.push(text.replace(bullet, ''));
    if (isProminent(stretches[0]?.line) && begins[index + 1] === false && entry.period === null) entry.heads.splice(2);
  });
  const values = entries.map(entryValue).filter((value) => Object.keys(value).length > 0);
  return values.length === 0 ? null : composedValue(values, dated ? 70 : 55, placesOf(parts));
}

/** What a row says besides its period. */
function headsOf(text: string, match: RegExpExecArray): string[] {
  const trimmed = (part: string) => part.replace(/^[\s,|()–—:-]+|[\s,|(–—:-]+$/gu, '').replace(/\s{2,}/g, '  ');
  return [text.slice(0, match.index), text.slice(match.index + match[0].length)].flatMap((part) => {
    const rest = trimmed(part);
    return rest === '' ? [] : rest.split('  ');
  });
}

function isProminent(line: TextLine | undefined): boolean {
  return line?.words[0]?.bold ?? false;
}

function entryValue({ period: own, heads, details }: Entry): { [key: string]: JsonValue } {
  const value: { [key: string]: JsonValue } = {};
  // `Engineer, Northgate` / `Limited` is one head that went on to the next row.
  const wrapped =
    heads.length === 2 && heads[0]!.includes(', ') && !heads[1]!.includes(' ') ? [heads.join(' ')] : heads;
  const [first, second] = wrapped.length === 1 ? splitHead(wrapped[0]!) : wrapped;
  if (first) value.title = first;
  if (second) value.organization = second;
  if (own) value.period = own;
  if (details.length > 0) value.description = details.join(' ');
  return value;
}

/** `Engineer, Northgate Ltd` and `Engineer at Northgate Ltd`. */
function splitHead(text: string): [string, string | undefined] {
  const match = /^(.{3,70}?)(?:\s+[|–—-]\s+|, | at | bei | chez | presso | bij )(.{2,})$/u.exec(text);
  return match ? [match[1]!, match[2]!] : [text, undefined];
}
