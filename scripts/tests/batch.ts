/**
 * Runs test files one after the other in this process: `batch.ts FILE…`. The readable report goes to the output, the
 * result of each test to the process that started this one.
 */
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { inspect } from 'node:util';
import type { Message } from './results.ts';

const send = (message: Message) => new Promise((sent) => process.send!(message, undefined, undefined, sent));

// Whoever waits for the results has ended, by a signal for instance.
process.once('disconnect', () => process.exit(1));
// The tests have ended when nothing is left to wait for but this.
process.channel?.unref();

const tests = run({ files: process.argv.slice(2), isolation: 'none' });
tests.on('test:dequeue', ({ name, file, nesting }) => {
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
  send({ kind: 'finished', ...result, ...(outcome === 'failed' ? { error: inspect(error.cause ?? error) } : {}) });
});
const totals = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) \d/;
const shown = tests.filter(({ type, data }) => type !== 'test:diagnostic' || !totals.test(data.message));
for await (const text of shown.compose(new spec())) process.stdout.write(text);
await send({ kind: 'ended' });
// At once: a connection that a failed test left open would keep the process.
process.exit();
