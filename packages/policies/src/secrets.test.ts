import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hideCredentials, hideWrittenOut, isCredentialHeader, keepSecrets, writtenCredentials } from './secrets.ts';

const headers = (...set: readonly (readonly [string, string])[]) => ({
  set: set.map(([name, value]) => ({ name, value })),
});

describe('credentials in configurations', () => {
  it('recognizes credential headers by name', () => {
    for (const name of [
      'authorization',
      'Proxy-Authorization',
      'cookie',
      'set-cookie',
      'x-api-key',
      'api-key',
      'ocp-apim-subscription-key',
      'x-acme-token',
      'x-access-token',
      'accesstoken',
      'client-secret',
      'x-auth-user',
      'x-auth-token',
    ]) {
      assert.ok(isCredentialHeader(name), name);
    }
    for (const name of ['accept', 'via', 'content-type', 'idempotency-key', 'x-tokens-left', 'x-author', 'x-region']) {
      assert.ok(!isCredentialHeader(name), name);
    }
  });

  it('redacts literal values and leaves references and other headers', () => {
    const shown = (name: string, value: string) => hideCredentials(headers([name, value])).set[0]!.value;
    for (const [name, value] of [
      ['authorization', 'Bearer hunter2'],
      ['authorization', 'Bearer hunter2{{variables.REST}}'],
      ['x-partner', 'Bearer 5d0c9a1b77'],
      ['x-partner', '9f86d081884c7d659a2feaa0c55ad015'],
      ['cookie', 'session=hunter2; theme={{variables.THEME}}'],
    ] as const) {
      assert.equal(shown(name, value), '[secret]', value);
    }
    for (const [name, value] of [
      ['authorization', 'Bearer {{variables.TOKEN}}'],
      ['cookie', 'session={{variables.SESSION}}; Path=/; HttpOnly'],
      ['x-region', 'eu-central-1'],
      ['strict-transport-security', 'max-age=31536000; includeSubDomains'],
      ['content-type', 'application/vnd.acme.orders.v2+json'],
      ['www-authenticate', 'Basic realm="orders"'],
    ] as const) {
      assert.equal(shown(name, value), value);
    }
    assert.equal(hideWrittenOut('transform-headers', headers(['x-region', 'eu'])).set[0]!.value, '[secret]');
  });

  it('redacts credentials within a mocked body and an address', () => {
    const body = '{"access_token":"hunter2","token_type":"Bearer","user":{"password":"p\\"w","name":"Jo"}}';
    assert.equal(
      hideCredentials({ body }).body,
      '{"access_token":"[secret]","token_type":"Bearer","user":{"password":"[secret]","name":"Jo"}}',
    );
    assert.equal(
      hideCredentials({ jwksUrl: 'https://id.example/keys?tenant=a&api_key=hunter2' }).jwksUrl,
      'https://id.example/keys?tenant=a&api_key=[secret]',
    );
    assert.deepEqual(writtenCredentials(headers(['authorization', 'Bearer hunter2'])), ['Bearer hunter2', 'hunter2']);
    assert.deepEqual(writtenCredentials(headers(['set-cookie', 'sid=hunter2; Path=/'])), [
      'sid=hunter2; Path=/',
      'hunter2',
    ]);
  });

  it('keeps redacted values that are sent back, in any order', () => {
    const present = {
      ...headers(['authorization', 'Bearer one'], ['x-a', 'b'], ['x-api-key', 'two'], ['x-api-key', 'three']),
      body: '{"token":"four"}',
      url: 'https://a.example?token=five',
    };
    const shown = hideCredentials(present);
    assert.doesNotMatch(JSON.stringify(shown), /one|two|three|four|five/);
    assert.deepEqual(keepSecrets(shown, present), { configuration: present, missing: null });
    const moved = { ...shown, set: [shown.set[2]!, shown.set[0]!] };
    assert.deepEqual(keepSecrets(moved, present).configuration.set, [present.set[2], present.set[0]]);
  });

  it('reports a secret that was never stored', () => {
    const wanted = headers(['x-a', 'b'], ['authorization', '[secret]']);
    assert.deepEqual(keepSecrets(wanted, null).missing, { place: 'set.authorization.value', path: 'set.1.value' });
    // A secret goes with its header, and to no other.
    assert.ok(keepSecrets(headers(['x-shown', '[secret]']), headers(['authorization', 'Bearer one'])).missing);
  });
});
