/** What a process that runs test files reports. */
export type Message =
  | { readonly kind: 'started'; readonly name: string; readonly file?: string | undefined }
  | ({ readonly kind: 'finished' } & TestResult)
  | { readonly kind: 'ended' };

interface TestResult {
  readonly name: string;
  /** Where the test stands, which may be a module that several test files call. */
  readonly file?: string | undefined;
  /** A suite counts only where it fails without its tests. */
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'suite';
  readonly topLevel: boolean;
  readonly durationMs: number;
  /** Of one that failed. */
  readonly error?: string;
}

/** What came of the test files that one process ran. */
export interface BatchResult {
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
  /** Files that did not run because the process ended before. */
  readonly notRun: readonly string[];
  readonly durationsMs: ReadonlyMap<string, number>;
  readonly output: string;
}

export interface Failure {
  readonly file: string;
  /** Of the test; null where the whole file failed. */
  readonly name: string | null;
  readonly error: string;
}
