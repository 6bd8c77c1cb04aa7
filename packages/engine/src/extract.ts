import type { Extraction, ReadDocument } from '@millrace/document-model';
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
import type { FurtherReading } from './read/passes.ts';
import type { Reader } from './read/reader.ts';
import type { DoubtfulPlace } from './read/settled.ts';
import { scoreFields } from './score/score.ts';
import type { Models } from './score/weights.ts';
import { applyLearned } from './supplier-memory/learned.ts';
import { learnedCaptions } from './supplier-memory/learned-captions.ts';
import { documentTypeNamed } from './types/registry.ts';
import { composeFields, rulesOf } from './types/rules.ts';
import { type CalibrationWeights, calibrateFields, shippedCalibration } from './validate/calibration.ts';
import { markedLanguageOf, unmarkedPlaces, withMarks } from './validate/letter-marks.ts';
import { unconfirmedPlaces, withoutLoneWords } from './validate/lone-words.ts';
import { doubtedOnPoorPictures } from './validate/poor-pictures.ts';
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
  const document = await reader.read(file, options.limits);
  const embedded = options.ignoreEmbedded ? null : readEmbeddedInvoice(document.attachments);
  if (!embedded && document.pages.every((page) => page.words.length === 0)) {
    throw new EngineError(
      'empty_document',
      'No text was found on any page. Send a sharper scan, or a document with text.',
    );
  }
  const docType = options.docType === 'detect' && embedded ? embedded.docType : options.docType;
  if (embedded) {
    const { extraction } = extractFromWords(document, { ...options, docType });
    return { extraction: mergeEmbedded(embedded, extraction, options, document), document };
  }
  return await extractFromReadings(document, options, (places, how) => reader.readAgain(file, document, places, how));
}

/**
 * The document with a further reading of some places, then with the next one's as well; see {@link Reader.readAgain}.
 */
export type ReadAgain = (places: readonly DoubtfulPlace[], how: FurtherReading) => Promise<readonly ReadDocument[]>;

/**
 * What a document without data of its own says by its first reading, and by further ones where that leaves doubts.
 *
 * @returns the extraction, and the document with the readings that it was taken from.
 */
export async function extractFromReadings(
  first: ReadDocument,
  options: ExtractFromWordsOptions,
  readAgain: ReadAgain,
): Promise<{ readonly extraction: Extraction; readonly document: ReadDocument }> {
  let { extraction, doubtful } = extractFromWords(first, options);
  const language = markedLanguageOf(extraction);
  const type = documentTypeNamed(extraction.docType, options.ownTypes);
  const unmarked = language ? unmarkedPlaces(type, extraction.fields) : [];
  const complete = (read: ReadDocument) =>
    withoutLoneWords(type, language ? withMarks(extraction, read) : extraction, read);
  if (!doubtful) {
    const unconfirmed = unconfirmedPlaces(type, extraction, first);
    const places = [...unmarked, ...unconfirmed];
    const passes = unconfirmed.length > 0 ? 2 : 1;
    const again = places.length > 0 ? await readAgain(places, { language, passes, onlyDoubts: true }) : [];
    return { extraction: again.length > 0 ? complete(again.at(-1)!) : extraction, document: first };
  }
  let document = first;
  for (const other of await readAgain([...doubtfulPlaces(extraction), ...unmarked], { language, passes: 2 })) {
    document = other;
    ({ extraction, doubtful } = extractFromWords(document, options));
    if (!doubtful) break;
  }
  return { extraction: complete(document), document };
}

/** Below this confidence another reading of its place could better a value. */
const sureConfidence = 80;

function doubtfulPlaces({ fields, lines, items = [] }: Extraction): readonly DoubtfulPlace[] {
  return [...Object.values(fields), ...[...lines, ...items].flatMap((row) => Object.values(row))]
    .filter(({ confidence }) => confidence < sureConfidence)
    .flatMap(({ provenance }) => provenance);
}

export type ExtractFromWordsOptions = Pick<ExtractOptions, 'docType' | 'fields' | 'ownTypes' | 'senders'> & {
  /** Used for scoring instead of those in the package. */
  readonly models?: Models;
  /** Used instead of that in the package; null for none. */
  readonly calibration?: CalibrationWeights | null;
};

/** The stages after reading: what the document says, and whether another reading of its pages could improve it. */
export function extractFromWords(
  document: ReadDocument,
  options: ExtractFromWordsOptions,
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
    ? doubtedOnPoorPictures(calibrateFields(type, extraction.fields, calibration, learned.taught), document)
    : extraction.fields;
  return { extraction: learned.complete({ ...extraction, fields }), doubtful };
}
