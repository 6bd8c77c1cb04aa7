import type { ExtractedValue, JsonValue, TextLine } from '../document.ts';
import type { ComposedFields, Findings } from './compose.ts';
import { isPersonName, letterHeight } from './names.ts';
import { keyOf, type Section, sectionsOf } from './sections.ts';
import { candidateValue, composedValue, type Stretch } from './value.ts';

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
  const named = layout.lines
    .filter((line) => line.page === 1)
    .slice(0, 40)
    .filter((line) => isPersonName(line.text));
  const name = named.sort((a, b) => letterHeight(b) - letterHeight(a) || a.box.y0 - b.box.y0)[0];
  const first = (kind: 'email' | 'phone' | 'address', least: number) =>
    candidates
      .filter((candidate) => candidate.kind === kind && candidate.quality >= least)
      .sort((a, b) => a.page - b.page || (kind === 'email' ? 0 : b.quality - a.quality) || a.box.y0 - b.box.y0)[0];
  const email = first('email', 0);
  const phone = first('phone', 0.35);
  const address = first('address', 0.4);
  return {
    name: name ? composedValue(name.text, 84, [{ line: name }]) : null,
    email: email ? candidateValue(email, 92) : null,
    phone: phone ? candidateValue(phone, 86) : null,
    address: address ? candidateValue(address, 76) : null,
    summary: summaryOf(under('summary')),
    skills: listOf(under('skills')),
    languages: listOf(under('languages')),
    experience: entriesOf(under('experience')),
    education: entriesOf(under('education')),
  };
}

const bullet = /^[\s•·▪●○◦‣*–—-]+\s*/u;

function stretchesOf(section: Section): { stretch: Stretch; text: string; line: TextLine }[] {
  return [
    ...(section.rest
      ? [
          {
            stretch: { line: section.heading, start: section.rest.start },
            text: section.rest.text,
            line: section.heading,
          },
        ]
      : []),
    ...section.lines.map((line) => ({ stretch: { line }, text: line.text, line })),
  ];
}

function summaryOf(sections: readonly Section[]): ExtractedValue | null {
  const parts = sections.slice(0, 1).flatMap(stretchesOf).slice(0, 30);
  const text = parts
    .map((part) => part.text)
    .join(' ')
    .trim();
  return text === ''
    ? null
    : composedValue(
        text,
        76,
        parts.map(({ stretch }) => stretch),
      );
}

/** Entries set one a line, or several a line between commas, bullets and bars. */
function listOf(sections: readonly Section[]): ExtractedValue | null {
  const parts = sections.flatMap(stretchesOf);
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
  return distinct.length === 0
    ? null
    : composedValue(
        distinct,
        76,
        parts.map(({ stretch }) => stretch),
      );
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
  String.raw`(?<!\d)(?:(?:since|seit|depuis|desde|dal|from|sinds) )?${day}\s*(?:[-–—]|to|bis|until|à|a|al|até|tot|t/m)\s*(?:${day}|present|now|current|today|heute|aujourd['’]hui|actualidad|presente|oggi|attuale|heden|atualmente|jetzt|actual)(?!\d)|(?:since|seit|depuis|desde|sinds) ${day}`,
  'iu',
);
const loneYear = /(?<!\d)(?:19|20)\d{2}(?!\d)/;

interface Entry {
  period: string | null;
  heads: string[];
  details: string[];
}

/** Positions or studies, each begun by a line with a period. */
function entriesOf(sections: readonly Section[]): ExtractedValue | null {
  const parts = sections.flatMap(stretchesOf).slice(0, 400);
  if (parts.length === 0) return null;
  const dated = parts.some(({ text }) => period.test(text));
  const pattern = dated ? period : loneYear;
  const entries: Entry[] = [];
  let pendingHead: string | null = null;
  parts.forEach(({ text, line }, index) => {
    const bulleted = bullet.test(text);
    const match = bulleted ? null : pattern.exec(text);
    if (match) {
      const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
        .replace(/[\s,|()–—:-]+$/u, '')
        .replace(/^[\s,|()–—:-]+/u, '')
        .replace(/\s{2,}/g, ' ');
      const entry: Entry = { period: match[0].replace(/\s+/g, ' '), heads: rest === '' ? [] : [rest], details: [] };
      // The position may stand above its period, or left of it on a line of its own.
      if (pendingHead !== null) {
        entry.heads.unshift(pendingHead);
        const before = entries.at(-1);
        if (before) {
          const from =
            before.details.at(-1) === pendingHead
              ? before.details
              : before.heads.at(-1) === pendingHead
                ? before.heads
                : null;
          from?.pop();
        }
      }
      entries.push(entry);
      pendingHead = null;
      return;
    }
    const entry = entries.at(-1);
    const next = parts[index + 1];
    const announces =
      next !== undefined &&
      !bulleted &&
      pattern.test(next.text) &&
      !bullet.test(next.text) &&
      next.text.replace(pattern, '').replace(/\W/g, '').length < 4 &&
      (line.words[0]?.bold ?? true);
    pendingHead = announces ? text : null;
    if (!entry) {
      if (!announces) entries.push({ period: null, heads: [text], details: [] });
      return;
    }
    const isHead =
      !bulleted && entry.details.length === 0 && entry.heads.length < 2 && text.length < 90 && !/[.!]$/.test(text);
    if (isHead) entry.heads.push(text);
    else entry.details.push(text.replace(bullet, ''));
  });
  const values = entries.map(entryValue).filter((value) => Object.keys(value).length > 0);
  return values.length === 0
    ? null
    : composedValue(
        values,
        dated ? 70 : 55,
        parts.map(({ stretch }) => stretch),
      );
}

function entryValue({ period: own, heads, details }: Entry): { [key: string]: JsonValue } {
  const value: { [key: string]: JsonValue } = {};
  const [first, second] = heads.length === 1 ? splitHead(heads[0]!) : heads;
  if (first) value.title = first;
  if (second) value.organization = second;
  if (own) value.period = own;
  if (details.length > 0) value.description = details.join(' ');
  return value;
}

/** `Engineer, Northgate Ltd` and `Engineer at Northgate Ltd`. */
function splitHead(text: string): [string, string | undefined] {
  const match = /^(.{3,70}?)(?:\s+[|–—-]\s+|, | at | bei | chez | en | presso | bij )(.{2,})$/u.exec(text);
  return match ? [match[1]!, match[2]!] : [text, undefined];
}
