import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { operations } from '@millrace/extraction-contract/operations';
import { type Scope, scopes } from '@millrace/extraction-contract/scopes';
import { newId } from '../identifiers.ts';
import { newRawKey } from '../resources/keys/rules.ts';
import { keyHash } from './authenticate.ts';
import { startTestService, type TestService } from './testing.ts';

const prefix = '/api/external/v1';

describe('scopes of API keys', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service?.stop());

  type Listed = (typeof operations)[number];
  /** Calls an operation about something that does not exist, so that whoever is let in gets an error of their own. */
  async function callWith(key: string, { method, path }: Listed) {
    const address = path.slice(prefix.length).replaceAll(/:\w+/g, 'none');
    const response = await service.call(address, { method, headers: { 'x-api-key': key } });
    const text = await response.text();
    const { error = null }: { error?: { code: string; message: string } | null } = response.ok ? {} : JSON.parse(text);
    return { status: response.status, error, headers: response.headers };
  }

  /** A key as rows were written before the column came, which gave them what keys could do. */
  async function addKeyWithoutScopes(): Promise<string> {
    const raw = newRawKey();
    await service.opened.database.system
      .insertInto('api_keys')
      .values({ id: newId('key'), account_id: service.accountId, name: 'Old', prefix: '', key_hash: keyHash(raw) })
      .execute();
    return raw;
  }

  for (const operation of operations) {
    const needed: readonly Scope[] = operation.scopes;
    const { method, path } = operation;

    for (const scope of scopes) {
      const isEnough = needed.length === 0 || needed.includes(scope);
      test(`${method} ${path} ${isEnough ? 'takes' : 'refuses'} a key with ${scope} alone`, async () => {
        const { raw } = await service.addKey({ scopes: [scope] });
        const { status, error, headers } = await callWith(raw, operation);
        if (isEnough) {
          assert.notEqual(error?.code, 'insufficient_scope');
          assert.notEqual(status, 401);
          return;
        }
        assert.deepEqual([status, error?.code], [403, 'insufficient_scope']);
        for (const missing of needed) assert.ok(error?.message.includes(missing), error?.message);
        assert.equal(headers.get('www-authenticate'), `Bearer error="insufficient_scope", scope="${needed.join(' ')}"`);
        assert.match(headers.get('x-ratelimit-remaining') ?? '', /^\d+$/);
      });
    }

    test(`${method} ${path} refuses an expired key`, async () => {
      const { raw } = await service.addKey({ expiresAt: new Date(Date.now() - 1_000) });
      const { status, error } = await callWith(raw, operation);
      assert.deepEqual([status, error?.code], [401, 'expired_api_key']);
    });

    // Such a key may do what keys could do then, and nothing that came later.
    const couldDo = needed.length === 0 || needed.some((scope) => scope !== 'types');
    test(`${method} ${path} ${couldDo ? 'takes' : 'refuses'} a key from before there were scopes`, async () => {
      const { status } = await callWith(await addKeyWithoutScopes(), operation);
      if (couldDo) assert.ok(status !== 401 && status !== 403, String(status));
      else assert.equal(status, 403);
    });
  }

  test('every scope allows a call', () => {
    const used = new Set(operations.flatMap(({ scopes: needed }): readonly Scope[] => needed));
    assert.deepEqual([...used].sort(), [...scopes].sort());
  });
});
