import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReadDocument, Word } from '@millrace/document-model';
import type { EvaluationCase, Truth } from './cases.ts';

/** One line of the receipts' `labels.jsonl`. */
export interface LabelledReceipt {
  /** Decides the held-out split. */
  readonly key: string;
  /** Absolute path of the picture, or null where the set holds the labels alone. */
  readonly imagePath: string | null;
  /** Of the picture, in pixels. */
  readonly size: { readonly width: number; readonly height: number };
  readonly entities: {
    readonly company: string | null;
    readonly date: string | null;
    readonly address: string | null;
    readonly total: string | null;
  };
  /** The lines of text as a person read them, and their boxes in pixels: `[x0, y0, x1, y1]`. */
  readonly lines: readonly { readonly text: string; readonly box: readonly [number, number, number, number] }[];
}

interface LabelsLine {
  key: string;
  image: string | null;
  size: { width: number; height: number };
  entities: { company?: string | null; date?: string | null; address?: string | null; total?: string | null };
  words: string[];
  bboxes: [number, number, number, number][];
}

/** Reads the labels of all receipts, those without a picture too. */
export async function readReceipts(dataFolder: string): Promise<readonly LabelledReceipt[]> {
  const folder = path.join(dataFolder, 'receipts');
  const text = await readFile(path.join(folder, 'labels.jsonl'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const labels: LabelsLine = JSON.parse(line);
      const { company = null, date = null, address = null, total = null } = labels.entities;
      return {
        key: labels.key,
        imagePath: labels.image && path.join(folder, labels.image),
        size: labels.size,
        entities: { company, date, address, total },
        lines: labels.words.map((text, index) => ({ text, box: labels.bboxes[index]! })),
      };
    });
}

/**
 * What a perfect reader would have read of the receipt: one page in pixels, each labelled line split at its white
 * space, and the line's box divided among its words by their share of the characters.
 */
export function documentOfLabels(receipt: LabelledReceipt): ReadDocument {
  const words = receipt.lines.flatMap(({ text, box }) => splitLine(text, box));
  return {
    mediaType: 'image/jpeg',
    pages: [
      {
        number: 1,
        width: receipt.size.width,
        height: receipt.size.height,
        unit: 'pixel',
        words,
        readings: [{ source: 'text', words }],
        rulings: [],
        turnedDegrees: 0,
      },
    ],
    attachments: [],
  };
}

function splitLine(text: string, [x0, y0, x1, y1]: readonly [number, number, number, number]): Word[] {
  const perCharacter = (x1 - x0) / Math.max(1, text.length);
  return [...text.matchAll(/\S+/g)].map((match) => ({
    text: match[0],
    box: { x0: x0 + match.index * perCharacter, y0, x1: x0 + (match.index + match[0].length) * perCharacter, y1 },
    source: 'text',
    confidence: 1,
  }));
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * A labelled date as `YYYY-MM-DD`. The receipts are Malaysian: the day stands before the month, unless that is no
 * date. Null for a label that is no date.
 */
export function isoOfLabelledDate(label: string): string | null {
  const compact = /^(20\d\d)(\d\d)(\d\d)$|^(\d\d)(\d\d)(20\d\d)$/.exec(label);
  const parts = compact
    ? compact.slice(1).filter((part) => part !== undefined)
    : (label.toLowerCase().match(/\d+|[a-z]{3,}/g) ?? []);
  const month = parts.findIndex((part) => monthNames.includes(part.slice(0, 3)));
  let [first, second, third] = parts.map((part) => Number(part));
  if (month >= 0) {
    const numbers = parts.filter((_, index) => index !== month).map(Number);
    [first, second, third] = [numbers[0], monthNames.indexOf(parts[month]!.slice(0, 3)) + 1, numbers[1]];
  }
  if (first === undefined || second === undefined || third === undefined || Number.isNaN(first + second + third)) {
    return null;
  }
  let [year, monthNumber, day] = first > 31 ? [first, second, third] : [third, second, first];
  if (monthNumber > 12) [monthNumber, day] = [day, monthNumber];
  if (year < 100) year += 2000;
  return `${year}-${String(monthNumber).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** A labelled total, such as `RM 1,073.00`, as a number; null for a label that is no amount. */
export function amountOfLabelledTotal(label: string): number | null {
  const digits = label.replace(/[^\d.-]/g, '');
  return /^-?\d+(\.\d+)?$/.test(digits) ? Number(digits) : null;
}

/** The receipts: with a picture, extracted from it, or all of them from the words that a person read. */
export async function receiptCases(dataFolder: string, from: 'images' | 'words'): Promise<readonly EvaluationCase[]> {
  const receipts = await readReceipts(dataFolder);
  return receipts
    .filter((receipt) => from === 'words' || receipt.imagePath !== null)
    .map((receipt) => ({
      key: receipt.key,
      path: from === 'images' ? receipt.imagePath : null,
      words: from === 'words' ? documentOfLabels(receipt) : null,
      docType: 'receipt',
      ignoreEmbedded: false,
      truth: async () => truthOfEntities(from === 'words' ? standingEntities(receipt) : receipt.entities),
      countPrinted: false,
    }));
}

/**
 * Many labelled lines break off at their first comma, so that most addresses are not among the labels' own words: an
 * address is scored only if all of its words are.
 */
function standingEntities({ entities, lines }: LabelledReceipt): LabelledReceipt['entities'] {
  const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const words = new Set(lines.flatMap(({ text }) => wordsOf(text)));
  const stands = entities.address !== null && wordsOf(entities.address).every((word) => words.has(word));
  return stands ? entities : { ...entities, address: null };
}

function truthOfEntities({ company, date, address, total }: LabelledReceipt['entities']): Truth {
  const labelled = {
    total_amount: total === null ? null : amountOfLabelledTotal(total),
    transaction_date: date === null ? null : isoOfLabelledDate(date),
    merchant_name: company,
    merchant_address: address,
  };
  const known = Object.entries(labelled).filter((entry): entry is [string, string | number] => entry[1] !== null);
  return { fields: Object.fromEntries(known.map(([name, value]) => [name, [value]])), rows: null, docType: 'receipt' };
}
