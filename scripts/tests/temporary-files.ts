import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** Present where the system keeps files in memory. */
const memory = '/dev/shm';
/** Several times what a run of all tests has needed; containers often have next to nothing. */
const leastBytes = 4 * 1024 ** 3;

/**
 * Has this process and those that it starts put temporary files in memory, where there is room: copying a database takes a
 * fifth of the processor time there. They are removed when the process exits, or by the next run if it was killed.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env.TMPDIR !== undefined || availableBytes() < leastBytes) return;
  for (const name of readdirSync(memory)) {
    const processId = name.match(/^millrace-tests-(\d+)-/)?.[1];
    if (processId !== undefined && !isRunning(Number(processId))) remove(join(memory, name));
  }
  const folder = mkdtempSync(join(memory, `millrace-tests-${process.pid}-`));
  // A server that may not run as root has its data in here.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.once('exit', () => remove(folder));
}

function availableBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}

/** A process of the run that has yet to end may still add files. */
function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
