import { Worker } from 'node:worker_threads';
import type { ConfinedMessage, ConfinedTask } from './confined-worker.ts';

/**
 * A task over hostile input that failed, took too long, or needed too much memory. The message is for the input's
 * author.
 */
export class ConfinedError extends Error {}

/** Loading a task's modules is not the input's fault: it has its own limit. */
const loadLimitMs = 60_000;
const heapLimitMb = 512;

/** A thread, and the listener for its current task. */
interface Confinement {
  readonly worker: Worker;
  hear: (message: ConfinedMessage | { readonly kind: 'ended'; readonly reason: string }) => void;
}

let confinement: Confinement | null = null;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a task in a thread without access to the service's environment, one task after another. A task that exceeds the
 * limit, counted from when its modules are loaded, ends with its thread.
 *
 * @throws ConfinedError if the task failed or was ended.
 */
export function runConfined(task: ConfinedTask, limitMs: number): Promise<string> {
  const result = last.then(() => runNow(task, limitMs));
  last = result.catch(() => null);
  return result;
}

function runNow(task: ConfinedTask, limitMs: number): Promise<string> {
  confinement ??= confine();
  const current = confinement;
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer);
      current.hear = () => null;
      // An idle thread doesn't keep the process alive.
      current.worker.unref();
    };
    const end = (reason: string) => {
      settle();
      confinement = null;
      void current.worker.terminate();
      reject(new ConfinedError(reason));
    };
    let timer = setTimeout(() => end('The linter could not be loaded in time.'), loadLimitMs);
    current.hear = (message) => {
      if (message.kind === 'loaded') {
        clearTimeout(timer);
        timer = setTimeout(() => end(`It took longer than ${limitMs / 1_000} seconds.`), limitMs);
      } else if (message.kind === 'ended') {
        end(message.reason);
      } else {
        settle();
        if (message.kind === 'done') resolve(message.result);
        else reject(new ConfinedError(message.reason));
      }
    };
    current.worker.ref();
    current.worker.postMessage(task);
  });
}

function confine(): Confinement {
  const worker = new Worker(new URL('./confined-worker.ts', import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapLimitMb },
  });
  const made: Confinement = { worker, hear: () => null };
  worker.on('message', (message: ConfinedMessage) => made.hear(message));
  worker.on('error', () => made.hear({ kind: 'ended', reason: 'It used too much memory.' }));
  worker.on('exit', () => {
    made.hear({ kind: 'ended', reason: 'It crashed the linter.' });
    if (confinement === made) confinement = null;
  });
  return made;
}
