import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { invoicePdf, startTestService, type TestService } from '../../http/testing.ts';
import {
  claimIdempotencyKey,
  type IdempotencyClaim,
  recordIdempotentAnswer,
  releaseIdempotencyKey,
  renewIdempotencyClaim,
} from './store.ts';

describe('a claim on an Idempotency-Key', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  const system = () => service.opened.database.system;
  const claims = async () => {
    const { id, account_id } = await system()
      .selectFrom('api_keys')
      .select(['id', 'account_id'])
      .executeTakeFirstOrThrow();
    const first: IdempotencyClaim = {
      apiKeyId: id,
      key: randomUUID(),
      requestHash: Buffer.alloc(32),
      holder: randomUUID(),
    };
    const as = <Result>(work: (transaction: TenantTransaction) => Promise<Result>) =>
      tenantTransaction(service.opened.database, account_id, work);
    return { first, second: { ...first, holder: randomUUID() }, as };
  };
  const setHeldUntil = (key: string, from: string) =>
    sql`update idempotency_keys set held_until = now() + ${from}::interval where key = ${key}`.execute(system());

  test('is renewed while the request is in progress, and lapses when its process no longer does', async () => {
    const { first, second, as } = await claims();
    const claim = (one: IdempotencyClaim) => as((transaction) => claimIdempotencyKey(transaction, one));
    assert.deepEqual(await claim(first), { kind: 'claimed' });
    assert.deepEqual(await claim(second), { kind: 'in_progress' });
    await setHeldUntil(first.key, '-1 seconds');
    await as((transaction) => renewIdempotencyClaim(transaction, first));
    assert.deepEqual(await claim(second), { kind: 'in_progress' });
    await setHeldUntil(first.key, '-1 seconds');
    assert.deepEqual(await claim(second), { kind: 'claimed' });
  });

  test('that another request took over can neither be renewed, released nor answered', async () => {
    const { first, second, as } = await claims();
    await as((transaction) => claimIdempotencyKey(transaction, first));
    await setHeldUntil(first.key, '-1 seconds');
    await as((transaction) => claimIdempotencyKey(transaction, second));
    await setHeldUntil(first.key, '-1 hours');
    await as((transaction) => renewIdempotencyClaim(transaction, first));
    await as((transaction) => releaseIdempotencyKey(transaction, first));
    const recorded = { kind: 'job', jobId: 'job_1' } as const;
    assert.equal(await as((transaction) => recordIdempotentAnswer(transaction, first, recorded, 202)), false);
    const { rows } = await sql<{ holder: string; is_held: boolean }>`
      select holder, held_until > now() as is_held from idempotency_keys where key = ${first.key}`.execute(system());
    assert.deepEqual(rows, [{ holder: second.holder, is_held: false }]);
    assert.equal(await as((transaction) => recordIdempotentAnswer(transaction, second, recorded, 202)), true);
  });

  test('of a process that died gives way to the repeated upload', async () => {
    const key = randomUUID();
    const headers = { 'idempotency-key': key };
    const file = { name: 'invoice.pdf', bytes: invoicePdf };
    const first = await service.extract(file, { headers });
    assert.equal(first.status, 200);
    const { meta } = (await first.json()) as { meta: { document_id: string } };
    // As the key of an upload whose process was killed before it stored anything.
    await sql`update idempotency_keys set state = 'started', document_id = null, status = null where key = ${key}`.execute(
      system(),
    );
    await setHeldUntil(key, '1 hour');
    const early = await service.extract(file, { headers });
    assert.deepEqual([early.status, early.headers.get('retry-after')], [409, '2']);
    await early.arrayBuffer();
    await setHeldUntil(key, '-1 seconds');
    const late = await service.extract(file, { headers });
    assert.equal(late.status, 200);
    assert.notEqual(((await late.json()) as { meta: { document_id: string } }).meta.document_id, meta.document_id);
  });
});
