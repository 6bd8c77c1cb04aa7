import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sendThenRead } from '@millrace/operations/testing';
import { sessionCookieName } from '../frame/authenticate.ts';
import { startTestControl, type TestCaller, type TestControl } from '../testing.ts';

/** More than a connection's buffers hold, and more than any limit here. */
const bodyBytes = 32 * 1024 * 1024;

describe('a rejection', () => {
  let control: TestControl;
  let auditor: TestCaller;
  before(async () => {
    control = await startTestControl();
    auditor = await control.addUser(await control.addOrganization(), ['auditor']);
  });
  after(() => control.stop());

  const json = { 'content-type': 'application/json' };
  const signedIn = () => ({ ...json, origin: control.baseUrl, cookie: `${sessionCookieName}=${auditor.sessionToken}` });
  const refusals = [
    ['without a session', '/api/proxies', () => json, 401],
    ['of a page elsewhere', '/api/proxies', () => ({ ...signedIn(), origin: 'https://elsewhere.example' }), 403],
    ['without the permission', '/api/proxies', signedIn, 403],
    ['of an unknown path', '/api/none', signedIn, 404],
    ['of an unknown page', '/none', () => ({ 'content-type': 'multipart/form-data; boundary=x' }), 404],
    ['of a body that is too large', '/api/auth/login', () => ({ ...json, origin: control.baseUrl }), 413],
    ['of a body with another media type', '/api/auth/login', () => ({ 'content-type': 'text/plain' }), 415],
  ] as const;

  for (const [name, path, headers, status] of refusals) {
    for (const connection of ['keep-alive', 'close']) {
      test(`${name} reaches a caller that sends everything first, with the connection to ${connection}`, async () => {
        const answer = await sendThenRead(control.baseUrl, { path, headers: { ...headers(), connection }, bodyBytes });
        assert.equal(answer.status, status, answer.text);
        assert.equal(JSON.parse(answer.text).status, false);
      });
    }
  }
});
