import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import type { Decision, Exchange } from '../run.ts';
import { decisionOf, exchangeOf, partsOf, policyOf } from '../testing.ts';
import { compileVerifyJwt } from './run.ts';

const configuration = {
  jwksUrl: 'https://login.example.com/keys',
  issuer: 'https://login.example.com/',
  audience: ['https://api.example.com'],
  algorithms: ['RS256', 'ES256', 'EdDSA'],
  clockSkewSeconds: 30,
};
const nowMs = Date.parse('2026-03-01T12:00:00Z');
const now = nowMs / 1_000;
const claims: JWTPayload = {
  iss: configuration.issuer,
  aud: 'https://api.example.com',
  sub: 'user-1',
  exp: now + 600,
  scope: 'orders.read orders.write',
};

interface KeyPair {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}
let rsa: KeyPair;
let ec: KeyPair;
let stranger: KeyPair;
let ed: KeyPair;

before(async () => {
  [rsa, ec, stranger, ed] = await Promise.all([
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('ES256', { extractable: true }),
    generateKeyPair('ES256', { extractable: true }),
    generateKeyPair('EdDSA', { extractable: true }),
  ]);
});

async function publish(...keys: readonly [string, KeyPair][]) {
  return {
    keys: await Promise.all(keys.map(async ([kid, key]) => ({ ...(await exportJWK(key.publicKey)), kid, use: 'sig' }))),
  };
}

function sign(payload: JWTPayload, key: KeyPair, header: Record<string, unknown>): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', ...header }).sign(key.privateKey);
}

/** A gateway's policy with an issuer that counts how often it is asked. */
async function issuerOf(keys: unknown, more = {}) {
  const issuer = { keys, fetches: 0, away: false };
  const policy = compileVerifyJwt(
    policyOf({ ...configuration, ...more }),
    partsOf({
      async fetchJson(url) {
        assert.equal(url, configuration.jwksUrl);
        issuer.fetches++;
        await new Promise(setImmediate);
        if (issuer.away) throw new Error('The issuer is away.');
        return issuer.keys;
      },
    }),
  );
  const ask = async (token: string | null, atMs = nowMs, headers: readonly string[] = []) => {
    const exchange = exchangeOf(
      { headers: token === null ? headers : ['Authorization', `Bearer ${token}`, ...headers] },
      { startedAtMs: atMs },
    );
    const decision = await decisionOf(policy, exchange);
    return { outcome: outcomeOf(decision, exchange), exchange };
  };
  return {
    issuer,
    policy,
    ask,
    outcome: async (token: string | null, atMs?: number) => (await ask(token, atMs)).outcome,
  };
}

function outcomeOf(decision: Decision, exchange: Exchange): string {
  if (decision === null) return exchange.caller?.kind === 'token' ? `passed ${exchange.caller.subject}` : 'passed';
  assert.equal(exchange.caller, null);
  return decision.kind === 'refusal' ? decision.error : decision.kind;
}

describe('JWT', () => {
  it('admits tokens signed by the issuer, with each algorithm', async () => {
    const { outcome, issuer } = await issuerOf(await publish(['r', rsa], ['e', ec], ['d', ed]));
    assert.equal(await outcome(await sign(claims, rsa, { alg: 'RS256', kid: 'r' })), 'passed user-1');
    assert.equal(await outcome(await sign(claims, ec, { kid: 'e' })), 'passed user-1');
    assert.equal(await outcome(await sign(claims, ed, { alg: 'EdDSA', kid: 'd' })), 'passed user-1');
    assert.equal(
      await outcome(await sign({ ...claims, aud: ['x', 'https://api.example.com'] }, ec, { kid: 'e' })),
      'passed user-1',
    );
    assert.equal(issuer.fetches, 1);
  });

  it('rejects tokens that are missing, repeated, not bearer tokens, malformed or oversized', async () => {
    const { outcome, ask, issuer } = await issuerOf(await publish(['e', ec]));
    const token = await sign(claims, ec, { kid: 'e' });
    assert.equal(await outcome(null), 'token_missing');
    assert.equal((await ask(null, nowMs, ['Authorization', `Basic ${token}`])).outcome, 'token_missing');
    assert.equal((await ask(token, nowMs, ['authorization', `Bearer ${token}`])).outcome, 'token_invalid');
    for (const malformed of [
      'x',
      'a.b',
      `${token}.c`,
      `${token}=`,
      'a.b.c',
      `${token.slice(0, -4)}AAAA`,
      '..',
      'e30.e30.',
    ]) {
      assert.equal(await outcome(malformed), 'token_invalid', malformed);
    }
    const before = issuer.fetches;
    const large = await sign({ ...claims, padding: 'x'.repeat(9_000) }, ec, { kid: 'e' });
    assert.equal(await outcome(large), 'token_invalid');
    assert.equal(issuer.fetches, before);
  });

  it('rejects forgeries', async () => {
    const { outcome } = await issuerOf(await publish(['r', rsa], ['e', ec]));
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    assert.equal(await outcome(`${new UnsecuredJWT(claims).encode()}x`), 'token_invalid', 'none');
    assert.equal(await outcome(`${part({ alg: 'None', kid: 'r' })}.${part(claims)}.AAAA`), 'token_invalid');
    // The published key as the secret of a symmetric algorithm.
    const head = `${part({ alg: 'HS256', kid: 'r' })}.${part(claims)}`;
    for (const secret of [await exportSPKI(rsa.publicKey), JSON.stringify(await exportJWK(rsa.publicKey))]) {
      const signature = createHmac('sha256', secret).update(head).digest('base64url');
      assert.equal(await outcome(`${head}.${signature}`), 'token_invalid');
    }
    assert.equal(await outcome(await sign(claims, stranger, { kid: 'e' })), 'token_invalid', 'the key of another');
    const own = await exportJWK(stranger.publicKey);
    assert.equal(
      await outcome(await sign(claims, stranger, { kid: 'e', jwk: own })),
      'token_invalid',
      'its own key along',
    );
    assert.equal(
      await outcome(await sign(claims, stranger, { kid: 'e', jku: 'https://evil.example/keys' })),
      'token_invalid',
    );
    for (const kid of ['../../dev/null', "' or 1=1", '__proto__', '']) {
      assert.equal(await outcome(await sign(claims, stranger, { kid })), 'token_invalid', kid);
    }
    const token = await sign(claims, ec, { kid: 'e' });
    const [header, , signature] = token.split('.');
    assert.equal(await outcome(`${header}.${part({ ...claims, sub: 'admin' })}.${signature}`), 'token_invalid');
    const critical = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'e', crit: ['x'], x: 1 });
    assert.equal(await outcome(await critical.sign(ec.privateKey, { crit: { x: true } })), 'token_invalid', 'crit');
  });

  it('rejects an algorithm that is not accepted, whatever the key supports', async () => {
    const { outcome } = await issuerOf(await publish(['r', rsa]), { algorithms: ['ES256'] });
    assert.equal(await outcome(await sign(claims, rsa, { alg: 'RS256', kid: 'r' })), 'token_invalid');
  });

  it('checks issuer, audience and times', async () => {
    const { outcome } = await issuerOf(await publish(['e', ec]));
    const wrong: Record<string, unknown>[] = [
      { iss: 'https://login.example.com' },
      { iss: undefined },
      { aud: 'https://other.example.com' },
      { aud: [] },
      { aud: undefined },
      { exp: now - 31 },
      { exp: undefined },
      { exp: '9999999999' },
      { nbf: now + 31 },
      { nbf: 'x' },
    ];
    for (const change of wrong) {
      assert.equal(
        await outcome(await sign({ ...claims, ...change }, ec, { kid: 'e' })),
        'token_invalid',
        JSON.stringify(change),
      );
    }
    assert.equal(
      await outcome(await sign({ ...claims, exp: now - 29, nbf: now + 29 }, ec, { kid: 'e' })),
      'passed user-1',
    );
  });

  it('requires claims', async () => {
    const { outcome } = await issuerOf(await publish(['e', ec]), {
      requiredClaims: [
        { claim: 'scope', anyOf: ['orders.read'] },
        { claim: 'tenant' },
        { claim: 'roles', anyOf: ['a', 'b'] },
      ],
    });
    const token = (change: JWTPayload) => sign({ ...claims, tenant: 't', roles: ['b'], ...change }, ec, { kid: 'e' });
    assert.equal(await outcome(await token({})), 'passed user-1');
    const wrong: JWTPayload[] = [
      { scope: 'orders.reader' },
      { scope: 'xorders.read' },
      { tenant: null },
      { tenant: undefined },
      { roles: ['c'] },
      { roles: [['a']] },
      { roles: 'a b' },
    ];
    for (const change of wrong)
      assert.equal(await outcome(await token(change)), 'claim_missing', JSON.stringify(change));
    const { outcome: prototype } = await issuerOf(await publish(['e', ec]), {
      requiredClaims: [{ claim: 'constructor' }],
    });
    assert.equal(await prototype(await token({})), 'claim_missing');
  });

  it('remembers a token until it expires, and forgets it with its key', async () => {
    const { issuer, policy, outcome } = await issuerOf(await publish(['e', ec]));
    const token = await sign(claims, ec, { kid: 'e' });
    assert.equal(await outcome(token), 'passed user-1');
    const exchange = exchangeOf({ headers: ['Authorization', `bearer ${token}`] }, { startedAtMs: nowMs + 1_000 });
    assert.equal(policy.onHead!(exchange), null, 'without waiting');
    assert.equal(exchange.caller?.kind, 'token');
    issuer.keys = await publish(['other', stranger]);
    assert.equal(await outcome(token, nowMs + 601_000), 'passed user-1', 'while the keys are fetched');
    while ((await outcome(token, nowMs + 602_000)) !== 'token_invalid')
      await new Promise((resolve) => setTimeout(resolve, 1));

    issuer.keys = await publish(['e', ec]);
    const other = await sign({ ...claims, exp: now + 1_500 }, ec, { kid: 'e' });
    assert.equal(await outcome(other, (now + 1_300) * 1_000), 'passed user-1', 'its key is looked for');
    assert.equal(await outcome(other, (now + 1_529) * 1_000), 'passed user-1');
    assert.equal(await outcome(other, (now + 1_530) * 1_000), 'token_invalid', 'expired');
  });

  it('fetches keys again for an unknown key id, but not for every made-up one', async () => {
    const { issuer, outcome } = await issuerOf(await publish(['e', ec]));
    assert.equal(await outcome(await sign(claims, ec, { kid: 'e' })), 'passed user-1');
    issuer.keys = await publish(['e', ec], ['new', stranger]);
    const token = await sign(claims, stranger, { kid: 'new' });
    assert.equal(await outcome(token, nowMs + 1_000), 'token_invalid', 'just fetched');
    assert.equal(await outcome(token, nowMs + 31_000), 'passed user-1');
    assert.equal(issuer.fetches, 2);
    for (let index = 0; index < 50; index++) {
      await outcome(await sign(claims, stranger, { kid: `made-up-${index}` }), nowMs + 32_000 + index);
    }
    assert.equal(issuer.fetches, 2);
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        outcome(await sign(claims, ec, { kid: `x${index}` }), nowMs + 62_000),
      ),
    );
    assert.equal(issuer.fetches, 3, 'one for all');
  });

  it('fetches once for all waiting requests', async () => {
    const { issuer, outcome } = await issuerOf(await publish(['e', ec]));
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, index) => sign({ ...claims, jti: String(index) }, ec, { kid: 'e' })),
    );
    assert.deepEqual(new Set(await Promise.all(tokens.map((token) => outcome(token)))), new Set(['passed user-1']));
    assert.equal(issuer.fetches, 1);
  });

  it('uses old keys for a while if the issuer is unreachable', async () => {
    const { issuer, outcome } = await issuerOf(await publish(['e', ec]));
    const token = await sign({ ...claims, exp: now + 100_000 }, ec, { kid: 'e' });
    assert.equal(await outcome(token), 'passed user-1');
    issuer.away = true;
    assert.equal(await outcome(token, nowMs + 601_000), 'passed user-1');
    assert.equal(await outcome(token, nowMs + 4_199_000), 'passed user-1');
    await assert.rejects(() => outcome(token, nowMs + 4_201_000), /are unavailable/);
    issuer.away = false;
    assert.equal(await outcome(token, nowMs + 4_203_000), 'passed user-1');
  });

  it('fails if no keys are available, without flooding the issuer', async () => {
    const { issuer, outcome } = await issuerOf(await publish(['e', ec]));
    issuer.away = true;
    const token = await sign(claims, ec, { kid: 'e' });
    for (let index = 0; index < 20; index++)
      await assert.rejects(() => outcome(token, nowMs + index), /are unavailable/);
    assert.equal(issuer.fetches, 1);
    for (const keys of [
      null,
      [],
      {},
      { keys: [] },
      { keys: {} },
      { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] },
      { keys: Array(101).fill({ kty: 'EC' }) },
    ]) {
      const { outcome: broken } = await issuerOf(keys);
      await assert.rejects(() => broken(token), /are unavailable/, JSON.stringify(keys));
    }
  });

  it('removes the token, and keeps the caller that a key identified', async () => {
    const { ask } = await issuerOf(await publish(['e', ec]), { removeFromRequest: true });
    const { exchange } = await ask(await sign(claims, ec, { kid: 'e' }), nowMs, ['X-Kept', '1']);
    assert.deepEqual(exchange.request.headers.fields, ['X-Kept', '1']);
  });
});
