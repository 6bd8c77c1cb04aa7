import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

/** Everything that sends requests through a gateway. */
const files = globSync(['serve.test.ts', 'policies.test.ts', 'http-server/*.test.ts', 'targets/reach.test.ts'], {
  cwd: import.meta.dirname,
}).map((file) => join(import.meta.dirname, file));

test('every request is served in the same way by public interfaces alone', async () => {
  const { NODE_TEST_CONTEXT: _ofThisRun, ...environment } = process.env;
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--test', '--test-isolation=none', '--test-reporter=spec', ...files],
    { env: { ...environment, MILLRACE_GATEWAY_NODE_INTERNALS: '0' }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [report, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  assert.equal(code, 0, report.slice(report.indexOf('failing tests:')));
  assert.match(report, /^ℹ pass [1-9]\d\d+$/m);
});
