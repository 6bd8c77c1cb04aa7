import { Worker } from 'node:worker_threads';
import * as checks from './checks.ts';

const jobs = {
  checkAnswer: checks.checkAnswer,
  checkStoredConfiguration: checks.checkStoredConfiguration,
  checkStoredPage: checks.checkStoredPage,
  checkContents: checks.checkContents,
  checkStoredContent: checks.checkStoredContent,
} as const;
type Jobs = typeof jobs;
type Name = keyof Jobs;

/** A job for the thread, and what comes back. */
export interface Job {
  readonly id: number;
  readonly name: Name;
  readonly args: readonly unknown[];
}
export interface Outcome {
  readonly id: number;
  readonly result?: unknown;
  /** Why there is no result. */
  readonly error?: string;
}

/** Runs checks without keeping requests waiting. */
export interface Checker {
  /** The first argument is a check's bytes, which are transferred. @throws Error of the check */
  run<Wanted extends Name>(name: Wanted, ...args: Parameters<Jobs[Wanted]>): Promise<ReturnType<Jobs[Wanted]>>;
  stop(): Promise<void>;
}

/** Up to this size a check takes less than about a millisecond. */
const ownThreadBytes = 32_768;
/** The thread ends after this time without work: it takes some ten megabytes. */
const idleMs = 10_000;

/** Small checks run immediately, others in a thread that only exists while it has work. */
export function createChecker(): Checker {
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  const waiting = new Map<number, (outcome: Outcome) => void>();

  const end = (): Promise<number> => {
    const ending = thread?.terminate();
    thread = null;
    return ending ?? Promise.resolve(0);
  };
  const start = (): Worker => {
    const made = new Worker(new URL('./checking-thread.ts', import.meta.url), { name: 'configuration' });
    made.unref();
    made.on('message', (outcome: Outcome) => waiting.get(outcome.id)?.(outcome));
    made.on('error', (error) => {
      thread = null;
      for (const [id, finish] of waiting) finish({ id, error: error instanceof Error ? error.message : String(error) });
    });
    return made;
  };

  return {
    async run(name, ...args) {
      const [bytes] = args;
      if (bytes.byteLength <= ownThreadBytes) return runJob(name, args) as ReturnType<Jobs[typeof name]>;
      clearTimeout(idle);
      thread ??= start();
      const id = ++lastId;
      const finished = new Promise<Outcome>((resolve) => waiting.set(id, resolve));
      // A copy in its own memory, which can be transferred without copying again.
      const moved = new Uint8Array(bytes);
      thread.postMessage({ id, name, args: [moved, ...args.slice(1)] } satisfies Job, [moved.buffer]);
      const { result, error } = await finished;
      waiting.delete(id);
      if (waiting.size === 0) idle = setTimeout(end, idleMs).unref();
      if (error !== undefined) throw new Error(error);
      return result as ReturnType<Jobs[typeof name]>;
    },
    async stop() {
      clearTimeout(idle);
      for (const [id, finish] of waiting) finish({ id, error: 'The node is stopping.' });
      await end();
    },
  };
}

/** Runs a check by its name. */
export function runJob(name: Name, args: readonly unknown[]): unknown {
  const job = jobs[name] as (...given: readonly unknown[]) => unknown;
  return job(...args);
}
