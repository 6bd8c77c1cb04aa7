import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createConsumerDirectory } from '@millrace/data-plane/consumers';
import { eventually } from '@millrace/eventually';
import type { ConsumerChange } from '@millrace/gateway-configuration/consumers';
import type { Manifest, Signed } from '@millrace/gateway-configuration/manifest';
import { newSealingKeys, sealSecrets } from '@millrace/gateway-configuration/sealing';
import { createLogger } from '@millrace/logs';
import type { RevisionContent } from '@millrace/revision/content';
import { canonicalJson } from '@millrace/revision/hash';
import { type ConfigurationOptions, startConfiguration } from './configuration.ts';
import { startTestControlPlane, type TestControlPlane } from './testing.ts';

/** What a compiler was given. */
interface Loaded {
  readonly manifest: Manifest;
  readonly contents: readonly RevisionContent[];
  readonly secrets: ReadonlyMap<string, string>;
}

const contentOf = (name: string, description = ''): RevisionContent => ({
  proxy: {
    name,
    displayName: name,
    description,
    basePath: `/v1/${name}`,
    protocol: 'rest',
    authScheme: 'api_key',
  },
  routes: [],
  policies: [],
  specification: null,
});
const configurationOf = (...names: string[]) => ({ deployments: names.map((name) => ({ content: contentOf(name) })) });
const developers = (count: number, active = true): ConsumerChange[] =>
  Array.from({ length: count }, (_, index) => ({
    kind: 'developer',
    id: `dev_${index}`,
    value: { id: `dev_${index}`, name: 'Developer', active },
  }));

describe('the configuration of a gateway node', () => {
  let control: TestControlPlane;
  let directory: string;
  const lines: string[] = [];
  const open: { stop(): Promise<void> }[] = [];

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'millrace-configuration-'));
  });
  beforeEach(async () => {
    await Promise.all(open.splice(0).map((opened) => opened.stop()));
    rmSync(directory, { recursive: true });
    lines.length = 0;
    control = await startTestControlPlane();
    open.push(control);
  });
  after(async () => {
    await Promise.all(open.map((opened) => opened.stop()));
    rmSync(directory, { recursive: true, force: true });
  });

  async function startNode(registrationToken: string | null, more: Partial<ConfigurationOptions<Loaded>> = {}) {
    const used: Loaded[] = [];
    const drains: string[] = [];
    const consumers = createConsumerDirectory();
    const node = await startConfiguration<Loaded>({
      controlUrl: control.url,
      dataDirectory: directory,
      registrationToken,
      consumers,
      compile: async (manifest, contents, secrets) => ({
        manifest,
        contents: manifest.deployments.map(({ contentHash }) => contents.get(contentHash)!),
        secrets,
      }),
      use: (snapshot) => used.push(snapshot),
      onDrain: (drain) => drains.push(drain),
      onChange: () => {},
      logger: createLogger('info', { write: (line) => lines.push(line) }),
      ...more,
    });
    open.push(node);
    return {
      node,
      used,
      drains,
      consumers,
      stop: async () => {
        open.splice(open.indexOf(node), 1);
        await node.stop();
      },
      loaded: (sequence: number) =>
        eventually(`configuration ${sequence}`, () => used.at(-1)?.manifest.sequence === sequence),
    };
  }

  /** A node that has loaded the first configuration and all consumers. */
  async function startLoaded() {
    control.configure(configurationOf('orders'));
    control.changeConsumers(developers(3));
    const started = await startNode(control.newRegistrationToken());
    await started.loaded(1);
    return started;
  }

  test('is kept after one registration, without needing the token again', async () => {
    const first = await startLoaded();
    assert.deepEqual(first.node.state, {
      configuration: { sequence: 1, hash: first.node.state.configuration?.hash },
      consumersSequence: 3,
      refused: null,
      ready: true,
    });
    assert.deepEqual(first.used[0]!.contents, [contentOf('orders')]);
    await first.stop();
    const identity = join(directory, 'identity.json');
    assert.equal(statSync(identity).mode & 0o777, 0o600);
    const { token } = JSON.parse(readFileSync(identity, 'utf8')).identity;
    assert(!lines.join('').includes(token));

    const second = await startNode(null);
    await second.loaded(1);
    assert.equal(control.calls['/gateway/registrations'], 1);
    assert.equal(control.calls['/gateway/contents'], 1);
    await second.stop();
  });

  test('registers again only with a new token', async () => {
    const token = control.newRegistrationToken();
    control.configure({ ...configurationOf('orders'), secrets: { 'variable:TOKEN': 'secret' } });
    await (await startNode(token)).stop();
    await (await startNode(token)).stop();
    assert.equal(control.calls['/gateway/registrations'], 1);
    const again = await startNode(control.newRegistrationToken());
    await again.loaded(1);
    assert.equal(again.used[0]!.secrets.get('variable:TOKEN'), 'secret');
    assert.equal(control.calls['/gateway/registrations'], 2);
    await again.stop();
    // One that was used up does not keep a node that is registered from starting.
    await (await startNode('mrr_used')).loaded(1);
  });

  test('requires a registration', async () => {
    await assert.rejects(startNode(null), { name: 'IdentityError', message: /MILLRACE_GATEWAY_TOKEN/ });
    await assert.rejects(startNode('mrr_wrong'), { name: 'ControlRefused' });
    control.configure(configurationOf('orders'));
    const token = control.newRegistrationToken();
    control.pause();
    const late = await startNode(token);
    assert.deepEqual([late.node.state.ready, late.node.identity], [false, null]);
    control.resume();
    await late.loaded(1);
  });

  test('follows every change, without requests in between', async () => {
    const { node, used, drains, consumers, loaded } = await startLoaded();
    control.configure({ deployments: [{ content: contentOf('orders') }, { content: contentOf('invoices') }] });
    await loaded(2);
    assert.equal(used.at(-1)!.contents.length, 2);
    const beganMs = performance.now();
    control.changeConsumers([{ kind: 'developer', id: 'dev_1', value: null }]);
    await eventually('the consumers', () => consumers.sequence === 4);
    assert(performance.now() - beganMs < 10_000);
    control.drain('draining');
    await eventually('the drain', () => drains.length === 1);
    await eventually('the disk', () => node.state.consumersSequence === 4);
    const asked = control.calls['/gateway/configuration']!;
    await setTimeout(500);
    assert(control.calls['/gateway/configuration']! - asked <= 2);
  });

  test('is only loaded when all pages and contents are complete', async () => {
    control.pageSize = 7;
    control.configure(configurationOf(...Array.from({ length: 245 }, (_, index) => `proxy-${index}`)));
    control.changeConsumers(developers(100));
    const { used, consumers, loaded, stop } = await startNode(control.newRegistrationToken());
    await loaded(1);
    assert.deepEqual([used.length, used[0]!.contents.length, consumers.sequence], [1, 245, 100]);
    assert.equal(control.calls['/gateway/contents'], 3);
    control.changeConsumers(developers(30, false));
    await eventually('the changes', () => consumers.sequence === 130);
    await stop();
    control.pause();
    const second = await startNode(null);
    assert.deepEqual([second.used.length, second.consumers.sequence], [1, 130]);
  });

  test('fetches all consumers again after many changes, without a gap', async () => {
    const { consumers } = await startLoaded();
    for (let change = 0; change < 40; change += 1) {
      const sequence = consumers.sequence!;
      control.changeConsumers(developers(1, change % 2 === 0));
      await eventually('a change', () => consumers.sequence === sequence + 1);
    }
    const pages = () => readdirSync(join(directory, 'consumers')).length;
    await eventually('fewer pages', () => pages() < 20);
    control.changeConsumers(developers(1));
    await eventually('the last change', () => consumers.sequence === 44);
  });

  const tampered: Record<string, (sent: Record<string, unknown>) => void> = {
    'signature of the configuration is invalid': (sent) =>
      (sent.manifest = { ...(sent.manifest as Signed), text: '{}' }),
    'invalid configuration': (sent) => (sent.manifest = null),
    'not encrypted for this node': (sent) =>
      (sent.secrets = sealSecrets({ 'variable:A': 'x' }, newSealingKeys().publicKey)),
    'don’t belong to this configuration': (sent) => (sent.secrets = null),
  };
  const changed: Record<string, (manifest: Manifest & Record<string, unknown>) => void> = {
    'another organization': (manifest) => (manifest.organizationId = 'org_other'),
    'another organization or environment': (manifest) =>
      (manifest.environment = { ...manifest.environment, id: 'env_other' }),
    'doesn’t know \\(the whole': (manifest) => (manifest.newField = 1),
    'doesn’t know \\(format': (manifest) => ((manifest as { format: number }).format = 3),
    'does not have the content': (manifest) => (manifest.deployments[0]!.contentHash = '0'.repeat(64)),
  };
  const secret = { secrets: { 'variable:A': 'x' } };

  for (const [reason, change] of Object.entries({ ...tampered, ...changed })) {
    test(`is kept if the next one is rejected: ${reason}`, async () => {
      const { node, used, loaded } = await startLoaded();
      const refused = () => new RegExp(reason).test(`${node.state.refused?.reason} ${lines.join('')}`);
      if (reason in tampered) {
        control.tamper = (path, data) => {
          if (path === '/gateway/configuration' && data.configuration !== null) change(data.configuration as never);
        };
        control.configure({ ...configurationOf('orders', 'invoices'), ...secret });
      } else control.configure({ ...configurationOf('orders', 'invoices'), ...secret }, change as never);
      await eventually(reason, refused);
      assert.deepEqual([used.length, node.state.configuration?.sequence, node.state.ready], [1, 1, true]);
      control.tamper = null;
      control.configure(configurationOf('orders', 'invoices'));
      await loaded(3);
      assert.equal(node.state.refused, null);
    });
  }

  test('is completed when a response leaves out contents for its size', async () => {
    control.tamper = (path, data) => path === '/gateway/contents' && (data.contents as object[]).splice(2);
    control.configure(configurationOf('orders', 'invoices', 'customers', 'refunds', 'payments'));
    const { used, loaded } = await startNode(control.newRegistrationToken());
    await loaded(1);
    assert.deepEqual([used[0]!.contents.length, control.calls['/gateway/contents']], [5, 3]);
  });

  test('in a format that an older node doesn’t know is rejected with the advice to update the node', async () => {
    const { node, loaded } = await startLoaded();
    const advice =
      /format that this node doesn’t know \(.+\)\. Update the node to the version of the API management\.$/;
    control.configure(configurationOf('invoices'), (manifest) => ((manifest as { format: number }).format = 3));
    await eventually('the refusal', () => node.state.refused?.sequence === 2);
    assert.match(node.state.refused!.reason, advice);
    const asked = control.calls['/gateway/configuration']!;
    await setTimeout(1_000);
    const more = control.calls['/gateway/configuration']! - asked;
    assert(more <= 2, `it is not asked for again and again, but was ${more} times`);

    const newer: RevisionContent & { newField: number } = { ...contentOf('orders', 'newer'), newField: 1 };
    control.configure({ deployments: [{ content: newer }] });
    await eventually('the refusal of the content', () => node.state.refused?.sequence === 3);
    assert.match(node.state.refused!.reason, advice);
    control.configure(configurationOf('invoices'));
    await loaded(4);
  });

  test('is kept if a content doesn’t match its hash, or the compiler rejects it', async () => {
    let broken = '';
    const compile: ConfigurationOptions<Loaded>['compile'] = async (manifest, contents, secrets) => {
      if (broken !== '') throw new Error(broken);
      return { manifest, contents: manifest.deployments.map((one) => contents.get(one.contentHash)!), secrets };
    };
    control.configure(configurationOf('orders'));
    const { node, used, loaded } = await startNode(control.newRegistrationToken(), { compile });
    await loaded(1);
    control.tamper = (path, data) => {
      const [first] = (data.contents as { content: RevisionContent }[] | undefined) ?? [];
      if (path === '/gateway/contents' && first) first.content.proxy.description = 'changed';
    };
    control.configure(configurationOf('invoices'));
    await eventually('the content', () => /a different content than requested/.test(node.state.refused?.reason ?? ''));
    control.tamper = null;
    broken = 'orders, revision 1: the policy is none.';
    control.configure(configurationOf('receipts'));
    // The second may be looked at once more before the third.
    await eventually('the compiler', () => node.state.refused?.sequence === 3);
    assert.deepEqual([used.length, node.state.refused?.reason], [1, broken]);
    const asked = control.calls['/gateway/configuration']!;
    await setTimeout(1_000);
    const more = control.calls['/gateway/configuration']! - asked;
    assert(more <= 2, `it is not asked for again and again, but was ${more} times`);
  });

  test('is never replaced by an older one, nor are consumers', async () => {
    const { node, used, consumers } = await startLoaded();
    const old: Record<string, unknown>[] = [];
    control.tamper = (path, data) => path === '/gateway/configuration' && old.push(structuredClone(data));
    control.configure(configurationOf('invoices'));
    control.changeConsumers(developers(3, false));
    await eventually('the second', () => used.length === 2 && consumers.sequence === 6);
    const replay = old.find(({ configuration }) => configuration !== null)!;
    control.tamper = (path, data) => path === '/gateway/configuration' && Object.assign(data, replay);
    control.changeConsumers(developers(1, false));
    await eventually('the refusal', () => node.state.refused !== null);
    control.tamper = (path, data) => {
      if (path !== '/gateway/configuration') return;
      const page = { format: 1, organizationId: 'org_test', after: 0, upTo: 1, more: false, changes: [] };
      data.consumers = control.sign(canonicalJson(page));
    };
    control.changeConsumers(developers(1, false));
    await setTimeout(400);
    assert.deepEqual([used.length, consumers.sequence], [2, 6]);
    control.tamper = null;
    await eventually('the consumers', () => consumers.sequence === 8);
  });

  test('on disk is rejected as a whole if any byte of any file was changed, cut or lost', async () => {
    control.configure({ ...configurationOf('orders', 'invoices'), secrets: { 'variable:A': 'x' } });
    control.changeConsumers(developers(3));
    const first = await startNode(control.newRegistrationToken());
    await first.loaded(1);
    control.changeConsumers(developers(3, false));
    await eventually('the changes', () => first.node.state.consumersSequence === 6);
    await first.stop();
    control.pause();
    const whole = `${directory}-whole`;
    cpSync(directory, whole, { recursive: true });
    const files = readdirSync(whole, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(whole.length));
    assert.equal(files.length, 6);
    for (const file of files) {
      const bytes = readFileSync(whole + file);
      const at = Array.from({ length: 8 }, () => Math.floor(Math.random() * bytes.length));
      const damages = [
        null,
        Buffer.alloc(0),
        bytes.subarray(0, bytes.length - 1),
        ...at.map((place) => bytes.subarray(0, place)),
        ...at.map((place) => flipped(bytes, place, 1 << (place % 7))),
        randomBytes(bytes.length),
      ];
      for (const damage of damages) {
        rmSync(directory, { recursive: true });
        cpSync(whole, directory, { recursive: true });
        if (damage === null) rmSync(directory + file);
        else writeFileSync(directory + file, damage);
        if (file === '/identity.json') {
          await assert.rejects(startNode(null), { name: 'IdentityError' });
          continue;
        }
        const { node, used, stop } = await startNode(null);
        const { ready, refused } = node.state;
        assert.deepEqual([used.length, ready], [0, false], `${file} ${damage === null ? 'lost' : damage.length}`);
        assert(refused !== null);
        await stop();
      }
    }
    control.resume();
    const { loaded, consumers } = await startNode(null);
    await loaded(1);
    assert.equal(consumers.sequence, 6, 'it is fetched again');
    rmSync(whole, { recursive: true });
  });

  test('on disk is rejected if one of its files was replaced by an older one', async () => {
    const first = await startLoaded();
    await first.stop();
    const older = `${directory}-older`;
    cpSync(directory, older, { recursive: true });
    control.configure(configurationOf('invoices'));
    control.changeConsumers(developers(3, false));
    const second = await startNode(null);
    await second.loaded(2);
    await eventually('the changes', () => second.node.state.consumersSequence === 6);
    await second.stop();
    control.pause();
    const newer = `${directory}-newer`;
    cpSync(directory, newer, { recursive: true });
    const cases = [['configuration.json'], ['contents', 'configuration.json'], ['consumers']];
    for (const replaced of cases) {
      rmSync(directory, { recursive: true });
      cpSync(newer, directory, { recursive: true });
      for (const name of replaced) {
        rmSync(join(directory, name), { recursive: true });
        cpSync(join(older, name), join(directory, name), { recursive: true });
      }
      const { used, stop } = await startNode(null);
      assert.equal(used.length, 0, replaced.join());
      await stop();
    }
    for (const folder of [older, newer]) rmSync(folder, { recursive: true });
    assert(!existsSync(older));
  });
});

function flipped(bytes: Buffer, place: number, bits: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[place]! ^= bits;
  return changed;
}
