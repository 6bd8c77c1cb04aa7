import { appendFileSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyOperation } from '@millrace/operations';
import type { BrowserContext } from 'playwright-core';

type RoutedOperation = Pick<AnyOperation, 'id' | 'method' | 'path'>;

/**
 * Which of an app's operations its pages under test called, with an answer that is no error.
 *
 * The record is a file in the folder of the test run, since the test files of an app run in several processes; the last
 * of them compares the record with `operationsOfScreens`.
 */
export class OperationCalls {
  readonly #routes: readonly { readonly id: string; readonly method: string; readonly pattern: RegExp }[];
  readonly #record: string;
  /** Names the record. */
  readonly app: string;

  constructor(app: string, operations: readonly RoutedOperation[]) {
    this.app = app;
    this.#record = join(runFolder(), `operation-calls-${app}`);
    // A fixed segment before a parameter: `/documents/export` is not the document called `export`.
    const bySpecificity = (one: RoutedOperation, other: RoutedOperation) =>
      one.path.split('/:').length - other.path.split('/:').length;
    this.#routes = [...operations].sort(bySpecificity).map(({ id, method, path }) => ({
      id,
      method,
      pattern: new RegExp(`^${path.replaceAll(/[.*+?^$()[\]{}|\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+')}/?$`),
    }));
  }

  /**
   * Records what the pages of a window ask of the server. What a test itself asks, and opening the address of a screen,
   * which may be an operation's too, do not count.
   */
  record(window: BrowserContext): void {
    window.on('response', (response) => {
      const request = response.request();
      if (response.status() >= 400 || request.isNavigationRequest()) return;
      this.#noteCall(request.method(), request.url());
    });
    window.on('page', (page) => page.on('download', (download) => this.#noteCall('GET', download.url())));
  }

  #noteCall(method: string, url: string): void {
    const { pathname } = new URL(url);
    const route = this.#routes.find((each) => each.method === method && each.pattern.test(pathname));
    if (route) this.#note('called', route.id);
  }

  /** Notes that a test file opens pages, by its absolute path. */
  ranIn(file: string): void {
    this.#note('ran', file);
  }

  /**
   * Test files that open pages but have not run: while there is one, the record is not complete.
   *
   * @param folder holds all of them
   * @param harness what a test file that opens pages has in its source, such as the name of the function that does so
   * @param last the file that compares the record
   */
  filesNotRun(folder: string, harness: string, last: string): readonly string[] {
    const ran = this.#noted('ran');
    return globSync('**/*.test.ts', { cwd: folder, exclude: (name) => name === 'node_modules' })
      .map((name) => join(folder, name))
      .filter((file) => file !== last && !ran.has(file) && readFileSync(file, 'utf8').includes(harness))
      .sort();
  }

  /** Those of the operations that no page called, each with the places of the screens' code that can. */
  missing(used: ReadonlyMap<string, readonly string[]>): readonly string[] {
    const called = this.#noted('called');
    return [...used].filter(([id]) => !called.has(id)).map(([id, places]) => `${id} (${places.join(', ')})`);
  }

  /** A line of its own, so that several processes can write at once. */
  #note(what: 'called' | 'ran', value: string): void {
    appendFileSync(this.#record, `${what} ${value}\n`);
  }

  #noted(what: 'called' | 'ran'): ReadonlySet<string> {
    const lines = existsSync(this.#record) ? readFileSync(this.#record, 'utf8').split('\n') : [];
    return new Set(lines.filter((line) => line.startsWith(`${what} `)).map((line) => line.slice(what.length + 1)));
  }
}

/** What all processes of a test run share; for a process that no run started, a folder of its own. */
function runFolder(): string {
  const given = process.env.MILLRACE_TEST_RUN;
  if (given !== undefined) return given;
  const own = mkdtempSync(join(tmpdir(), 'millrace-test-run-'));
  process.once('exit', () => rmSync(own, { recursive: true, force: true }));
  return own;
}
