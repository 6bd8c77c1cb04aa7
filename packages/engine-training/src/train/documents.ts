import { type DocType, docTypes, type JsonValue, type ReadDocument } from '@millrace/document-model';
import { indexPrintedWords } from '@millrace/engine/embedded/printed';
import { EngineError } from '@millrace/engine/errors';
import { generateDocument } from '@millrace/synthetic-documents';
import type { EvaluationCase } from '../labelled/cases.ts';
import { contractCases } from '../labelled/contracts.ts';
import { documentCases } from '../labelled/documents.ts';
import { drawnCases } from '../labelled/drawn.ts';
import { electronicInvoiceCases } from '../labelled/e-invoices.ts';
import { formCases } from '../labelled/forms.ts';
import type { readCached } from '../labelled/read-cached.ts';
import { receiptCases } from '../labelled/receipts.ts';
import { isHeldOut } from '../labelled/split.ts';
import type { TrainingDocument } from './examples.ts';
import { withFaults } from './faults.ts';
import { familyOf } from './folds.ts';

/** Reads a file by the first pass or by all, as `readCached` does. */
export type ReadTrainingFile = (
  path: string,
  passes: NonNullable<NonNullable<Parameters<typeof readCached>[2]>['passes']>,
) => Promise<ReadDocument>;

/** The set of the documents that were drawn. */
export const drawnSet = 'drawn';

/**
 * The labelled documents of the training part, real ones and those drawn after them, one after the other: a receipt with a
 * picture comes by its words and by its picture.
 */
export async function* realDocuments(dataFolder: string, read: ReadTrainingFile): AsyncGenerator<TrainingDocument> {
  const sets = [
    { set: 'receipts-words', cases: await receiptCases(dataFolder, 'words'), weight: 1 },
    { set: 'receipts', cases: await receiptCases(dataFolder, 'images'), weight: 2 },
    { set: 'e-invoices', cases: await electronicInvoiceCases(dataFolder, 'printed'), weight: 3 },
    { set: 'documents', cases: await documentCases(dataFolder), weight: 3 },
    { set: 'forms', cases: await formCases(dataFolder), weight: 3 },
    { set: 'contracts', cases: await contractCases(dataFolder), weight: 1 },
    { set: drawnSet, cases: await drawnCases(), weight: 1 },
  ];
  for (const { set, cases, weight } of sets) {
    for (const evaluation of cases) {
      if (isHeldOut(evaluation.key)) continue;
      for (const document of await readVariants(evaluation, read)) {
        const fields = { ...(await evaluation.truth(async () => document)).fields };
        // The labels' lines stop at their first comma, so that hardly any address is in them.
        if (set === 'receipts-words') delete fields.merchant_address;
        if (Object.keys(fields).length === 0) continue;
        const printed = evaluation.countPrinted ? indexPrintedWords(document) : null;
        const shown = (name: string) => !printed || (fields[name] ?? []).some((value) => printed.shows(value));
        const unprinted = new Set(Object.keys(fields).filter((name) => !shown(name)));
        if (set === drawnSet && !fields.amount_due && fields.total_amount) {
          // What was drawn is labelled by what it says; other labels know as well that a total without a word about it is due.
          fields.amount_due = fields.total_amount;
          unprinted.add('amount_due');
        }
        yield {
          key: evaluation.key,
          family: familyOf(evaluation.key, fields),
          set,
          real: true,
          docType: evaluation.docType,
          document,
          truth: fields,
          unprinted,
          complete: set === drawnSet,
          weight,
        };
      }
    }
  }
}

/** The document as it is first read and, where pictures are read again, with every pass. */
async function readVariants({ path, words }: EvaluationCase, read: ReadTrainingFile) {
  if (words) return [words];
  try {
    const first = await read(path!, 'first');
    const all = first.mediaType === 'application/pdf' ? first : await read(path!, 'all');
    const again = all.pages.some((page, index) => page.readings.length > (first.pages[index]?.readings.length ?? 0));
    return again ? [first, all] : [first];
  } catch (error) {
    // A file that cannot be read teaches nothing.
    if (error instanceof EngineError) return [];
    throw error;
  }
}

/** How many documents of each type are generated; more of those that companies send each other most. */
const generatedCounts: Readonly<Partial<Record<DocType, number>>> = { invoice: 200, receipt: 120, credit_note: 60 };
const usualCount = 80;

/**
 * Generated documents of every type, every other one in free wording, so that a model cannot rely on the captions it
 * knows, every third one with the faults of OCR. They are the same each time.
 */
export function* generatedDocuments(types: readonly DocType[] = docTypes): Generator<TrainingDocument> {
  for (const type of types) {
    for (let number = 0; number < (generatedCounts[type] ?? usualCount); number += 1) {
      const seed = `train ${type} ${number}`;
      const generated = generateDocument({ type, seed, wording: number % 2 === 1 ? 'free' : 'usual' });
      const { document, truth } = generated;
      yield {
        key: seed,
        family: seed,
        set: number % 2 === 1 ? 'generated-free' : 'generated',
        real: false,
        docType: type,
        document: number % 3 === 2 ? withFaults(document, seed) : document,
        truth: Object.fromEntries(
          Object.entries(truth.fields).map(([name, value]): [string, JsonValue[]] => [name, [value]]),
        ),
        unprinted: new Set(),
        complete: true,
        weight: 1,
      };
    }
  }
}
