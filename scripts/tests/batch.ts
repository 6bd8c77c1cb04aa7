/**
 * Runs test files one after the other in this process: `batch.ts FILE…`. The readable report goes to the output, the
 * result of each test to the process that started this one.
 */
import './untracked-promises.ts';
import { inspect } from 'node:util';
import type { Message } from './results.ts';

const { run } = await import('node:test');
const { spec } = await import('node:test/reporters');

const send = (message: Message) => new Promise((sent) => process.send!(message, undefined, undefined, sent));

// Whoever waits for the results has ended, by a signal for instance.
process.once('disconnect', () => process.exit(1));
// The tests have ended when nothing is left to wait for but this.
process.channel?.unref();

/** How long a test may go on after an error that no code caught: it may wait for what the error prevented. */
const afterErrorMs = 60_000;
/** Errors that no code caught, with the test that ran. The runner finds out only of some which test is at fault. */
const uncaught = new Map<unknown, { readonly name: string; readonly file: string | undefined }>();
let running = { name: 'the tests', file: process.argv[2] };
let giveUp: NodeJS.Timeout | undefined;
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, (error: unknown) => {
    uncaught.set(error, running);
    console.error(error);
    giveUp ??= setTimeout(() => process.exit(1), afterErrorMs).unref();
  });
}

const tests = run({ files: process.argv.slice(2), isolation: 'none' });
tests.on('test:dequeue', ({ name, file, nesting }) => {
  running = { name, file };
  clearTimeout(giveUp);
  giveUp = undefined;
  if (nesting === 0) send({ kind: 'started', name, file });
});
tests.on('test:pass', ({ name, file, nesting, skip, todo, details }) => {
  const ran = skip === undefined && todo === undefined;
  const outcome = details.type === 'suite' ? 'suite' : ran ? 'passed' : 'skipped';
  send({ kind: 'finished', outcome, name, file, topLevel: nesting === 0, durationMs: details.duration_ms });
});
tests.on('test:fail', ({ name, file, nesting, todo, details: { type, error, duration_ms: durationMs } }) => {
  // A suite fails with its tests, which have been counted, or alone, when a hook of it does.
  const inTests = type === 'suite' && 'failureType' in error && error.failureType === 'subtestsFailed';
  const outcome = inTests ? 'suite' : todo === undefined ? 'failed' : 'skipped';
  const result = { outcome, name, file, topLevel: nesting === 0, durationMs } as const;
  uncaught.delete(error.cause);
  send({ kind: 'finished', ...result, ...(outcome === 'failed' ? { error: inspect(error.cause ?? error) } : {}) });
});
const totals = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) \d/;
const shown = tests.filter(({ type, data }) => type !== 'test:diagnostic' || !totals.test(data.message));
for await (const text of shown.compose(new spec())) process.stdout.write(text);
for (const [error, at] of uncaught) {
  const thrown = new Error(`No code caught an error while “${at.name}” ran, or a test before it.`, { cause: error });
  send({ kind: 'finished', outcome: 'failed', ...at, topLevel: false, durationMs: 0, error: inspect(thrown) });
}
await send({ kind: 'ended' });
// At once: a connection that a failed test left open would keep the process.
process.exit();
