import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { operationsOfScreens } from '@millrace/ui/screen-operations';
import { withoutBrowser } from '@millrace/ui/testing';
import { operationCalls } from './portal.ts';

const folder = join(import.meta.dirname, '..');

// scripts/tests/run-tests.ts runs this file when all others have ended.
test('every operation that a screen can call is called by a browser test', { skip: withoutBrowser }, (context) => {
  const notRun = operationCalls.filesNotRun(folder, 'startPortal(', import.meta.filename);
  if (notRun.length > 0) return context.skip(`Run these too: ${notRun.join(', ')}`);
  assert.deepEqual(operationCalls.missing(operationsOfScreens(join(folder, 'src'), 'frame/api.ts')), []);
});
