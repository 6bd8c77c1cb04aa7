import { Worker } from 'node:worker_threads';
import type { ConfinedMessage, ConfinedTask } from './confined-worker.ts';

/** A task over hostile input that failed, took too long, or needed too much memory. The message is for its author. */
export class ConfinedError extends Error {}

/** Loading the modules of a task is not the input's fault: it has a limit of its own. */
const loadLimitMs = 60_000;
const heapLimitMb = 512;

/** A thread, and what is to be told of the task that it runs. */
interface Confinement {
  readonly worker: Worker;
  hear: (message: ConfinedMessage | { readonly kind: 'ended'; readonly reason: string }) => void;
}

let confinement: Confinement | null = null;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a task in a thread that has no part in the service's environment, one task after another. A task that takes longer
 * than the limit, counted from when its modules are loaded, ends with its thread.
 *
 * @throws ConfinedError where the task failed or was ended.
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
      // An idle thread keeps no process alive.
      current.worker.unref();
    };
    const end = (reason: string) => {
      settle();
      confinement = null;
      void current.worker.terminate();
      reject(new ConfinedError(reason));
    };
    let timer = setTimeout(() => end('The checker could not be loaded in time.'), loadLimitMs);
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
  worker.on('error', () => made.hear({ kind: 'ended', reason: 'It needed too much memory.' }));
  worker.on('exit', () => {
    made.hear({ kind: 'ended', reason: 'It ended the checker.' });
    if (confinement === made) confinement = null;
  });
  return made;
}
