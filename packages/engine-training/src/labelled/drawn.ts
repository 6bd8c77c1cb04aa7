import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { DocType, ReadDocument } from '@millrace/document-model';
import type { EvaluationCase, Truth } from './cases.ts';

/** A line of a type's file: what the reader made of a drawn document, with what was drawn. */
interface DrawnDocument {
  readonly number: number;
  readonly fields: Truth['fields'];
  readonly rows: Truth['rows'];
  readonly document: ReadDocument;
  /** Whether it was drawn to learn from alone, so that no rule was written with it in view. */
  readonly forLearning?: boolean;
}

/** A drawn document. */
export interface DrawnCase extends EvaluationCase {
  /** Whether rules were written with it in view, so that more of its values are right than of others. */
  readonly isKnown: boolean;
}

const folder = fileURLToPath(new URL('../../drawn/', import.meta.url));
const ending = '.jsonl.gz';

/** Keys of drawn documents begin so. */
export const drawnPrefix = 'drawn ';

/**
 * The documents that were drawn for this project after the layouts of the world, each another one, with names that nobody
 * has, and labelled from what was drawn: `drawn/<type>.jsonl.gz`, by their words. All of them are of the training part.
 */
export async function drawnCases(): Promise<readonly DrawnCase[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending)).sort();
  const cases: DrawnCase[] = [];
  for (const name of names) {
    const docType = name.slice(0, -ending.length) as DocType;
    const text = (await promisify(gunzip)(await readFile(`${folder}${name}`))).toString();
    for (const line of text.trimEnd().split('\n')) {
      const { number, fields, rows, document, forLearning = false }: DrawnDocument = JSON.parse(line);
      const truth: Truth = { fields, rows, docType };
      cases.push({
        key: `${drawnPrefix}${docType} ${number}`,
        path: null,
        words: document,
        docType,
        ignoreEmbedded: true,
        truth: async () => truth,
        countPrinted: false,
        isKnown: !forLearning,
      });
    }
  }
  return cases;
}
