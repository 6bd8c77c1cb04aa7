import type { Box, ExtractedValue, Extraction, ReadDocument } from '@millrace/document-model';
import type { OwnType } from '@millrace/document-model/own-type';
import { classify } from './classify/classify.ts';
import { withExactCaptions } from './compose/exact-captions.ts';
import { readEmbeddedInvoice } from './embedded/invoice.ts';
import { mergeEmbedded } from './embedded/merge.ts';
import { EngineError } from './errors.ts';
import type { ExtractOptions } from './extract-options.ts';
import { ingest } from './ingest/ingest.ts';
import { layOut } from './layout/layout.ts';
import { readRows } from './lines/rows.ts';
import { decideLocale } from './locale/locale.ts';
import { candidatesOf } from './own-types/candidates.ts';
import { detectUntrainedType } from './own-types/detect.ts';
import { placeOnDisplayedPages } from './read/displayed.ts';
import type { OcrLanguage } from './read/ocr/tesseract.ts';
import type { Reader } from './read/reader.ts';
import type { DoubtfulPlace } from './read/settled.ts';
import { scoreFields } from './score/score.ts';
import type { Models } from './score/weights.ts';
import { applyLearned } from './supplier-memory/learned.ts';
import { learnedCaptions } from './supplier-memory/learned-captions.ts';
import type { FieldDefinition } from './types/definition.ts';
import { documentTypeNamed } from './types/registry.ts';
import { composeFields, rulesOf } from './types/rules.ts';
import { type CalibrationWeights, calibrateFields, shippedCalibration } from './validate/calibration.ts';
import { validate } from './validate/validate.ts';

/**
 * Turns a file's bytes into fields, line items and confidence.
 *
 * Reads a doubtful document again with the other OCR passes, as many of them as its values need to validate.
 *
 * @throws EngineError with a code for what the caller should do.
 */
export async function extract(bytes: Uint8Array, options: ExtractOptions, reader: Reader): Promise<Extraction> {
  const { extraction, document } = await readAndExtract(bytes, options, reader);
  return placeOnDisplayedPages(extraction, document);
}

/**
 * As {@link extract}, with the words that the values were taken from; boxes are still on the pages as they were read.
 */
export async function readAndExtract(
  bytes: Uint8Array,
  options: ExtractOptions,
  reader: Reader,
): Promise<{ readonly extraction: Extraction; readonly document: ReadDocument }> {
  const file = ingest(bytes, options.limits);
  let document = await reader.read(file, options.limits);
  const embedded = options.ignoreEmbedded ? null : readEmbeddedInvoice(document.attachments);
  if (!embedded && document.pages.every((page) => page.words.length === 0)) {
    throw new EngineError(
      'empty_document',
      'No text was found on any page. Send a sharper scan, or a document with text.',
    );
  }
  const docType = options.docType === 'detect' && embedded ? embedded.docType : options.docType;
  const { fields, ownTypes = [], senders = [] } = options;
  let { extraction, doubtful } = extractFromWords(document, { docType, fields, ownTypes, senders });
  if (embedded) {
    return { extraction: mergeEmbedded(embedded, extraction, options, document), document };
  }
  const language = markedLanguages.find((each) => each === extraction.locale.language) ?? null;
  const unmarked = language ? unmarkedPlaces(extraction, ownTypes) : [];
  if (!doubtful) {
    const [again] =
      unmarked.length > 0 ? await reader.readAgain(file, document, unmarked, { language, passes: 1 }) : [];
    return { extraction: again ? withMarks(extraction, again) : extraction, document };
  }
  const doubts = [...doubtfulPlaces(extraction), ...unmarked];
  for (const other of await reader.readAgain(file, document, doubts, { language, passes: 2 })) {
    document = other;
    ({ extraction, doubtful } = extractFromWords(document, { docType, fields, ownTypes, senders }));
    if (!doubtful) break;
  }
  return { extraction: language ? withMarks(extraction, document) : extraction, document };
}

/** Languages that write many names with letters that the first pass has no signs for, and the second has. */
const markedLanguages: readonly OcrLanguage[] = ['de', 'fr', 'es', 'it', 'pt'];
const lettered: ReadonlySet<FieldDefinition['kind']> = new Set(['name', 'organization', 'address']);

/** Where names and addresses stand whose letters may have lost their marks: `Marche` for `Marché`. */
function unmarkedPlaces({ docType, fields }: Extraction, ownTypes: readonly OwnType[]): readonly DoubtfulPlace[] {
  const names = documentTypeNamed(docType, ownTypes).fields.flatMap(({ name, kind }) =>
    lettered.has(kind) ? [name] : [],
  );
  return names.flatMap((name) => {
    const value = fields[name];
    const isPlain = typeof value?.value === 'string' && !/\P{ASCII}/u.test(value.value);
    return value && isPlain ? value.provenance.filter(({ source }) => source === 'ocr:ppocr:1') : [];
  });
}

/** The extraction with its texts in the words that stand in their places with marks, and otherwise letter for letter. */
function withMarks(extraction: Extraction, { pages }: ReadDocument): Extraction {
  const fields = Object.entries(extraction.fields).map(([name, each]): [string, ExtractedValue] => {
    const { value, provenance } = each;
    if (typeof value !== 'string' || !provenance.some(({ source }) => source.startsWith('ocr:'))) return [name, each];
    const marked = new Map(
      pages.flatMap(({ number, words }) =>
        words
          .filter(({ box }) => provenance.some((place) => place.page === number && overlaps(place.box, box)))
          .flatMap(({ text }) => [...text.matchAll(letters)].map(([word]) => [withoutMarks(word), word] as const))
          .filter(([plain, word]) => plain !== word),
      ),
    );
    return [name, { ...each, value: value.replace(letters, (word) => marked.get(word) ?? word) }];
  });
  return { ...extraction, fields: Object.fromEntries(fields) };
}

const letters = /\p{L}+/gu;

function withoutMarks(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '');
}

function overlaps(a: Box, b: Box): boolean {
  return a.x0 < b.x1 && a.x1 > b.x0 && a.y0 < b.y1 && a.y1 > b.y0;
}

/** Below this confidence another reading of its place could better a value. */
const sureConfidence = 80;

function doubtfulPlaces({ fields, lines, items = [] }: Extraction): readonly DoubtfulPlace[] {
  return [...Object.values(fields), ...[...lines, ...items].flatMap((row) => Object.values(row))]
    .filter(({ confidence }) => confidence < sureConfidence)
    .flatMap(({ provenance }) => provenance);
}

/**
 * The stages after reading: what the document says, and whether another reading of its pages could improve it.
 *
 * @param options `models` are used for scoring instead of those in the package; `calibration` likewise, null for none.
 */
export function extractFromWords(
  document: ReadDocument,
  options: Pick<ExtractOptions, 'docType' | 'fields' | 'ownTypes' | 'senders'> & {
    readonly models?: Models;
    readonly calibration?: CalibrationWeights | null;
  },
): { extraction: Extraction; doubtful: boolean } {
  const layout = layOut(document);
  const { ownTypes = [], senders = [] } = options;
  const classification = detectUntrainedType(layout, classify(layout), ownTypes);
  const docType = options.docType === 'detect' ? classification.docType : options.docType;
  const type = documentTypeNamed(docType, ownTypes, learnedCaptions(docType, senders));
  const locale = decideLocale(layout);
  const candidates = candidatesOf(type, layout, locale);
  const scoredFields = scoreFields(type, candidates, layout, options.models);
  const ranked = rulesOf(type).sift?.(scoredFields) ?? scoredFields;
  const scored = withExactCaptions(type, ranked, layout, candidates);
  const composed = composeFields(type, layout, locale, candidates);
  const rows = readRows(type, layout, locale);
  const found = { type, layout, locale, classification, composed, rows, candidates, only: options.fields };
  const learned = applyLearned(scored, found, senders);
  const { doubtful, extraction } = validate({ ...found, scored: learned.scored, removed: learned.removed });
  // Of types of one's own no document was labelled: their fields keep the confidence that they are given.
  const isOwn = ownTypes.some(({ name }) => name === type.name);
  const calibration =
    options.calibration === undefined && !isOwn ? shippedCalibration() : (options.calibration ?? null);
  const fields = calibration
    ? calibrateFields(type, extraction.fields, calibration, learned.taught)
    : extraction.fields;
  return { extraction: learned.complete({ ...extraction, fields }), doubtful };
}
