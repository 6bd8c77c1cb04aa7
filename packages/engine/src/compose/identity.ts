import { parse, states } from 'mrz';
import { countryOf } from '../candidates/country.ts';
import { findDates, foldText, resolveDate } from '../candidates/date.ts';
import { findZones, type ZoneFinding } from '../candidates/zone.ts';
import type { ExtractedValue, Layout, Locale } from '../document.ts';
import type { DocumentType } from '../types/definition.ts';
import { bestAddress } from './address.ts';
import { type CaptionedText, partOf, textsAtCaption } from './captioned.ts';
import type { ComposedFields, Findings } from './compose.ts';
import { candidateValue, composedValue, type Stretch } from './value.ts';

/** Passports, identity cards and driving licences: the machine-readable zone first, the visual zone by its captions. */
export function composeIdentity({ type, layout, locale, candidates }: Findings): ComposedFields {
  const visual = readVisualZone(type, layout, locale);
  const zone = findZones(layout.lines).sort((a, b) => Number(b.valid) - Number(a.valid))[0];
  const address = addressOf(type, layout, candidates);
  if (!zone) return { ...visual, address };
  const machine = readMachineZone(zone);
  const fields: Record<string, ExtractedValue | null> = { ...visual, address, ...machine };
  for (const [name, read] of Object.entries(machine)) {
    const seen = visual[name];
    if (seen && read) fields[name] = agreed(read, seen);
  }
  return fields;
}

/**
 * One value from the machine-readable zone and the same from the visual zone. Where they agree, each proves the other,
 * and the visual one has the accents that the zone's letters lack.
 */
function agreed(machine: ExtractedValue, visual: ExtractedValue): ExtractedValue {
  const compared = ({ value }: ExtractedValue) => foldText(String(value)).replace(/[^a-z0-9]/g, '');
  if (compared(machine) !== compared(visual)) return machine;
  return {
    ...visual,
    confidence: Math.max(machine.confidence, 96),
    provenance: [...visual.provenance, ...machine.provenance],
    flags: [...new Set([...machine.flags, 'readings_agree' as const])],
  };
}

const zoneFields: Readonly<Record<string, readonly [field: string, checkDigit: string | null]>> = {
  documentNumber: ['document_number', 'documentNumberCheckDigit'],
  lastName: ['surname', null],
  firstName: ['given_names', null],
  nationality: ['nationality', null],
  issuingState: ['issuing_country', null],
  birthDate: ['date_of_birth', 'birthDateCheckDigit'],
  sex: ['sex', null],
  expirationDate: ['expiry_date', 'expirationDateCheckDigit'],
  personalNumber: ['personal_number', 'personalNumberCheckDigit'],
};

function readMachineZone(zone: ZoneFinding): ComposedFields {
  const stretches = zone.lines.map((line): Stretch => ({ line }));
  const fields: Record<string, ExtractedValue | null> = {
    mrz: composedValue(zone.value, zone.valid ? 97 : 60, stretches, [
      zone.valid ? 'check_digit_holds' : 'check_digit_fails',
    ]),
  };
  const parsed = parse(zone.value.split('\n'), { autocorrect: true });
  const details = new Map(parsed.details.map((detail) => [detail.field as string, detail]));
  for (const [source, [name, checkDigit]] of Object.entries(zoneFields)) {
    const detail = details.get(source);
    const value = detail?.value ? zoneValue(name, detail.value) : null;
    if (!detail || value === null) continue;
    const proven = checkDigit !== null && (details.get(checkDigit)?.valid ?? false);
    const failed = checkDigit !== null && details.get(checkDigit)?.valid === false;
    const confidence = proven ? 97 : failed ? 55 : zone.valid ? 89 : 75;
    const corrected = detail.autocorrect.length > 0 ? (['corrected'] as const) : [];
    fields[name] = composedValue(value, confidence, stretches, [
      ...(proven ? (['check_digit_holds'] as const) : failed ? (['check_digit_fails'] as const) : []),
      ...corrected,
    ]);
  }
  // The optional data of a card is a number of its own in some countries alone.
  const optional = details.get('optional1')?.value ?? details.get('optional')?.value;
  if (!fields.personal_number && optional && /^[A-Z\d]{6,}$/.test(optional))
    fields.personal_number = composedValue(optional, 70, stretches);
  return fields;
}

function zoneValue(field: string, value: string): string | null {
  switch (field) {
    case 'date_of_birth':
    case 'expiry_date':
      return zoneDate(value, field === 'expiry_date');
    case 'nationality':
    case 'issuing_country':
      return countryOfCode(value);
    case 'sex':
      return { male: 'M', female: 'F', nonspecified: 'X', unspecified: 'X', M: 'M', F: 'F' }[value] ?? null;
    default:
      return value.trim() === '' ? null : value;
  }
}

/** A zone's YYMMDD. Births lie in the past hundred years; a document is valid for some decades at most. */
function zoneDate(value: string, future: boolean): string | null {
  const match = /^(\d\d)(\d\d)(\d\d)$/.exec(value);
  if (!match) return null;
  const year = Number(match[1]);
  const thisYear = new Date().getUTCFullYear() % 100;
  const century = future ? (year < 80 ? 2000 : 1900) : year <= thisYear ? 2000 : 1900;
  return `${century + year}-${match[2]}-${match[3]}`;
}

const countryNames: ReadonlyMap<string, string> = new Map(Object.entries(states));

/** ISO 3166-1 alpha-2 for a zone's code: alpha-3, or D for Germany. */
function countryOfCode(code: string): string | null {
  const letters = code.replaceAll('<', '').toUpperCase();
  if (letters === 'D') return 'DE';
  if (/^GB[DNOPS]$/.test(letters)) return 'GB';
  const name = countryNames.get(letters);
  return name ? countryOf(name.replace(/ \(.*\)$/, '')) : null;
}

/** Adjectives by which documents state a nationality; countries' names are known already. */
const adjectives: Readonly<Record<string, string>> = {
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
  suisse: 'CH',
  svizzera: 'CH',
};

type Accept = (text: CaptionedText) => { readonly value: string; readonly start: number; readonly end: number } | null;

function readVisualZone(type: DocumentType, layout: Layout, locale: Locale): ComposedFields {
  const fields: Record<string, ExtractedValue | null> = {};
  const accepts: Readonly<Record<string, Accept>> = {
    document_number: identifierIn,
    personal_number: identifierIn,
    surname: nameIn,
    given_names: nameIn,
    place_of_birth: nameIn,
    issuing_authority: authorityIn,
    nationality: countryIn,
    issuing_country: countryIn,
    date_of_birth: dateIn(locale),
    issue_date: dateIn(locale),
    expiry_date: dateIn(locale),
    sex: sexIn,
    vehicle_classes: classesIn,
    restrictions: shortIn,
    endorsements: shortIn,
  };
  const taken: Required<Stretch>[] = [];
  for (const [name, accept] of Object.entries(accepts)) {
    if (!type.fields.some((field) => field.name === name)) continue;
    for (const text of textsAtCaption(type, name, layout)) {
      const found = accept(text);
      if (!found) continue;
      const stretch = partOf(text, found.start, found.end);
      if (taken.some((other) => other.line === stretch.line && other.start < stretch.end && stretch.start < other.end))
        continue;
      taken.push(stretch);
      fields[name] = composedValue(found.value, Math.round(60 + 27 * Math.min(1, text.score)), [stretch]);
      break;
    }
  }
  return fields;
}

const identifierIn: Accept = ({ text }) => {
  const match =
    /(?<![\p{L}\d])(?=[A-Z\d<-]*\d)[A-Z\d](?:[A-Z\d-]*[A-Z\d])?(?: (?=[A-Z\d-]*\d)[A-Z\d-]+){0,3}(?![\p{L}\d])/u.exec(
      text,
    );
  if (!match || match[0].replace(/\D/g, '').length < 3 || /^\d{1,2}[./-]\d/.test(match[0])) return null;
  return { value: match[0], start: match.index, end: match.index + match[0].length };
};

const nameIn: Accept = ({ text }) => {
  const match = /^[^\p{L}]*(\p{Lu}[\p{L}.'’ -]*)/u.exec(text);
  const value = match?.[1]?.trim();
  if (!match || !value || value.length < 2 || /<<|\d/.test(text.slice(0, match[0].length))) return null;
  const start = match[0].length - match[1]!.length;
  return { value, start, end: start + value.length };
};

const authorityIn: Accept = ({ text }) => {
  const value = text.trim();
  if (value.length < 3 || !/\p{L}{3}/u.test(value) || /<</.test(value)) return null;
  return { value, start: 0, end: text.length };
};

const countryIn: Accept = ({ text }) => {
  const trimmed = text.trim();
  const first = trimmed.split(/[\s/]+/)[0] ?? '';
  const value = countryOf(trimmed) ?? countryOfCode(first) ?? adjectives[foldText(first)] ?? countryOf(first);
  return value === null || value === undefined ? null : { value, start: 0, end: text.length };
};

const dateIn =
  (locale: Locale): Accept =>
  ({ text }) => {
    const finding = findDates(text)[0] ?? findDates(withPlainMonths(text))[0];
    if (!finding) return null;
    return { value: resolveDate(finding, locale).value, start: finding.start, end: Math.min(text.length, finding.end) };
  };

/** Dates of passports name the month in two languages, `14 JAN/JAN 85`, or leave blanks between the numbers. */
function withPlainMonths(text: string): string {
  return text.replace(/(\p{L}{3,9})\s?\/\s?\p{L}{3,9}\.?/gu, '$1').replace(/^\D*(\d{2}) (\d{2}) (\d{4})/, '$1.$2.$3');
}

const sexIn: Accept = ({ text }) => {
  const match = /(?<!\p{L})(M|F|X|W|V|MALE|FEMALE|m[äa]nnlich|weiblich|masculin|f[ée]minin|man|vrouw)(?!\p{L})/iu.exec(
    text,
  );
  if (!match) return null;
  const letter = foldText(match[0])[0]!;
  const value =
    match[0].length > 1
      ? /^(?:male|mannlich|masculin|man)$/.test(foldText(match[0]))
        ? 'M'
        : 'F'
      : ({ w: 'F', v: 'F' }[letter] ?? letter.toUpperCase());
  return { value, start: match.index, end: match.index + match[0].length };
};

const classesIn: Accept = ({ text }) => {
  const match = /^[^\p{L}\d]*((?:[A-Z]{1,2}\d?E?)(?:[\s,/]+(?:[A-Z]{1,2}\d?E?))*)(?![\p{L}\d])/u.exec(text);
  if (!match) return null;
  const start = match[0].length - match[1]!.length;
  return { value: match[1]!.split(/[\s,/]+/).join(', '), start, end: match[0].length };
};

const shortIn: Accept = ({ text }) => {
  const match = /^[^\p{L}\d]*([A-Z\d][A-Z\d/, ]{0,30})(?![a-z])/u.exec(text);
  const value = match?.[1]?.trim();
  if (!match || !value) return null;
  const start = match[0].length - match[1]!.length;
  return { value, start, end: start + value.length };
};

/** The holder's address: the address nearest to its caption, or the only one on a card. */
function addressOf(type: DocumentType, layout: Layout, candidates: Findings['candidates']): ExtractedValue | null {
  if (!type.fields.some(({ name }) => name === 'address')) return null;
  const captioned = textsAtCaption(type, 'address', layout);
  const nearness = (candidate: Findings['candidates'][number]) => {
    let nearest = 4;
    for (const { stretch, score } of captioned) {
      if (stretch.line.page !== candidate.page) continue;
      const height = stretch.line.box.y1 - stretch.line.box.y0;
      const away =
        Math.abs(candidate.box.y0 - stretch.line.box.y0) + Math.abs(candidate.box.x0 - stretch.line.box.x0) / 4;
      nearest = Math.min(nearest, away / height + 1 - score);
    }
    return 1 - nearest / 2;
  };
  const best = bestAddress(candidates, 0.8, nearness);
  if (!best) return null;
  const value = candidateValue(best.candidate, best.score > 2 ? 78 : 62);
  // Licences number their fields; 8 is the address.
  return { ...value, value: String(value.value).replace(/^8[.]?\s+(?=[\p{Lu}\d])/u, '') };
}
