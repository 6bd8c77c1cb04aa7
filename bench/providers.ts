import { type GeneratedDocument, generateDocument, pdfOf } from '@millrace/documents';
import { createEnginePool } from '@millrace/engine';
import { docTypes, type Extraction, type JsonValue } from '@millrace/engine/document';
import { documentTypeOf } from '@millrace/engine/types';
import { shapeOf } from '../packages/engine/src/consult/shape.ts';
import { isSameValue } from '../packages/engine/src/evaluate/compare.ts';
import { openProvider } from '../packages/providers/src/index.ts';
import {
  countTokens,
  type ModelRequest,
  questionTokens,
  startModelServer,
} from '../packages/providers/src/testing-server.ts';

const documentsPerType = 4;
const limits = { sizeBytes: 20_000_000, pages: 50 };
const modes = ['engine', 'provider', 'escalate'] as const;
/** How often the model names another text of the document in place of the right one. */
const errorShares = [0, 0.3] as const;

interface Tally {
  labelled: number;
  right: number;
  cells: number;
  rightCells: number;
  asked: number;
  askedFields: number;
  questionTokens: number;
  answerTokens: number;
  sure: number;
  sureRight: number;
}

/** The benchmark of model providers; see the report's own words for the method. */
export async function run(): Promise<string> {
  const engine = createEnginePool({ workers: 1, pageTimeoutMs: 120_000 });
  let shown: { document: GeneratedDocument; errorShare: number };
  const random = sequence();
  const answerTokens: number[] = [];
  const server = await startModelServer((request) => {
    const answer = answerFrom(shown.document, request, shown.errorShare, random);
    answerTokens.push(countTokens(JSON.stringify(answer)));
    return answer;
  });
  const provider = openProvider(
    { kind: 'openai', model: 'labels', baseUrl: server.baseUrl('openai'), apiKey: 'none', reach: 'anywhere' },
    { timeoutMs: 30_000, deadlineMs: 60_000, concurrency: 1 },
  );
  const sections: string[] = [];
  try {
    for (const errorShare of errorShares) {
      const tallies = new Map<string, Tally>(modes.map((mode) => [mode, emptyTally()]));
      for (const type of docTypes) {
        for (let seed = 0; seed < documentsPerType; seed += 1) {
          const document = generateDocument({ type, seed: `providers-${seed}` });
          shown = { document, errorShare };
          const bytes = await pdfOf(document);
          for (const mode of modes) {
            const tally = tallies.get(mode)!;
            const options = { docType: type, fields: null, limits };
            const scope = mode === 'provider' ? 'all' : 'doubtful';
            const consulted = await engine.consult(bytes, options, scope);
            let { extraction } = consulted;
            if (mode !== 'engine' && consulted.question) {
              const { answer } = await provider.ask(consulted.question);
              tally.asked += 1;
              tally.askedFields += consulted.question.fields.length;
              tally.questionTokens += questionTokens(server.requests.at(-1)!);
              tally.answerTokens += answerTokens.at(-1)!;
              extraction = await engine.weigh(consulted.document, { docType: type, fields: null }, answer);
            }
            count(tally, document, extraction);
          }
        }
      }
      sections.push(section(errorShare, tallies));
    }
  } finally {
    await provider.close();
    await server.close();
    await engine.close();
  }
  return `${method}\n\n${sections.join('\n\n')}`;
}

const method = `${docTypes.length * documentsPerType} generated documents with a text layer, ${documentsPerType} of each type, go as PDF through the engine's
pool, the question over HTTP (OpenAI's protocol) to a server on loopback, and its answer back through the pool. The server
is no model: it answers from the document's labels, in the printed form, what it is asked for, and only where the words of
the value stand in the text that it was sent, so that a value which escalating does not show cannot be answered. Prompts,
schemas and answers are those of the service; tokens are counted as parts of up to six letters, three digits, or one sign.
That a model reads so well is assumed; what is measured is what escalating spares, and what it loses by that.`;

function emptyTally(): Tally {
  return {
    labelled: 0,
    right: 0,
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

function section(errorShare: number, tallies: ReadonlyMap<string, Tally>): string {
  const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);
  const rows = [...tallies].map(
    ([mode, tally]) =>
      `| ${mode} | ${percent(tally.right, tally.labelled)} | ${percent(tally.rightCells, tally.cells)} | ${tally.sure} | ${percent(tally.sureRight, tally.sure)} | ${tally.asked} | ${tally.askedFields} | ${tally.questionTokens} | ${tally.answerTokens} |`,
  );
  const spent = (mode: string) => tallies.get(mode)!.questionTokens + tallies.get(mode)!.answerTokens;
  const title =
    errorShare === 0
      ? 'A model that is right'
      : `A model that names another text of the document ${errorShare * 10} times in ten`;
  return [
    `## ${title}`,
    '',
    '| Mode | Fields right | Cells of rows right | Values of 90 and more | of these right | Documents asked about | Fields asked for | Question tokens | Answer tokens |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    `Escalating spares ${percent(spent('provider') - spent('escalate'), spent('provider'))} of the tokens.`,
  ].join('\n');
}

/** Fields whose value is one text, which labels and results write in the same form. */
function comparedFields(type: GeneratedDocument['truth']['docType']) {
  return documentTypeOf(type).fields.filter((field) => shapeOf(field) === 'text' && field.kind !== 'language');
}

function count(tally: Tally, { truth }: GeneratedDocument, extraction: Extraction): void {
  for (const { name } of comparedFields(truth.docType)) {
    const expected = truth.fields[name];
    const value = extraction.fields[name];
    const isRight = expected !== undefined && value !== undefined && isSameValue(value.value, expected);
    if (expected !== undefined) tally.labelled += 1;
    if (isRight) tally.right += 1;
    if (value && value.confidence >= 90) {
      tally.sure += 1;
      if (isRight) tally.sureRight += 1;
    }
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
  const seen = (value: string) => {
    const isSeen = value.split(/\s+/).every((word) => text.includes(word.replaceAll('|', '¦')));
    return isSeen ? value : '';
  };
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
