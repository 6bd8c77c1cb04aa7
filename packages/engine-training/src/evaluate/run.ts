import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ExtractedRow, Extraction, ReadDocument } from '@millrace/document-model';
import { createEnginePool } from '@millrace/engine';
import { readEmbeddedInvoice } from '@millrace/engine/embedded/invoice';
import { mergeEmbedded } from '@millrace/engine/embedded/merge';
import { indexPrintedWords, type PrintedWords } from '@millrace/engine/embedded/printed';
import { EngineError } from '@millrace/engine/errors';
import { extractFromReadings, extractFromWords } from '@millrace/engine/extract';
import { createReader, type Reader } from '@millrace/engine/read/reader';
import { type Models, readModels, shippedModels } from '@millrace/engine/score/weights';
import { type CalibrationWeights, shippedCalibration } from '@millrace/engine/validate/calibration';
import type { AcceptedValues, Answer, EvaluatedCase, EvaluationCase, PrintedLabels, Truth } from '../labelled/cases.ts';
import { readCached } from '../labelled/read-cached.ts';
import { calibrationsOf, type ScoredKey } from '../train/calibration.ts';
import { familyOf, foldCount, foldJudgementsPath, foldOf, foldWeightsPath } from '../train/folds.ts';
import { floorFields } from './floor.ts';

const limits = { sizeBytes: 64 * 1024 * 1024, pages: 100 };

export interface RunOptions {
  readonly workers: number;
  /** Takes the words of earlier readings from the cache and runs the later stages in this process. */
  readonly cached: boolean;
  /** Scores each document by models that have seen none of its issuer; only where `cached`. */
  readonly outOfFold: boolean;
  /** False for the confidences as they are before calibration; only where `cached`. */
  readonly calibrated?: boolean;
  /** Also asks what is found without anything learned. */
  readonly floors?: boolean;
  readonly onProgress: (done: number) => void;
}

/**
 * Extracts every case: from files through the engine's pool, as users do, from given words through the stages after
 * reading. An extraction that fails with an engine error counts as an empty answer.
 */
export async function runCases(
  cases: readonly EvaluationCase[],
  options: RunOptions,
): Promise<readonly EvaluatedCase[]> {
  const reader = createReader();
  const modelsOf = options.outOfFold ? foldModels() : shippedModels;
  const calibration = options.calibrated === false ? null : shippedCalibration();
  const extractFile = options.cached ? cachedExtractor(reader, calibration) : pooledExtractor(options.workers);
  try {
    const results = new Array<EvaluatedCase>(cases.length);
    let next = 0;
    let done = 0;
    const work = async () => {
      for (let index = next++; index < cases.length; index = next++) {
        results[index] = await runCase(
          cases[index]!,
          { extractFile: extractFile.extract, modelsOf, calibration },
          { reader, floors: options.floors ?? false },
        );
        options.onProgress(++done);
      }
    };
    await Promise.all(Array.from({ length: options.cached ? 1 : options.workers }, work));
    return results;
  } finally {
    await extractFile.close();
    await reader.close();
  }
}

/** Null for the confidences as they are before calibration. */
type Calibration = CalibrationWeights | null;

/** What answers a case. */
interface Engine {
  readonly extractFile: FileExtractor['extract'];
  readonly modelsOf: ModelsOf;
  readonly calibration: Calibration;
}

interface FileExtractor {
  /** Answers with the extraction and its duration in milliseconds. The pool scores by the package's own models. */
  readonly extract: (
    evaluation: EvaluationCase & { readonly path: string },
    models: Models,
  ) => Promise<{ extraction: Extraction; durationMs: number }>;
  readonly close: () => Promise<void>;
}

function pooledExtractor(workers: number): FileExtractor {
  const pool = createEnginePool({ workers });
  return {
    extract: async ({ path, docType, ignoreEmbedded }) => {
      const bytes = await readFile(path);
      const started = performance.now();
      const extraction = await pool.extract(bytes, { docType, fields: null, ignoreEmbedded, limits });
      return { extraction, durationMs: performance.now() - started };
    },
    close: () => pool.close(),
  };
}

/** The models that score a document, by its key and truth. */
type ModelsOf = (key: string, truth: Truth) => Models;

/** Models that know nothing of a document's issuer: trained on the other folds, calibrated by all other issuers. */
function foldModels(): ModelsOf {
  const folds = Array.from({ length: foldCount }, (_, fold) => readModels(foldWeightsPath(fold)));
  const scored: readonly ScoredKey[] = JSON.parse(readFileSync(foldJudgementsPath, 'utf8'));
  const byFamily = new Map<string, Models>();
  return (key, truth) => {
    const family = familyOf(key, truth.fields);
    const known = byFamily.get(family);
    if (known) return known;
    const others = scored.map((model) => ({
      key: model.key,
      judgements: model.judgements.filter((judgement) => judgement.family !== family),
    }));
    const calibrations = calibrationsOf(others);
    const models = new Map(
      [...folds[foldOf(family)]!].map(([name, model]) => [name, { ...model, calibration: calibrations.get(name)! }]),
    );
    byFamily.set(family, models);
    return models;
  };
}

/** What `extract` does, with readings from the cache: the first pass, and all passes where that is not enough. */
function cachedExtractor(reader: Reader, calibration: Calibration): FileExtractor {
  return {
    extract: async ({ path, docType, ignoreEmbedded }, models) => {
      const options = { docType, fields: null, models, calibration };
      const document = await readCached(path, reader);
      const embedded = ignoreEmbedded ? null : readEmbeddedInvoice(document.attachments);
      let started = performance.now();
      if (embedded) {
        const { extraction } = extractFromWords(document, options);
        const merged = mergeEmbedded(embedded, extraction, { docType, fields: null }, document);
        return { extraction: merged, durationMs: performance.now() - started };
      }
      const { extraction } = await extractFromReadings(document, options, async () => {
        const asked = performance.now();
        const again = await readCached(path, reader, { passes: 'all' });
        // The duration is that of what is done with the readings.
        started += performance.now() - asked;
        return [again];
      });
      return { extraction, durationMs: performance.now() - started };
    },
    close: async () => {},
  };
}

async function runCase(
  evaluation: EvaluationCase,
  engine: Engine,
  { reader, floors }: { readonly reader: Reader; readonly floors: boolean },
): Promise<EvaluatedCase> {
  const { key, path, words, docType } = evaluation;
  const document = async () => words ?? (await readCached(path!, reader));
  const truth = await evaluation.truth(document);
  const { answer, durationMs, pageCount } = await attempt(evaluation, engine, engine.modelsOf(key, truth));
  const printed = evaluation.countPrinted ? printedLabelsOf(truth, await document()) : null;
  return {
    key,
    docType,
    truth,
    answer,
    floor: floors && answer.error === null ? floorFields(await floorDocument(evaluation, reader), docType) : null,
    printed,
    durationMs,
    pageCount,
  };
}

/** A document with every pass where it is a picture, since the first is not Tesseract's. */
async function floorDocument({ words, path }: EvaluationCase, reader: Reader): Promise<ReadDocument> {
  if (words) return words;
  const document = await readCached(path!, reader);
  return document.mediaType === 'application/pdf' ? document : readCached(path!, reader, { passes: 'all' });
}

async function attempt(
  evaluation: EvaluationCase,
  { extractFile, calibration }: Engine,
  models: Models,
): Promise<{ answer: Answer; durationMs: number; pageCount: number }> {
  const started = performance.now();
  try {
    const { extraction, durationMs } = await (evaluation.path !== null
      ? extractFile({ ...evaluation, path: evaluation.path }, models)
      : extractWords(evaluation.words!, evaluation, { models, calibration }));
    return {
      answer: {
        fields: extraction.fields,
        rows: extraction.items ?? extraction.lines,
        docType: extraction.classification.docType,
        error: null,
      },
      durationMs,
      pageCount: extraction.pages.length,
    };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return {
      answer: { fields: {}, rows: [], docType: null, error: error.code },
      durationMs: performance.now() - started,
      pageCount: 0,
    };
  }
}

function extractWords(
  words: ReadDocument,
  { docType }: EvaluationCase,
  options: { readonly models: Models; readonly calibration: Calibration },
): { extraction: Extraction; durationMs: number } {
  const started = performance.now();
  const { extraction } = extractFromWords(words, { docType, fields: null, ...options });
  return { extraction, durationMs: performance.now() - started };
}

function printedLabelsOf(truth: Truth, document: ReadDocument): PrintedLabels {
  const printed = indexPrintedWords(document);
  return {
    fields: printedFieldsOf(truth, printed),
    rows: truth.rows?.map((row) => isRowPrinted(row, printed)) ?? null,
    beside: (row) => indexPrintedWords(atHeightOf(row, document)),
  };
}

/** The document's words at the height of a row's cells, and up to a line above and below. */
function atHeightOf(row: ExtractedRow, document: ReadDocument): ReadDocument {
  const places = Object.values(row).flatMap(({ provenance }) => provenance);
  const pages = document.pages.map((page) => {
    const boxes = places.filter((place) => place.page === page.number).map(({ box }) => box);
    const height = Math.max(0, ...boxes.map(({ y0, y1 }) => y1 - y0));
    const top = Math.min(...boxes.map(({ y0 }) => y0)) - height;
    const bottom = Math.max(...boxes.map(({ y1 }) => y1)) + height;
    return { ...page, words: page.words.filter(({ box }) => box.y0 >= top && box.y1 <= bottom) };
  });
  return { ...document, pages };
}

function printedFieldsOf(truth: Truth, printed: PrintedWords): ReadonlySet<string> {
  const shown = Object.entries(truth.fields).filter(([, accepted]) => accepted.some((value) => printed.shows(value)));
  return new Set(shown.map(([name]) => name));
}

function isRowPrinted(row: Readonly<Record<string, AcceptedValues>>, printed: PrintedWords): boolean {
  return [row.description, row.amount].every((accepted) => accepted?.some((value) => printed.shows(value)) ?? true);
}
