import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startTestServer, type TestServer } from '@millrace/postgres/testing-server';
import { FileQueue } from './queue.ts';
import type { BatchResult, Failure } from './results.ts';
import { runBatch } from './run-batch.ts';

export interface Run {
  /** Of the repository. */
  readonly root: string;
  /** Test files, relative to the root. */
  readonly files: readonly string[];
  /** How many processes run at once. */
  readonly processes: number;
  /** Whether a file uses a test database. */
  readonly needsDatabase: (file: string) => boolean;
  readonly write: (text: string) => void;
  /** As {@link runBatch} takes it. */
  readonly silentMs?: number;
}

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Runs test files in several processes at once, each with a database server of its own, and writes a report: the output
 * of a process when it has ended, the failures again at the end.
 */
export async function runTests({ root, files, processes, needsDatabase, write, silentMs }: Run): Promise<Totals> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-run-'));
  const times = new TestTimes(join(root, 'node_modules/.cache/test-times.json'));
  const queue = new FileQueue(files, (file) => times.of(file), runsLast);
  const failures: Failure[] = [];
  let passed = 0;
  let skipped = 0;

  async function runProcesses(): Promise<void> {
    await using resources = new AsyncDisposableStack();
    let server: TestServer | undefined;
    for (let batch = queue.take(); batch !== null; batch = queue.take()) {
      if (batch.length === 0) {
        await queue.changed();
        continue;
      }
      if (server === undefined && batch.some(needsDatabase)) {
        server = await startTestServer();
        resources.defer(() => server!.stop());
      }
      const result = await runBatch(root, batch, {
        environment: { ...process.env, MILLRACE_TEST_RUN: folder, ...server?.environment },
        ...(silentMs === undefined ? {} : { silentMs }),
      });
      queue.done(result.notRun);
      note(result);
    }
  }

  function note(result: BatchResult): void {
    write(result.output);
    passed += result.passed;
    skipped += result.skipped;
    failures.push(...result.failures);
    times.note(result.durationsMs);
  }

  try {
    await Promise.all(Array.from({ length: processes }, runProcesses));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  times.save();
  if (failures.length > 0) write('\nFailed:\n');
  for (const { file, name, error } of failures) {
    write(`\n✖ ${file}${name === null ? '' : `: ${name}`}\n${error.replaceAll(/^(?=.)/gm, '  ')}\n`);
  }
  return { passed, failed: failures.length, skipped };
}

/** These compare what the browser tests of an app have recorded. */
function runsLast(file: string): boolean {
  return file.endsWith('/uncalled-operations.test.ts');
}

/** How long each test file took when it last ran on this machine. */
class TestTimes {
  readonly #path: string;
  readonly #durationsMs: Map<string, number>;

  constructor(path: string) {
    this.#path = path;
    this.#durationsMs = new Map(existsSync(path) ? Object.entries(JSON.parse(readFileSync(path, 'utf8'))) : []);
  }

  of(file: string): number {
    // Where nothing is known: tests in a browser are the slow ones.
    return this.#durationsMs.get(file) ?? (/^apps\/[^/]+\/test\//.test(file) ? 20_000 : 1_000);
  }

  note(durationsMs: ReadonlyMap<string, number>): void {
    for (const [file, durationMs] of durationsMs) this.#durationsMs.set(file, Math.round(durationMs));
  }

  save(): void {
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(this.#path, JSON.stringify(Object.fromEntries(this.#durationsMs), null, 1));
  }
}
