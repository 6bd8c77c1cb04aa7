import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect } from 'node:tls';
import { startTestGateway, type TestGateway, testContent } from '@millrace/data-plane/testing';
import { eventually } from '@millrace/eventually';
import { type Certificates, watchCertificates } from './certificates.ts';

const skip = spawnSync('openssl', ['version']).error ? 'no openssl here to make certificates with' : false;

describe('the certificates of the gateway', { skip }, () => {
  let folder: string;
  let made: string;
  let certificates: Certificates;
  let gateway: TestGateway;
  const loads: (readonly string[])[] = [];
  const errors: string[] = [];

  /** `made/NAME.crt` and `.key`, for the DNS names. */
  function make(name: string, ...dnsNames: string[]): void {
    const names = dnsNames.map((dnsName) => `DNS:${dnsName}`).join();
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    const files = ['-keyout', join(made, `${name}.key`), '-out', join(made, `${name}.crt`)];
    execFileSync('openssl', [...request, '-subj', `/CN=${name}`, '-addext', `subjectAltName=${names}`, ...files], {
      stdio: 'ignore',
    });
  }
  /** Common name of the certificate that a caller gets who asks for the name. */
  async function shown(servername: string): Promise<string> {
    const socket = connect({ host: '127.0.0.1', port: gateway.port, servername, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { CN } = socket.getPeerCertificate().subject;
    socket.destroy();
    return String(CN);
  }
  const until = (condition: () => boolean) => eventually('the change', condition);

  before(async () => {
    [folder, made] = [mkdtempSync(join(tmpdir(), 'millrace-tls-')), mkdtempSync(join(tmpdir(), 'millrace-made-'))];
    make('default', 'gateway.example.com');
    make('api', 'api.example.com', '*.apis.example.com');
    make('api-renewed', 'api.example.com');
    make('other', 'other.example.com');
    for (const file of ['default.crt', 'default.key', 'api.crt', 'api.key'])
      copyFileSync(join(made, file), join(folder, file));
    certificates = await watchCertificates({
      folder,
      everyMs: 20,
      onLoad: (names) => loads.push(names),
      onError: ({ message }) => errors.push(message),
    });
    gateway = await startTestGateway({
      deployments: [{ content: testContent('orders', { policies: [{}] }) }],
      targets: { backend: 'http://127.0.0.1:9' },
      gateway: { tls: certificates },
    });
  });
  after(async () => {
    certificates?.stop();
    await gateway?.stop();
    for (const used of [folder, made]) if (used) rmSync(used, { recursive: true, force: true });
  });

  test('are chosen by the name that a caller requests', async () => {
    assert.equal(await shown('api.example.com'), 'api');
    assert.equal(await shown('orders.apis.example.com'), 'api');
    assert.equal(await shown('a.b.apis.example.com'), 'default');
    assert.equal(await shown('unknown.example.com'), 'default');
    assert.equal(await shown(''), 'default');
  });

  test('are used once complete, and open connections stay', async () => {
    const open = connect({ host: '127.0.0.1', port: gateway.port, rejectUnauthorized: false });
    await once(open, 'secureConnect');
    copyFileSync(join(made, 'api-renewed.crt'), join(folder, 'api.crt'));
    await until(() => errors.length > 0);
    assert.match(errors[0]!, /api\.crt: the key belongs to another certificate/);
    assert.equal(await shown('api.example.com'), 'api');
    copyFileSync(join(made, 'api-renewed.key'), join(folder, 'api.key'));
    mkdirSync(join(folder, 'other'));
    copyFileSync(join(made, 'other.key'), join(folder, 'other', 'privkey.pem'));
    copyFileSync(join(made, 'other.crt'), join(folder, 'other', 'fullchain.pem'));
    await until(() => loads.at(-1)?.includes('other.example.com') === true);
    assert.equal(await shown('api.example.com'), 'api-renewed');
    assert.equal(await shown('other.example.com'), 'other');
    open.write('GET /v1/orders/1 HTTP/1.1\r\nHost: gateway.example.com\r\n\r\n');
    const [answer] = await once(open, 'data');
    assert.match(String(answer), /^HTTP\/1\.1 401 /);
    open.destroy();
  });

  test('that renew the default one reach callers without a name', async () => {
    copyFileSync(join(made, 'other.key'), join(folder, 'default.key'));
    copyFileSync(join(made, 'other.crt'), join(folder, 'default.crt'));
    for (let waits = 0; (await shown('')) !== 'other'; waits += 1) assert(waits < 100);
  });

  test('have to exist at the start', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'millrace-tls-'));
    const options = { folder: empty, onLoad() {}, onError() {} };
    await assert.rejects(watchCertificates(options), /No certificate/);
    writeFileSync(join(empty, 'a.crt'), 'none');
    writeFileSync(join(empty, 'a.key'), 'secret');
    await assert.rejects(
      watchCertificates(options),
      ({ message }: Error) => /a\.crt/.test(message) && !/secret/.test(message),
    );
    rmSync(empty, { recursive: true });
  });
});
