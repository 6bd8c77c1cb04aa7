import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { sendThenRead, type WholeRequest } from '@millrace/operations/testing';
import { startTestService, type TestService } from './testing.ts';

const form = { 'content-type': 'multipart/form-data; boundary=x' };
const json = { 'content-type': 'application/json' };
/** More than a connection's buffers hold, and more than any limit here. */
const bodyBytes = 32 * 1024 * 1024;
const path = '/api/external/v1/extract';
const dashboard = '/api/dashboard/v1';

describe('a refusal', () => {
  let service: TestService;
  let limitedKey: string;
  before(async () => {
    service = await startTestService();
    limitedKey = (await service.addKey({ rateLimitPerMinute: 1 })).raw;
  });
  after(() => service.stop());

  const refusals: readonly (readonly [string, () => Omit<WholeRequest, 'bodyBytes'>, status: number, code: string])[] =
    [
      ['without a key', () => ({ path, headers: form }), 401, 'invalid_api_key'],
      ['of a body in another form', () => ({ path, headers: { ...json, ...key() } }), 400, 'missing_document'],
      [
        'of a wrong parameter',
        () => ({ path: `${path}?async=maybe`, headers: { ...form, ...key() } }),
        400,
        'invalid_request',
      ],
      ['of a file that is too large', () => ({ path, headers: { ...form, ...key() } }), 413, 'file_too_large'],
      [
        'of a body that grows too large',
        () => ({ path, headers: { ...form, ...key() }, chunked: true }),
        400,
        'invalid_request',
      ],
      [
        'beyond the limit of calls',
        () => ({ path, headers: { ...form, 'x-api-key': limitedKey } }),
        429,
        'rate_limited',
      ],
      [
        'of an unknown path',
        () => ({ path: '/api/external/v1/none', headers: { ...form, ...key() } }),
        404,
        'not_found',
      ],
      ['of an unknown page', () => ({ path: '/none', headers: form }), 404, 'not_found'],
      ['of another method', () => ({ method: 'PUT', path, headers: { ...form, ...key() } }), 405, 'method_not_allowed'],
      [
        'of a page that is not the dashboard’s',
        () => ({ path: `${dashboard}/documents`, headers: { ...form, origin: 'https://elsewhere.example' } }),
        403,
        'forbidden',
      ],
      [
        'of somebody who is not signed in',
        () => ({ path: `${dashboard}/documents`, headers: { ...form, origin: service.baseUrl } }),
        401,
        'not_signed_in',
      ],
      [
        'of a sign-in that is too large',
        () => ({ path: `${dashboard}/session`, headers: { ...json, origin: service.baseUrl } }),
        413,
        'file_too_large',
      ],
    ];
  const key = () => ({ 'x-api-key': service.apiKey });

  for (const [name, request, status, code] of refusals) {
    for (const connection of ['keep-alive', 'close']) {
      test(`${name} reaches who sends everything first, with the connection to ${connection}`, async () => {
        // Of the limit of one call a minute.
        if (status === 429) await service.call('/health', { headers: { 'x-api-key': limitedKey } });
        const asked = request();
        const headers = { ...asked.headers, connection };
        const answer = await sendThenRead(service.baseUrl, { ...asked, headers, bodyBytes });
        assert.equal(answer.status, status, answer.text);
        assert.equal(JSON.parse(answer.text).error.code, code);
      });
    }
  }

  test('reaches Python’s own client', { skip: !hasPython() && 'needs python3' }, async () => {
    const { hostname, port } = new URL(service.baseUrl);
    const script = `
import http.client, urllib.request, urllib.error
connection = http.client.HTTPConnection(${JSON.stringify(hostname)}, ${port})
connection.request('POST', '${path}', b'a' * ${bodyBytes}, {'Content-Type': 'multipart/form-data; boundary=x', 'X-API-Key': '${service.apiKey}'})
print(connection.getresponse().status)
try:
    urllib.request.urlopen(urllib.request.Request('${service.baseUrl}${path}', b'a' * ${bodyBytes}))
except urllib.error.HTTPError as error:
    print(error.code)
`;
    const { stdout } = await promisify(execFile)('python3', ['-c', script]);
    assert.equal(stdout, '413\n401\n');
  });

  test('of what is no HTTP reaches who sends everything first', async () => {
    const answer = await sendThenRead(service.baseUrl, { method: 'P@ST', path, headers: form, bodyBytes });
    assert.equal(answer.status, 400, answer.text);
  });

  test('of headers that are too large reaches who sends everything first', async () => {
    const headers = { ...form, 'x-large': 'a'.repeat(64 * 1024) };
    const answer = await sendThenRead(service.baseUrl, { path, headers, bodyBytes });
    assert.equal(answer.status, 400, answer.text);
  });
});

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
