import { readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type DocType, docTypes } from '@millrace/document-model';
import { SingleBar } from 'cli-progress';
import { EngineError } from '../errors.ts';
import type { ExtractOptions } from '../extract-options.ts';
import { createEnginePool, type EnginePool } from '../pool/pool.ts';
import { type ScriptLanguage, scriptLanguages } from '../read/ocr/scripts.ts';
import { answerLine, failureLine } from './lines.ts';

const usage = `Usage: npm run extract -- FILE… [options]

Prints one line of JSON for each file, in their order.

  --type TYPE           Extract as this document type; the file's own type is detected unless given.
                        One of: ${docTypes.join(', ')}
  --fields NAME,NAME…   Give these fields alone.
  --workers N           Documents at once; as many as there are processors unless given.
  --ignore-embedded     Read what is printed even if an e-invoice is embedded.
  --include provenance  Add where each value was found.
  --ocr-languages CODE,CODE…
                        Languages in other scripts that pictures may be in: ${scriptLanguages.join(', ')}.
  --help                Show this text.
`;

const limits = { sizeBytes: 100 * 1024 * 1024, pages: 500 };

interface Arguments {
  readonly files: readonly string[];
  readonly options: ExtractOptions;
  readonly workers: number;
  readonly scriptLanguages: readonly ScriptLanguage[];
  readonly provenance: boolean;
}

class UsageError extends Error {}

/** Files of each process that are too few for code that is compiled soon to earn back what that costs. */
const fewFiles = 100;

/** Runs the command. Returns the process's exit code: 0, 1 where a file failed, 2 where the arguments are wrong. */
async function main(): Promise<number> {
  let given: Arguments | null;
  try {
    given = readArguments(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return 2;
  }
  if (!given) {
    process.stdout.write(usage);
    return 0;
  }
  const workers = Math.min(given.workers, given.files.length);
  const isShortLived = given.files.length < fewFiles * workers;
  const pool = createEnginePool({
    workers,
    queueLimit: given.workers,
    isShortLived,
    scriptLanguages: given.scriptLanguages,
  });
  try {
    return (await extractAll(pool, given)) ? 0 : 1;
  } finally {
    await pool.close();
  }
}

/** @throws UsageError, or the parser's own error, with a message for the user. */
function readArguments(values: readonly string[]): Arguments | null {
  const { values: given, positionals } = parseArgs({
    args: [...values],
    allowPositionals: true,
    options: {
      type: { type: 'string' },
      fields: { type: 'string' },
      workers: { type: 'string' },
      include: { type: 'string' },
      'ocr-languages': { type: 'string' },
      'ignore-embedded': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (given.help) return null;
  if (positionals.length === 0) throw new UsageError('No file was given.');
  const docType = given.type === undefined ? 'detect' : docTypes.find((type) => type === given.type);
  if (!docType) throw new UsageError(`There is no document type '${given.type}'.`);
  const workers = given.workers === undefined ? availableParallelism() : Number(given.workers);
  if (!Number.isInteger(workers) || workers < 1) throw new UsageError('--workers takes a whole number from 1.');
  if (given.include !== undefined && given.include !== 'provenance') {
    throw new UsageError(`There is nothing to include named '${given.include}'.`);
  }
  return {
    files: positionals,
    options: optionsOf(docType, given),
    workers,
    scriptLanguages: scriptLanguagesOf(given['ocr-languages']),
    provenance: given.include === 'provenance',
  };
}

function scriptLanguagesOf(given: string | undefined): readonly ScriptLanguage[] {
  return (given?.split(',') ?? []).map((code) => {
    const language = scriptLanguages.find((each) => each === code.trim());
    if (!language)
      throw new UsageError(`--ocr-languages takes ${scriptLanguages.join(', ')}; '${code}' is none of them.`);
    return language;
  });
}

function optionsOf(
  docType: DocType | 'detect',
  given: { readonly fields?: string; readonly 'ignore-embedded'?: boolean },
): ExtractOptions {
  const names = given.fields?.split(',').map((name) => name.trim());
  return {
    docType,
    fields: names?.filter((name) => name !== '') ?? null,
    ignoreEmbedded: given['ignore-embedded'] ?? false,
    limits,
  };
}

/** Extracts every file, as many at once as there are workers, and prints their lines in the files' order. */
async function extractAll(pool: EnginePool, { files, options, workers, provenance }: Arguments): Promise<boolean> {
  const bar = process.stderr.isTTY && files.length > 1 ? startBar(files.length) : null;
  const lines = new Array<string | undefined>(files.length);
  let printed = 0;
  let next = 0;
  let succeeded = true;
  const work = async () => {
    for (let index = next++; index < files.length; index = next++) {
      const file = files[index] as string;
      try {
        lines[index] = answerLine(file, await pool.extract(await readBounded(file), options), { provenance });
      } catch (error) {
        succeeded = false;
        lines[index] = failureLine(file, error);
      }
      bar?.increment();
      if (bar) process.stderr.write(clearLine);
      for (let line = lines[printed]; line !== undefined; line = lines[++printed]) process.stdout.write(`${line}\n`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, files.length) }, work));
  bar?.stop();
  return succeeded;
}

/** @throws EngineError `file_too_large` before a file is read that would be refused. */
async function readBounded(file: string): Promise<Uint8Array> {
  const { size } = await stat(file);
  if (size <= limits.sizeBytes) return await readFile(file);
  throw new EngineError('file_too_large', `The file has ${size} bytes; at most ${limits.sizeBytes} are accepted.`);
}

/** Takes the bar away from where the next line of output is to stand; it draws itself again. */
const clearLine = '\r\u001b[K';

function startBar(total: number): SingleBar {
  const bar = new SingleBar({
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
    format: '{bar} {value}/{total} files, {eta_formatted} left',
  });
  bar.start(total, 0);
  return bar;
}

process.exitCode = await main();
