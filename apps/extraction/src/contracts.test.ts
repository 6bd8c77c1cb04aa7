import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { operations } from '@millrace/extraction-contract/operations';
import type { AnyOperation } from '@millrace/operations';
import { dashboardOperations } from './dashboard-contracts.ts';

const all: readonly AnyOperation[] = [...operations, ...dashboardOperations];

test('every example is what its schemas accept', () => {
  for (const { id, request, responses, examples } of all) {
    for (const example of examples) {
      const { status, body } = example.answer;
      assert.deepEqual(responses[status]?.body.parse(body), body, `${id}: ${example.summary}`);
      request.params?.parse(example.request.params);
      request.query?.parse(example.request.query ?? {});
      request.body?.parse(example.request.body);
      request.multipart?.fields.parse(example.request.form ?? {});
    }
  }
});

test('operations have ids and addresses of their own', () => {
  for (const list of [operations, dashboardOperations] as readonly (readonly AnyOperation[])[]) {
    assert.equal(new Set(list.map(({ id }) => id)).size, list.length);
  }
  assert.equal(new Set(all.map(({ method, path }) => `${method} ${path}`)).size, all.length);
});

test('the contracts are safe for browsers: what they import at run time is zod and plain modules', () => {
  const seen = new Set<string>();
  const visit = (url: string) => {
    if (seen.has(url)) return;
    seen.add(url);
    const text = readFileSync(fileURLToPath(url), 'utf8');
    for (const [, clause, specifier] of text.matchAll(/^(?:import|export)\s+([^;]*?)\s+from '([^']+)';/gms)) {
      if (clause!.startsWith('type ') || specifier === 'zod') continue;
      assert.ok(/^\.|^@millrace\//.test(specifier!), `${url} imports ${specifier}`);
      visit(specifier!.startsWith('.') ? new URL(specifier!, url).href : import.meta.resolve(specifier!));
    }
  };
  visit(import.meta.resolve('@millrace/extraction-contract/operations'));
  visit(import.meta.resolve('./dashboard-contracts.ts'));
  visit(import.meta.resolve('@millrace/client'));
  assert.ok(seen.size > 10);
});
