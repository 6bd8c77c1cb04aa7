import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DocType, Extraction, JsonValue, ReadDocument } from '@millrace/document-model';
import type { KnownSender, Lesson } from '@millrace/engine/supplier-memory';
import { senderOfLesson } from '@millrace/engine/supplier-memory';
import { extractFromWords } from '../packages/engine/src/extract.ts';
import { plain } from '../packages/engine/src/supplier-memory/likeness.ts';
import { lessonOf } from '../packages/engine/src/supplier-memory/teach.ts';
import { isSameValue } from '../packages/engine-training/src/labelled/compare.ts';
import { receiptCases } from '../packages/engine-training/src/labelled/receipts.ts';
import { isHeldOut } from '../packages/engine-training/src/labelled/split.ts';
import { houseInvoice } from './senders/house.ts';

/** A document with what is known to be right of it: each field's values that count as right. */
interface Labelled {
  readonly document: ReadDocument;
  readonly truth: Readonly<Record<string, readonly JsonValue[]>>;
  /** Fields that are not in the truth are wrong where this is true, unknown otherwise. */
  readonly isWhole: boolean;
  readonly docType: DocType;
  readonly isScored: boolean;
}

/** Documents by their sender, in the order in which they come. */
type Senders = readonly (readonly Labelled[])[];

const houses = 40;
const invoicesOfHouse = 8;
const mostConfirmed = 3;
/** Of the account: values below it are reviewed. */
const threshold = 90;

/** What confirmed documents of a sender do for its next ones. */
export async function run(): Promise<string> {
  const generated: Senders = Array.from({ length: houses }, (_, house) =>
    Array.from({ length: invoicesOfHouse }, (_none, number): Labelled => {
      const { document, fields } = houseInvoice(house, number);
      const truth = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]]));
      return { document, truth, isWhole: true, docType: 'invoice', isScored: true };
    }),
  );
  const parts = [
    `${houses} senders of invoices, ${invoicesOfHouse} of each, made by \`bench/senders/house.ts\`: labels that a general reader has not
seen (\`Our sign\`, \`Settle by\`, \`We ask for\`), in the sender's own order, places and formats, next to numbers that
are not fields; two in five have the sender's name only in the footer. Of each sender, the first 0 to ${mostConfirmed} are
confirmed with their true values, as a person would, and the last ${invoicesOfHouse - mostConfirmed} are scored. All suppliers' lessons are
present, so a document may be mistaken for another sender's. "Doubtful" is below ${threshold}, which a person would review;
"wrong, unseen" is a wrong value at ${threshold} or more.`,
    tableOf(generated, (documents) => documents.slice(mostConfirmed)),
  ];
  const dataFolder = process.env.MILLRACE_SHARED_DATA ?? join(import.meta.dirname, '../../shared/data');
  if (existsSync(join(dataFolder, 'receipts'))) {
    const receipts = await readReceipts(dataFolder);
    const scored = receipts.flat().filter(({ isScored }) => isScored).length;
    parts.push(
      `Real receipts (SROIE, as transcribed by a person) of the ${receipts.length} merchants that have at least ${mostConfirmed + 1}: ${scored} from
the held-out part, which the engine was not trained on, are scored; the confirmed ones are other receipts of the same
merchant. The four labelled fields are scored.`,
      tableOf(receipts, (documents) => documents.filter(({ isScored }) => isScored)),
    );
  }
  return parts.join('\n\n');
}

/** The receipts of merchants that have enough of them; the held-out ones stand behind the others. */
async function readReceipts(dataFolder: string): Promise<Senders> {
  const cases = await receiptCases(dataFolder, 'words');
  const labelled = await Promise.all(
    cases.map(async (each) => {
      const document = each.words!;
      const { fields } = await each.truth(async () => document);
      return {
        key: each.key,
        document,
        truth: fields,
        isWhole: false,
        docType: each.docType,
        isScored: isHeldOut(each.key),
      };
    }),
  );
  const groups = Map.groupBy(
    labelled.filter(({ truth }) => truth.merchant_name !== undefined),
    ({ truth }) => plain(String(truth.merchant_name![0])),
  );
  return [...groups.values()].flatMap((group) => {
    const ordered = group.toSorted((a, b) => Number(a.isScored) - Number(b.isScored));
    // Enough to confirm besides those that are scored.
    const confirmable = ordered.filter(({ isScored }) => !isScored);
    return confirmable.length >= mostConfirmed && ordered.length > confirmable.length ? [ordered] : [];
  });
}

function tableOf(senders: Senders, judgedOf: (documents: readonly Labelled[]) => readonly Labelled[]): string {
  const rows: string[] = [];
  const byField = new Map<string, string[]>();
  for (let confirmed = 0; confirmed <= mostConfirmed; confirmed++) {
    const known = learn(senders.map((documents) => documents.slice(0, confirmed)));
    const tally = new Tally();
    for (const documents of senders) {
      for (const each of judgedOf(documents)) tally.add(each, extractOne(each, known));
    }
    rows.push(`| ${confirmed} | ${tally.row()} |`);
    for (const [field, share] of tally.fields()) byField.set(field, [...(byField.get(field) ?? []), share]);
  }
  return `| Confirmed before | Documents without a correction | Right | Missing | Wrong | Doubtful | Wrong, unseen | Sender known | Certain | Another's |
|---|---|---|---|---|---|---|---|---|---|
${rows.join('\n')}

| Right, by field | 0 | 1 | 2 | 3 |
|---|---|---|---|---|
${[...byField].map(([field, shares]) => `| \`${field}\` | ${shares.join(' | ')} |`).join('\n')}`;
}

function extractOne({ document, docType }: Labelled, senders: readonly KnownSender[]): Extraction {
  return extractFromWords(document, { docType, fields: null, senders }).extraction;
}

/** Confirms documents one after the other, as people do. */
function learn(confirmed: Senders): readonly KnownSender[] {
  const known: KnownSender[] = [];
  confirmed.flat().forEach((each, index) => {
    const extracted = Object.fromEntries(
      Object.entries(extractOne(each, known).fields).map(([name, { value }]) => [name, value]),
    );
    const truth = Object.fromEntries(Object.entries(each.truth).map(([name, [value]]) => [name, value!]));
    const fields = each.isWhole ? truth : { ...extracted, ...truth };
    const lesson: Lesson | null = lessonOf(each.document, { docType: each.docType, fields, extracted });
    if (!lesson) return;
    const sender = senderOfLesson(lesson, known);
    const { docType, name } = lesson;
    if (!sender) known.push({ id: String(index), name, docType, lessons: [lesson] });
    else known[known.indexOf(sender)] = { ...sender, name, lessons: [lesson, ...sender.lessons] };
  });
  return known;
}

/** Counts what was right. */
class Tally {
  private documents = 0;
  private clean = 0;
  private values = 0;
  private right = 0;
  private missing = 0;
  private wrong = 0;
  private doubtful = 0;
  private unseen = 0;
  private known = 0;
  private certain = 0;
  private others = 0;
  private readonly perField = new Map<string, { values: number; right: number }>();

  add({ truth, isWhole }: Labelled, { docType, fields, sender }: Extraction): void {
    this.documents++;
    let isClean = true;
    for (const [name, accepted] of Object.entries(truth)) {
      const value = fields[name];
      const isRight = value !== undefined && accepted.some((each) => isSameValue(value.value, each));
      const count = this.perField.get(name) ?? { values: 0, right: 0 };
      this.perField.set(name, { values: count.values + 1, right: count.right + (isRight ? 1 : 0) });
      this.values++;
      if (isRight) this.right++;
      else isClean = false;
      if (!value) this.missing++;
      else this.judge(isRight, value.confidence);
    }
    for (const [name, { confidence }] of Object.entries(fields)) {
      if (!isWhole || name in truth || name === 'currency' || name === 'language' || name === 'tax_rate') continue;
      isClean = false;
      this.values++;
      this.judge(false, confidence);
    }
    if (isClean) this.clean++;
    if (!sender) return;
    this.known++;
    if (sender.certain) this.certain++;
    const name = truth[docType === 'receipt' ? 'merchant_name' : 'vendor_name']?.[0];
    if (plain(String(name)) !== plain(sender.name)) this.others++;
  }

  private judge(isRight: boolean, confidence: number): void {
    if (!isRight) this.wrong++;
    if (confidence < threshold) this.doubtful++;
    else if (!isRight) this.unseen++;
  }

  row(): string {
    const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
    return [
      percent(this.clean, this.documents),
      percent(this.right, this.values),
      percent(this.missing, this.values),
      percent(this.wrong, this.values),
      percent(this.doubtful, this.values),
      percent(this.unseen, this.values),
      percent(this.known, this.documents),
      percent(this.certain, this.documents),
      percent(this.others, this.documents),
    ].join(' | ');
  }

  fields(): readonly (readonly [string, string])[] {
    return [...this.perField].map(([name, { values, right }]) => [name, `${((100 * right) / values).toFixed(0)} %`]);
  }
}
