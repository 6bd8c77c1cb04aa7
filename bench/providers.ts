import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { docTypes, type ExtractedValue, type Extraction, type JsonValue } from '@millrace/document-model';
import { createEnginePool, type EnginePool } from '@millrace/engine';
import type { Answer, Consultation, Question } from '@millrace/engine/model-reading';
import { documentTypeOf } from '@millrace/engine/types';
import { type GeneratedDocument, generateDocument, pdfOf } from '@millrace/synthetic-documents';
import { extractFromWords } from '../packages/engine/src/extract.ts';
import { askAbout } from '../packages/engine/src/model-reading/question.ts';
import { shapeOf } from '../packages/engine/src/model-reading/shape.ts';
import { isSameValue } from '../packages/engine-training/src/labelled/compare.ts';
import { documentOfLabels, readReceipts, receiptCases } from '../packages/engine-training/src/labelled/receipts.ts';
import { isHeldOut } from '../packages/engine-training/src/labelled/split.ts';
import { openProvider } from '../packages/providers/src/index.ts';
import {
  countTokens,
  type ModelRequest,
  questionTokens,
  startModelServer,
} from '../packages/providers/src/testing-server.ts';

const documentsPerType = 8;
const limits = { sizeBytes: 20_000_000, pages: 50 };
/** How often the model names another text of the document in place of the right one. */
const errorShares = [0, 0.3] as const;
/** Confidences below which escalating asks for a value; null is what the service takes. */
const thresholds = [60, 70, 80, null, 88, 90] as const;
/** Fields that receipts are labelled with. */
const receiptFields = ['merchant_name', 'merchant_address', 'transaction_date', 'total_amount'] as const;

interface Tally {
  labelled: number;
  /** The fields that are right, by document and name. */
  readonly right: Set<string>;
  /** The confidences of the values that are wrong, likewise. */
  readonly wrong: Map<string, number>;
  cells: number;
  rightCells: number;
  asked: number;
  askedFields: number;
  questionTokens: number;
  answerTokens: number;
  sure: number;
  sureRight: number;
}

type Server = Awaited<ReturnType<typeof startModelServer>>;

/** What a model says of a document of which it is shown something. */
type Answering = (request: ModelRequest) => unknown;

/** A model behind a socket whose answers are made here. */
interface Model {
  readonly ask: (question: Question, answering: Answering, tally: Tally) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

async function openModel(): Promise<Model> {
  let answering: Answering = () => null;
  let answerTokens = 0;
  const server: Server = await startModelServer((request) => {
    const answer = answering(request);
    answerTokens = countTokens(JSON.stringify(answer));
    return answer;
  });
  const provider = openProvider(
    { kind: 'openai', model: 'labels', baseUrl: server.baseUrl('openai'), apiKey: 'none', reach: 'anywhere' },
    { timeoutMs: 30_000, deadlineMs: 60_000, concurrency: 1 },
  );
  return {
    ask: async (question, by, tally) => {
      answering = by;
      const { answer } = await provider.ask(question);
      tally.asked += 1;
      tally.askedFields += question.fields.length;
      tally.questionTokens += questionTokens(server.requests.at(-1)!);
      tally.answerTokens += answerTokens;
      return answer;
    },
    close: async () => {
      await provider.close();
      await server.close();
    },
  };
}

/** The benchmark of model providers; see the report's own words for the method. */
export async function run(): Promise<string> {
  const engine = createEnginePool({ workers: 1, pageTimeoutMs: 120_000 });
  const model = await openModel();
  try {
    return [method, ...(await runGenerated(engine, model)), ...(await runReceipts(engine, model))].join('\n\n');
  } finally {
    await model.close();
    await engine.close();
  }
}

async function runGenerated(engine: EnginePool, model: Model): Promise<readonly string[]> {
  const random = sequence();
  const tallies = errorShares.map((errorShare) => ({ errorShare, modes: createModes() }));
  for (const type of docTypes) {
    for (let seed = 0; seed < documentsPerType; seed += 1) {
      const generated = generateDocument({ type, seed: `escalation-${seed}` });
      const consulted = await engine.consult(await pdfOf(generated), { docType: type, fields: null, limits }, 'all');
      for (const { errorShare, modes } of tallies) {
        const answering: Answering = (request) => answerFrom(generated, request, errorShare, random);
        await runModes(modes, { engine, model, consulted, only: null, answering }, (tally, extraction) =>
          count(tally, `${type} ${seed}`, generated, extraction),
        );
      }
    }
  }
  return tallies.map(({ errorShare, modes }) => {
    const title =
      errorShare === 0
        ? 'A model that is right'
        : `A model that names another text of the document ${errorShare * 10} times in ten`;
    return section(title, modes);
  });
}

/** The receipts of the held-out part, on which neither the engine nor what escalating asks for was tuned. */
async function runReceipts(engine: EnginePool, model: Model): Promise<readonly string[]> {
  const dataFolder = process.env.MILLRACE_SHARED_DATA ?? join(import.meta.dirname, '../../shared/data');
  if (!existsSync(join(dataFolder, 'receipts'))) return [];
  const modes = createModes();
  const receipts = (await readReceipts(dataFolder)).filter(({ key }) => isHeldOut(key));
  const cases = new Map((await receiptCases(dataFolder, 'words')).map((each) => [each.key, each]));
  for (const [index, receipt] of receipts.entries()) {
    const document = documentOfLabels(receipt);
    const { fields: truth } = await cases.get(receipt.key)!.truth(async () => document);
    const { extraction } = extractFromWords(document, { docType: 'receipt', fields: receiptFields });
    const question = askAbout(document, extraction, receiptFields, 'all');
    const { address, company, date, total } = receipt.entities;
    const labels = { merchant_name: company, merchant_address: address, transaction_date: date, total_amount: total };
    const answering: Answering = ({ schema, text }) => ({
      fields: Object.fromEntries(
        Object.keys(schema?.properties?.fields?.properties ?? {}).map((name) => [
          name,
          seenIn(text, labels[name as keyof typeof labels] ?? ''),
        ]),
      ),
    });
    const consulted = { extraction, document, question };
    await runModes(modes, { engine, model, consulted, only: receiptFields, answering }, (tally, answered) => {
      for (const [name, accepted] of Object.entries(truth)) {
        const value = answered.fields[name];
        const isRight = value !== undefined && accepted.some((each) => isSameValue(value.value, each));
        countField(tally, `receipt ${index + 1} ${name}`, value, isRight);
      }
    });
  }
  return [
    section(`A model that is right, on ${receipts.length} real receipts`, modes),
    `The held-out receipts of SROIE as transcribed by a person; only the four labelled fields are requested and scored.`,
  ];
}

/** Each way to ask, by its row in the report. */
type Modes = Map<string, { readonly tally: Tally; readonly ask: 'nothing' | 'all' | number | null }>;

function createModes(): Modes {
  const modes: Modes = new Map([
    ['engine', { tally: emptyTally(), ask: 'nothing' }],
    ['provider', { tally: emptyTally(), ask: 'all' }],
  ]);
  for (const threshold of thresholds) {
    modes.set(threshold === null ? 'escalate' : `escalate below ${threshold}`, { tally: emptyTally(), ask: threshold });
  }
  return modes;
}

async function runModes(
  modes: Modes,
  {
    answering,
    consulted,
    engine,
    model,
    only,
  }: {
    readonly engine: EnginePool;
    readonly model: Model;
    readonly consulted: Consultation;
    readonly only: readonly string[] | null;
    readonly answering: Answering;
  },
  judge: (tally: Tally, extraction: Extraction) => void,
): Promise<void> {
  const { document, extraction } = consulted;
  for (const { ask, tally } of modes.values()) {
    const question =
      ask === 'nothing'
        ? null
        : ask === 'all'
          ? consulted.question
          : askAbout(document, extraction, only, 'doubtful', ask === null ? {} : { sure: ask });
    const options = { docType: extraction.docType, fields: only };
    const answer = question && (await model.ask(question, answering, tally));
    judge(tally, answer ? await engine.weigh(document, options, answer) : extraction);
  }
}

const method = `Two sets of documents go through the engine, the prompt over HTTP (OpenAI's protocol) to a loopback server, and its
answer back through the engine: ${docTypes.length * documentsPerType} generated ones with a text layer, ${documentsPerType} of each type, as PDF through the engine's pool, and real
receipts. The server is not a model: it answers from the documents' labels, as printed, and only if the
words of the value are in the text that it was sent. A value that escalating does not include can't be
answered. Prompts, schemas and answers are those of the service. A token is counted as up to six letters, three digits,
or one character. It is assumed that a model reads this well; measured is what escalating saves, and
what it loses. "escalate" is the mode of the service; rows with a figure use another threshold.`;

function emptyTally(): Tally {
  return {
    labelled: 0,
    right: new Set(),
    wrong: new Map(),
    cells: 0,
    rightCells: 0,
    asked: 0,
    askedFields: 0,
    questionTokens: 0,
    answerTokens: 0,
    sure: 0,
    sureRight: 0,
  };
}

function section(title: string, modes: Modes): string {
  const percent = (part: number, whole: number, digits = 1) =>
    whole === 0 ? '–' : `${((100 * part) / whole).toFixed(digits)} %`;
  const spent = (name: string) => modes.get(name)!.tally.questionTokens + modes.get(name)!.tally.answerTokens;
  const rows = [...modes].map(([mode, { tally }]) => {
    const spared = mode === 'engine' ? '–' : percent(spent('provider') - spent(mode), spent('provider'));
    const cells = percent(tally.rightCells, tally.cells);
    return `| ${mode} | ${percent(tally.right.size, tally.labelled, 2)} | ${cells} | ${tally.sure} | ${percent(tally.sureRight, tally.sure)} | ${tally.asked} | ${tally.askedFields} | ${tally.questionTokens} | ${tally.answerTokens} | ${spared} |`;
  });
  return [
    `## ${title}`,
    '',
    '| Mode | Fields right | Cells of rows right | Values of 90 and more | of these right | Documents sent | Fields requested | Prompt tokens | Answer tokens | Tokens saved |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    lossesOf(modes),
  ].join('\n');
}

/** Fields that are named one by one; of more, as with a model that is often wrong, the number says enough. */
const namedLosses = 10;

/** What "escalate" has not right of what asking for everything has, and what the engine had of it. */
function lossesOf(modes: Modes): string {
  const [engine, provider, escalate] = ['engine', 'provider', 'escalate'].map((mode) => modes.get(mode)!.tally);
  const lost = [...provider!.right].filter((field) => !escalate!.right.has(field));
  const gained = [...escalate!.right].filter((field) => !provider!.right.has(field));
  const named = lost.length > namedLosses ? [] : lost;
  return [
    `Right in "provider" mode and not in "escalate" mode: ${lost.length}; the other way round: ${gained.length}.`,
    ...named.map((field) => {
      const confidence = engine!.wrong.get(field);
      return `- ${field}: the engine ${confidence === undefined ? 'found nothing' : `has another value, with ${confidence}`}`;
    }),
  ].join('\n');
}

/** Fields whose value is one text, which labels and results write in the same form. */
function comparedFields(type: GeneratedDocument['truth']['docType']) {
  return documentTypeOf(type).fields.filter((field) => shapeOf(field) === 'text' && field.kind !== 'language');
}

function count(tally: Tally, document: string, { truth }: GeneratedDocument, extraction: Extraction): void {
  for (const { name } of comparedFields(truth.docType)) {
    const expected = truth.fields[name];
    const value = extraction.fields[name];
    const isRight = expected !== undefined && value !== undefined && isSameValue(value.value, expected);
    countField(tally, `${document} ${name}`, value, isRight, expected !== undefined);
  }
  const rows = extraction.items ?? extraction.lines;
  rowsOf(truth).forEach((row, index) => {
    for (const [column, expected] of Object.entries(row)) {
      const value = rows[index]?.[column];
      tally.cells += 1;
      if (value && isSameValue(value.value, expected)) tally.rightCells += 1;
    }
  });
}

function countField(
  tally: Tally,
  field: string,
  value: ExtractedValue | undefined,
  isRight: boolean,
  isLabelled = true,
): void {
  if (isLabelled) tally.labelled += 1;
  if (isRight) tally.right.add(field);
  else if (value) tally.wrong.set(field, value.confidence);
  if (!value || value.confidence < 90) return;
  tally.sure += 1;
  if (isRight) tally.sureRight += 1;
}

function rowsOf({ fields, lines }: GeneratedDocument['truth']): readonly Readonly<Record<string, JsonValue>>[] {
  const items = fields.items as readonly Readonly<Record<string, JsonValue>>[] | undefined;
  return items ?? lines;
}

/** The labels as a model that reads the question's text would give them. */
function answerFrom(
  generated: GeneratedDocument,
  { schema, text }: ModelRequest,
  errorShare: number,
  random: () => number,
): unknown {
  const { truth } = generated;
  const seen = (value: string) => seenIn(text, value);
  const names = Object.keys(schema?.properties?.fields?.properties ?? {});
  const printed = names.map((name) => printedText(generated, name)).filter(Boolean);
  const fields = Object.entries(schema?.properties?.fields?.properties ?? {}).map(([name, { items, type }]) => {
    const value = truth.fields[name];
    if (type === 'string') {
      const right = value === undefined ? '' : seen(printedText(generated, name) || String(value));
      const isWrong = random() < errorShare && printed.length > 0;
      return [name, isWrong ? seen(printed[Math.floor(random() * printed.length)]!) : right];
    }
    return [name, listOf(value, items?.type === 'object', seen)];
  });
  const rows = rowsOf(truth).map((row, index) =>
    Object.fromEntries(
      Object.keys(schema?.properties?.rows?.items?.properties ?? {}).map((column) => [
        column,
        row[column] === undefined ? '' : seen(printedText(generated, `#${index}.${column}`) || String(row[column])),
      ]),
    ),
  );
  return { fields: Object.fromEntries(fields), ...(schema?.properties?.rows && { rows }) };
}

/** A value as far as a reader of the text can say it: all of it, or nothing. */
function seenIn(text: string, value: string): string {
  const bare = (word: string) => word.replaceAll('|', '¦').replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  return value.split(/\s+/).every((word) => text.includes(bare(word))) ? value : '';
}

function listOf(value: JsonValue | undefined, isOfObjects: boolean, seen: (text: string) => string): unknown {
  if (value === undefined || typeof value !== 'object' || value === null) return [];
  if (!isOfObjects) return Object.values(value).map((part) => seen(String(part)));
  if (!Array.isArray(value)) {
    return Object.entries(value).map(([label, part]) => ({ label: seen(label), value: seen(String(part)) }));
  }
  return value.map((entry: JsonValue) =>
    typeof entry === 'object' && entry !== null
      ? Object.fromEntries(Object.entries(entry).map(([name, part]) => [name, seen(String(part))]))
      : { title: seen(String(entry)) },
  );
}

/** The words that were drawn as a value, line by line. */
function printedText({ document, places }: GeneratedDocument, name: string): string {
  const texts = (places.get(name) ?? []).map(({ box, page }) =>
    document.pages[page - 1]!.words.filter(({ box: word }) => {
      const [x, y] = [(word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2];
      return x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1;
    })
      .map(({ text }) => text)
      .join(' '),
  );
  return [...new Set(texts)].join(' ');
}

/** The same numbers from 0 to 1 in every run. */
function sequence(): () => number {
  let state = 1;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
