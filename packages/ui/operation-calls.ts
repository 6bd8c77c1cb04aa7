import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyOperation } from '@millrace/operations';
import type { BrowserContext } from 'playwright-core';

type RoutedOperation = Pick<AnyOperation, 'id' | 'method' | 'path'>;

/**
 * Which of an app's operations its pages under test called, with an answer that is no error.
 *
 * One such record serves every test file of an app: they all run in one process, in the order of their paths, and the
 * last of them compares the record with `operationsOfScreens`.
 */
export class OperationCalls {
  readonly #routes: readonly { readonly id: string; readonly method: string; readonly pattern: RegExp }[];
  readonly #called = new Set<string>();
  readonly #files = new Set<string>();

  constructor(operations: readonly RoutedOperation[]) {
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
      this.#note(request.method(), request.url());
    });
    window.on('page', (page) => page.on('download', (download) => this.#note('GET', download.url())));
  }

  #note(method: string, url: string): void {
    const { pathname } = new URL(url);
    const route = this.#routes.find((each) => each.method === method && each.pattern.test(pathname));
    if (route) this.#called.add(route.id);
  }

  /** Notes that a test file opens pages, by its absolute path. */
  ranIn(file: string): void {
    this.#files.add(file);
  }

  /**
   * Test files that open pages but have not run: while there is one, the record is not complete.
   *
   * @param folder holds all of them
   * @param harness what a test file that opens pages has in its source, such as the name of the function that does so
   * @param last the file that compares the record
   * @throws Error where a file comes after that one, so that its calls would not count
   */
  filesNotRun(folder: string, harness: string, last: string): readonly string[] {
    const notRun = globSync('**/*.test.ts', { cwd: folder, exclude: (name) => name === 'node_modules' })
      .map((name) => join(folder, name))
      .filter((file) => file !== last && !this.#files.has(file) && readFileSync(file, 'utf8').includes(harness));
    const later = notRun.filter((file) => file > last);
    if (later.length > 0) throw new Error(`${last} has to come after ${later.join(', ')}.`);
    return notRun.sort();
  }

  /** Those of the operations that no page called, each with the places of the screens' code that can. */
  missing(used: ReadonlyMap<string, readonly string[]>): readonly string[] {
    return [...used].filter(([id]) => !this.#called.has(id)).map(([id, places]) => `${id} (${places.join(', ')})`);
  }
}
