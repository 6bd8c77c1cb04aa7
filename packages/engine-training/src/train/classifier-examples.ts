import { type DocType, docTypes, type ReadDocument } from '@millrace/document-model';
import { classifierFeaturesOf } from '@millrace/engine/classify/features';
import { EngineError } from '@millrace/engine/errors';
import { layOut } from '@millrace/engine/layout/layout';
import { generateDocument } from '@millrace/synthetic-documents';
import { contractCases } from '../labelled/contracts.ts';
import { documentCases } from '../labelled/documents.ts';
import { drawnCases } from '../labelled/drawn.ts';
import { electronicInvoiceCases } from '../labelled/e-invoices.ts';
import { formCases } from '../labelled/forms.ts';
import { receiptCases } from '../labelled/receipts.ts';
import { isHeldOut } from '../labelled/split.ts';
import type { ClassifierExample } from './classifier.ts';
import { withFaults } from './faults.ts';

const generatedCount = 120;
/** Every so many generated documents of a type calibrate rather than teach. */
const calibrationShare = 6;

/** Names of e-invoices that are credit notes or corrections rather than invoices; their type is not scored. */
const correction = /Gutschrift|korrektur|Avoir/i;

/** Generated documents of every type, every third one with the faults of OCR, to learn from and to calibrate by. */
export function generatedClassifierExamples(): { examples: ClassifierExample[]; calibration: ClassifierExample[] } {
  const examples: ClassifierExample[] = [];
  const calibration: ClassifierExample[] = [];
  for (const docType of docTypes) {
    for (let number = 0; number < generatedCount; number += 1) {
      const seed = `classify ${docType} ${number}`;
      const { document } = generateDocument({ type: docType, seed, wording: number % 4 === 1 ? 'free' : 'usual' });
      const read = number % 3 === 2 ? withFaults(document, seed) : document;
      (number % calibrationShare === 5 ? calibration : examples).push(exampleOf(read, docType, 1));
    }
  }
  return { examples, calibration };
}

/** The documents of the training part whose type is known, real ones and those drawn after them. */
export async function realClassifierExamples(
  dataFolder: string,
  read: (path: string) => Promise<ReadDocument>,
): Promise<ClassifierExample[]> {
  const examples: ClassifierExample[] = [];
  const receipts = (await receiptCases(dataFolder, 'words')).filter(({ key }) => !isHeldOut(key));
  for (const { words } of receipts) if (words) examples.push(exampleOf(words, 'receipt', 0.25));
  for (const { words, docType } of await drawnCases()) if (words) examples.push(exampleOf(words, docType, 1));
  const files = [
    ...(await receiptCases(dataFolder, 'images')).map(({ key, path }) => ({
      key,
      path,
      docType: 'receipt' as const,
      weight: 0.5,
    })),
    ...(await electronicInvoiceCases(dataFolder, 'printed'))
      .filter(({ key }) => !correction.test(key))
      .map(({ key, path }) => ({ key, path, docType: 'invoice' as const, weight: 2 })),
    ...(await Promise.all(
      (
        await documentCases(dataFolder)
      ).map(async (evaluation) => {
        const { docType } = await evaluation.truth(() =>
          Promise.reject(new Error('The type is known without the words.')),
        );
        return { key: evaluation.key, path: evaluation.path, docType: docType ?? ('general' as const), weight: 3 };
      }),
    )),
    ...(await contractCases(dataFolder)).map(({ key, path, docType }) => ({ key, path, docType, weight: 0.1 })),
    ...(await typedForms(dataFolder)).map(({ key, path, docType }) => ({ key, path, docType, weight: 3 })),
  ];
  for (const { key, path, docType, weight } of files) {
    if (path === null || isHeldOut(key)) continue;
    try {
      examples.push(exampleOf(await read(path), docType, weight));
    } catch (error) {
      // A file that cannot be read teaches nothing.
      if (!(error instanceof EngineError)) throw error;
    }
  }
  return examples;
}

/** The forms that are one document, and so of one type. */
async function typedForms(dataFolder: string) {
  const forms = await formCases(dataFolder);
  return forms.filter(({ key }) => forms.filter((other) => other.key === key).length === 1);
}

function exampleOf(document: ReadDocument, docType: DocType, weight: number): ClassifierExample {
  return { features: classifierFeaturesOf(layOut(document)), docType, weight };
}
