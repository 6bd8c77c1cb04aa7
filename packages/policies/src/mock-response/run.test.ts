import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HeaderList } from '../header-list.ts';
import type { OwnAnswer } from '../run.ts';
import { exchangeOf, policyOf } from '../testing.ts';
import { compileMockResponse } from './run.ts';

describe('mock response', () => {
  it('responds as configured', () => {
    const answer = compileMockResponse(
      policyOf({ status: 201, headers: [{ name: 'X-Mock', value: 'true' }], body: '{"größe":1}', delayMs: 5 }),
    ).onHead!(exchangeOf()) as OwnAnswer;
    assert.equal(answer.status, 201);
    assert.deepEqual(answer.headers, ['content-type', 'application/json', 'x-mock', 'true']);
    assert.equal(Buffer.from(answer.body).toString(), '{"größe":1}');
    assert.equal(answer.delayMs, 5);
  });

  it('sends one content type', () => {
    const { onHead } = compileMockResponse(policyOf({ headers: [{ name: 'Content-Type', value: 'text/csv' }] }));
    const { headers } = onHead!(exchangeOf()) as OwnAnswer;
    assert.deepEqual(new HeaderList(headers).getAll('content-type'), ['text/csv']);
  });
});
