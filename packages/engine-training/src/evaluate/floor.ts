import type { DocType, ExtractedFields, ExtractedValue, ReadDocument } from '@millrace/document-model';
import { proposeCandidates } from '@millrace/engine/candidates/propose';
import { layOut } from '@millrace/engine/layout/layout';
import { decideLocale } from '@millrace/engine/locale/locale';
import { featureNames, rowsFor, sceneOf } from '@millrace/engine/score/features';
import { fieldValue } from '@millrace/engine/score/field-value';
import { documentTypeOf } from '@millrace/engine/types';

/**
 * What is found without anything learned: the words are the text layer's or Tesseract's, the recognisers are the engine's,
 * and each field takes the candidate with the strongest of its captions beside or above it. What the engine does better
 * is what reading, models, blocks, rules and checks are worth.
 */
export function floorFields(document: ReadDocument, docType: DocType): ExtractedFields {
  const type = documentTypeOf(docType);
  const layout = layOut(asReadByTesseract(document));
  if (layout.lines.length === 0) return {};
  const candidates = proposeCandidates(layout, decideLocale(layout));
  const scene = sceneOf(type, candidates, layout);
  const fields = type.fields.flatMap((field, index): [string, ExtractedValue][] => {
    if (field.composed || field.kind === 'language' || field.kind === 'currency') return [];
    const { candidates: own, rows } = rowsFor(scene, type, index);
    const strengthOf = (at: number) => rows[at * featureNames.length + captionBest]!;
    const best = [...own.keys()].reduce(
      (first, at) => (first < 0 || strengthOf(at) > strengthOf(first) ? at : first),
      -1,
    );
    if (best < 0 || strengthOf(best) < captionLeast) return [];
    const value = fieldValue(type.name, field.name, own[best]!.value);
    return [[field.name, { value, confidence: 0, provenance: [], flags: [] }]];
  });
  return Object.fromEntries(fields);
}

const captionBest = featureNames.indexOf('caption_best');
/** Weaker captions are far off, or parts of others. */
const captionLeast = 0.3;

/** The words of Tesseract's pass where a page was read by it. */
function asReadByTesseract(document: ReadDocument): ReadDocument {
  const pages = document.pages.map((page) => {
    const reading = page.readings.find(({ source }) => source.startsWith('ocr:tesseract'));
    return reading ? { ...page, words: reading.words, readings: [reading] } : page;
  });
  return { ...document, pages };
}
