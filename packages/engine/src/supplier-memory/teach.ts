import type { DocType, JsonValue, Layout, ReadDocument } from '@millrace/document-model';
import type { PlacedCandidate } from '../candidates/placed.ts';
import { proposeCandidates } from '../candidates/propose.ts';
import type { IngestedFile, IngestLimits } from '../ingest/ingest.ts';
import { layOut } from '../layout/layout.ts';
import { decideLocale } from '../locale/locale.ts';
import { isOcr } from '../read/passes.ts';
import type { Reader } from '../read/reader.ts';
import { comparable } from '../score/comparable.ts';
import { isScored } from '../score/field-parts.ts';
import { fieldValue } from '../score/field-value.ts';
import type { FieldDefinition } from '../types/definition.ts';
import { documentTypeOf } from '../types/registry.ts';
import type { FieldLesson, Lesson } from './lesson.ts';
import { fingerprintOf, plain } from './likeness.ts';
import { ownFieldsOf } from './own-fields.ts';
import { placeOf } from './place.ts';

/** A document's values as people have confirmed them, and as they were extracted before. */
export interface Confirmed {
  readonly docType: DocType;
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
  const own = ownFieldsOf(confirmed.docType);
  const name = own && confirmed.fields[own.name];
  if (!own || typeof name !== 'string' || plain(name).length < 2) return null;
  const layout = layOut(document);
  const candidates = Map.groupBy(proposeCandidates(layout, decideLocale(layout)), ({ kind }) => kind);
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
    taxIds: numbersOf(own.taxId),
    ibans: numbersOf(own.iban),
    fingerprint: fingerprintOf(layout, ownTexts),
    fields: documentTypeOf(confirmed.docType)
      .fields.filter(isScored)
      .map((field) => fieldLesson(field, confirmed, candidates.get(field.kind) ?? [], layout)),
    constants: Object.fromEntries(
      own.all.flatMap((field) => {
        const value = confirmed.fields[field];
        return value === undefined || value === null ? [] : [[field, value]];
      }),
    ),
  };
}

function fieldLesson(
  { name, kind }: FieldDefinition,
  { docType, fields, extracted }: Confirmed,
  candidates: readonly PlacedCandidate[],
  layout: Layout,
): FieldLesson {
  const value = fields[name];
  const wrong = extracted[name];
  const keyOf = (each: JsonValue) => comparable(kind, each);
  const placesOf = (wanted: JsonValue) => {
    const key = keyOf(wanted);
    return (
      candidates
        .filter((candidate) => keyOf(fieldValue(docType, name, candidate.value)) === key)
        // What another reading alone has, the next document's first reading will hardly have.
        .toSorted((a, b) => Number(b.layout === layout) - Number(a.layout === layout))
        .slice(0, placeLimit)
        .map(placeOf)
    );
  };
  const isWrong = wrong !== undefined && wrong !== null && (value === undefined || keyOf(wrong) !== keyOf(value));
  return {
    field: name,
    places: value === undefined || value === null ? [] : placesOf(value),
    wrongPlaces: isWrong ? placesOf(wrong) : [],
    wasRight: wrong !== undefined && wrong !== null && !isWrong,
    isAbsent: value === undefined || value === null,
  };
}
