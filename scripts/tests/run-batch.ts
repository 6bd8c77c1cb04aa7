import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative, resolve } from 'node:path';
import type { BatchResult, Failure, Message } from './results.ts';

/**
 * Runs test files in a process of their own.
 *
 * @param files relative to the root of the repository
 * @param silentMs after how long without a result the process is ended: the longest that a test takes on a slow machine
 */
export async function runBatch(
  root: string,
  files: readonly string[],
  { environment, silentMs = 600_000 }: { readonly environment: NodeJS.ProcessEnv; readonly silentMs?: number },
): Promise<BatchResult> {
  const batch = join(import.meta.dirname, 'batch.ts');
  const child = spawn(process.execPath, [...process.execArgv, batch, ...files.map((file) => resolve(root, file))], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => output.push(chunk));

  const failures: Failure[] = [];
  const durationsMs = new Map<string, number>();
  let passed = 0;
  let skipped = 0;
  let current = files[0]!;
  let running: string | null = null;
  let ended = false;
  let silent = false;
  const watch = setTimeout(() => {
    silent = true;
    child.kill('SIGKILL');
  }, silentMs);

  child.on('message', (message: Message) => {
    watch.refresh();
    if (message.kind === 'ended') {
      ended = true;
      return;
    }
    // A test that another module declares belongs to the file that called it, which is the one before or has no others.
    const file = message.file && relative(root, message.file);
    if (file && files.includes(file)) current = file;
    if (message.kind === 'started') {
      running = message.name;
      return;
    }
    if (message.topLevel) durationsMs.set(current, (durationsMs.get(current) ?? 0) + message.durationMs);
    if (message.outcome === 'passed') passed++;
    if (message.outcome === 'skipped') skipped++;
    if (message.outcome === 'failed') {
      // A file that cannot be imported is reported as a test with its path for a name.
      const name = message.name === message.file ? null : message.name;
      failures.push({ file: current, name, error: message.error ?? '' });
    }
  });
  const how = await endOf(child);
  clearTimeout(watch);

  if (!ended) {
    const during = running === null ? 'before its first test' : `during “${running}”`;
    const error = silent
      ? `No test ended for ${silentMs / 1_000} s; the process was ended ${during}.`
      : `The process ended ${during}: ${how}.`;
    failures.push({ file: current, name: null, error });
  }
  const notRun = ended ? [] : files.slice(files.indexOf(current) + 1);
  return { passed, skipped, failures, notRun, durationsMs, output: Buffer.concat(output).toString() };
}

/** Resolves when a process has ended and its output has come, with how it ended. */
async function endOf(child: ChildProcess): Promise<string> {
  child.once('exit', () => {
    // A process that it started and left may keep its output open.
    setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, 5_000).unref();
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return signal ?? `code ${code}`;
}
