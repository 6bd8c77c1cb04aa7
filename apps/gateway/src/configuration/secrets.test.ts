import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestCaller, TestControl } from '@millrace/control/testing';
import { createSealer } from '@millrace/encryption';
import { maxSecretsSizeBytes } from '@millrace/gateway-configuration/manifest';
import { secretsSizeBytes } from '@millrace/gateway-configuration/sealing';
import {
  addProxy,
  addRevision,
  deploy,
  done,
  isLive,
  keyed,
  startNode,
  startPlatform,
  type TestGatewayNode,
  type TestPlatform,
} from '../testing-platform.ts';

describe('the secrets of an environment', () => {
  let platform: TestPlatform;
  let control: TestControl;
  let administrator: TestCaller;
  let environmentId: string;
  let node: TestGatewayNode;

  before(async () => {
    platform = await startPlatform();
    ({ control, administrator, environmentId } = platform);
    node = await startNode(administrator, control.baseUrl, environmentId);
  });
  after(async () => {
    await node?.stop();
    await platform?.stop();
  });

  test('load up to the maximum size that can be stored; a deployment that exceeds it is reported beforehand', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `SECRET_${index}`);
    const value = '世'.repeat(10_000);
    const values = new Map(names.map((name, index) => [name, index < 99 ? value : '']));
    const sizeBytes = () => {
      const secrets = [...values].map(([name, held]) => [`variable:${name}`, held] as const);
      return secretsSizeBytes({ maskingKey: 'x'.repeat(44), ...Object.fromEntries(secrets) });
    };
    values.set('SECRET_99', value.slice(3_000));
    values.set('SECRET_100', 'x'.repeat(maxSecretsSizeBytes - sizeBytes()));
    assert.equal(sizeBytes(), maxSecretsSizeBytes);
    const put = (name: string, given: string) =>
      administrator.call('PUT', `/environments/${environmentId}/variables/${name}`, { value: given, secret: true });
    for (const [name, given] of values) assert.equal((await put(name, given)).status, 200, name);
    assert.equal((await put('SECRET_100', `${values.get('SECRET_100')}x`)).status, 413);

    const proxy = await addProxy(administrator, [keyed]);
    const text = names.map((name) => `{{variables.${name}}}`).join(' ');
    await done(administrator, 'POST', `/proxies/${proxy.proxyId}/policies`, {
      kind: 'transform-headers',
      flow: 'request',
      configuration: { set: [{ name: 'authorization', value: text }] },
    });
    const revision = await addRevision(administrator, proxy, '/revision-2');
    const wanted = { proxyId: proxy.proxyId, environmentId, revision };
    const preflight = async () => done(administrator, 'POST', '/deployments/preflight', wanted);
    assert.equal((await preflight()).deployable, true);
    await isLive(administrator, await deploy(administrator, wanted));

    // As it could be stored before sizes were bounded.
    const sealer = createSealer([control.encryptionKey], 'control secrets');
    const context = `variable ${environmentId} SECRET_99`;
    await control.opened.database.system
      .updateTable('environment_variables')
      .set({ sealed_value: sealer.seal(Buffer.from(`${values.get('SECRET_99')}x`), context) })
      .where('name', '=', 'SECRET_99')
      .execute();
    const { deployable, problems } = await preflight();
    const codes = problems.map(({ code }: { code: string }) => code);
    assert.deepEqual([deployable, codes.includes('secrets-too-large')], [false, true]);
    assert.equal((await administrator.call('POST', '/deployments', wanted)).status, 409);
    const elsewhere = { ...wanted, revision: 1 };
    assert.equal((await done(administrator, 'POST', '/deployments/preflight', elsewhere)).deployable, true);
  });
});
