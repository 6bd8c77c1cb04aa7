import type { JsonValue, Layout, ReadDocument, ValueKind } from '@millrace/document-model';
import type { OwnType } from '@millrace/document-model/own-type';
import { type PlacedCandidate, placed } from '../candidates/placed.ts';
import type { IngestedFile, IngestLimits } from '../ingest/ingest.ts';
import { layOut } from '../layout/layout.ts';
import { decideLocale } from '../locale/locale.ts';
import { candidatesOf } from '../own-types/candidates.ts';
import { isOcr } from '../read/passes.ts';
import type { Reader } from '../read/reader.ts';
import { comparable } from '../score/comparable.ts';
import { isScored } from '../score/field-parts.ts';
import { fieldValue } from '../score/field-value.ts';
import type { DocumentType, FieldDefinition } from '../types/definition.ts';
import { documentTypeNamed } from '../types/registry.ts';
import type { FieldLesson, Lesson } from './lesson.ts';
import { fingerprintOf, plain } from './likeness.ts';
import { ownFieldsOf } from './own-fields.ts';
import { placeOf } from './place.ts';

/** A document's values as people have confirmed them, and as they were extracted before. */
export interface Confirmed {
  readonly docType: string;
  /** The document types that the account defined. */
  readonly ownTypes?: readonly OwnType[];
  readonly fields: Readonly<Record<string, JsonValue>>;
  readonly extracted: Readonly<Record<string, JsonValue>>;
}

/** Places of one value that are kept. */
const placeLimit = 8;

/**
 * Reads a confirmed document again and finds where its values stand, by what is printed around them: what the sender's
 * next document is likely to share.
 *
 * @returns null where the document does not tell its sender.
 * @throws EngineError as the reader does.
 */
export async function teach(
  file: IngestedFile,
  confirmed: Confirmed,
  limits: Pick<IngestLimits, 'pages'>,
  reader: Reader,
): Promise<Lesson | null> {
  const read = await reader.read(file, limits);
  const lesson = lessonOf(read, confirmed);
  // A value that the first reading garbled stands in another.
  const isGarbled = lesson?.fields.some(({ isAbsent, places }) => !isAbsent && places.length === 0);
  if (!isGarbled || !read.pages.some(({ words }) => words.some(({ source }) => isOcr(source)))) return lesson;
  const again = (await reader.readAgain(file, read)).at(-1);
  return again ? lessonOf(again, confirmed) : lesson;
}

/** The same from words that were read before. */
export function lessonOf(document: ReadDocument, confirmed: Confirmed): Lesson | null {
  const type = documentTypeNamed(confirmed.docType, confirmed.ownTypes);
  const own = type.isOwn ? { name: null, taxId: null, iban: null, all: [] } : ownFieldsOf(type);
  const name = type.isOwn ? nameOfOwn(type, confirmed) : own?.name && confirmed.fields[own.name];
  if (!own || typeof name !== 'string' || plain(name).length < 2) return null;
  const layout = layOut(document);
  const candidates = Map.groupBy(candidatesOf(type, layout, decideLocale(layout)), ({ kind }) => kind);
  const numbersOf = (field: string | null) => {
    const value = field === null ? undefined : confirmed.fields[field];
    return typeof value === 'string' && plain(value).length >= 5 ? [plain(value)] : [];
  };
  const ownTexts = own.all.flatMap((field) => {
    const value = confirmed.fields[field];
    return typeof value === 'string' ? [value] : [];
  });
  return {
    docType: confirmed.docType,
    name,
    ...(type.isOwn && { byLayout: true }),
    taxIds: numbersOf(own.taxId),
    ibans: numbersOf(own.iban),
    fingerprint: fingerprintOf(layout, type.isOwn ? valueTexts(confirmed) : ownTexts),
    fields: type.fields
      .filter((field) => isScored(field) || (type.isOwn === true && field.repeated === true))
      .map((field) => fieldLesson(field, confirmed, candidates.get(field.kind) ?? [], layout, type.isOwn === true)),
    constants: Object.fromEntries(
      own.all.flatMap((field) => {
        const value = confirmed.fields[field];
        return value === undefined || value === null ? [] : [[field, value]];
      }),
    ),
  };
}

/** What documents of an account's own type are listed by: the first organization among their values, or the type. */
function nameOfOwn(type: DocumentType, { fields }: Confirmed): string {
  const issuer = type.fields.find(({ kind, name }) => kind === 'organization' && typeof fields[name] === 'string');
  const name = issuer && fields[issuer.name];
  return (typeof name === 'string' && plain(name).length >= 2 ? name : type.title).slice(0, 200);
}

/** The values of a document, which its layout does not have. */
function valueTexts({ fields }: Confirmed): readonly string[] {
  return Object.values(fields).filter((value) => typeof value === 'string');
}

function fieldLesson(
  { name, kind, repeated }: FieldDefinition,
  { docType, fields, extracted }: Confirmed,
  candidates: readonly PlacedCandidate[],
  layout: Layout,
  isOwn: boolean,
): FieldLesson {
  const valuesOf = (value: JsonValue | undefined) =>
    value === undefined || value === null ? [] : repeated && Array.isArray(value) ? value : [value];
  const keyOf = (each: JsonValue) => comparable(kind, each);
  const standing = (wanted: JsonValue) => {
    const key = keyOf(wanted);
    return [...candidates, ...(isOwn ? textPlaces(kind, wanted, layout) : [])].filter(
      (candidate) => keyOf(fieldValue(docType, name, candidate.value)) === key,
    );
  };
  const placesOf = (wanted: readonly JsonValue[]) =>
    firstOfLines(wanted.flatMap(standing), repeated === true)
      // What another reading alone has, the next document's first reading will hardly have.
      .toSorted((a, b) => Number(b.layout === layout) - Number(a.layout === layout))
      .slice(0, placeLimit)
      .map(placeOf);
  const right = valuesOf(fields[name]);
  const given = valuesOf(extracted[name]);
  const rightKeys = new Set(right.map(keyOf));
  const wrong = given.filter((each) => !rightKeys.has(keyOf(each)));
  return {
    field: name,
    places: placesOf(right),
    wrongPlaces: placesOf(wrong),
    wasRight: given.length > 0 && wrong.length === 0 && given.length >= right.length,
    isAbsent: right.length === 0,
  };
}

/** Of values listed in a line, the first alone stands at the caption: before the others stand other values. */
function firstOfLines(places: readonly PlacedCandidate[], isList: boolean): readonly PlacedCandidate[] {
  if (!isList) return places;
  return places.filter(
    ({ lines, start }) => !places.some((other) => other.lines[0] === lines[0] && other.start < start),
  );
}

/** Kinds of text that recognisers need not propose where the value stands. */
const openKinds: ReadonlySet<ValueKind> = new Set(['name', 'organization', 'identifier', 'text']);

/** Where a confirmed text of an account's own type stands as a part of a line. */
function textPlaces(kind: ValueKind, wanted: JsonValue, layout: Layout): PlacedCandidate[] {
  if (!openKinds.has(kind) || typeof wanted !== 'string' || wanted.trim().length < 2) return [];
  return layout.lines.flatMap((line) => {
    const start = line.text.indexOf(wanted);
    return start < 0 ? [] : [placed(kind, wanted, 0.5, layout, [line], start, start + wanted.length)];
  });
}
