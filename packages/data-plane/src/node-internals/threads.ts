import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** What V8's threads for compiling and collecting are called in this version of Node. */
const nameOfWorkers = 'V8Worker';

/**
 * Beyond the main thread's. With 19, where all processors are busy, they get so little time that the main thread, which
 * waits for them at the end of a collection, stands still for tenths of a second.
 */
const niceness = 10;
const mostNiceness = 19;

/**
 * Makes V8's own threads less urgent than the main one: a compilation or a collection in the background then doesn't
 * take the processor from requests for a time slice at a time. Works where threads are listed in `/proc`, as on Linux,
 * and does nothing elsewhere.
 *
 * @returns how many threads were found
 */
export function yieldToMainThread(): number {
  const priority = Math.min(getPriority() + niceness, mostNiceness);
  let found = 0;
  for (const thread of threadsOfProcess()) {
    try {
      if (readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim() !== nameOfWorkers) continue;
      setPriority(thread, priority);
      found++;
    } catch {
      // The thread has ended, or the system doesn't let its priority be changed: it stays as it is.
    }
  }
  return found;
}

function threadsOfProcess(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [];
  }
}
