import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createMemoryCounters } from '@millrace/counters/memory';
import { createConsumerDirectory } from '@millrace/data-plane/consumers';
import { createGateway } from '@millrace/data-plane/serve';
import { compileSnapshot, type LoadedSnapshot } from '@millrace/data-plane/snapshot';
import { defaultReach, testCaller, testContent, testTarget } from '@millrace/data-plane/testing';
import { createLogger } from '@millrace/logs';
import { createAnswerCache } from '@millrace/policies/answer-cache';
import { startConfiguration } from './configuration.ts';
import { diskFiles, type Files } from './files.ts';
import { startTestControlPlane, type TestControlPlane } from './testing.ts';

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');
const key = { kind: 'verify-api-key' };
/** Nobody who calls in these tests is admitted by it. */
const elsewhere = { kind: 'ip-allow-list', configuration: { allow: ['192.0.2.1'] } };

/** The disk of a machine that dies at a step: what was written until then stays, and nothing comes after. */
function dyingFiles(atStep: number): Files & { readonly steps: number } {
  let steps = 0;
  const step = async (write?: () => Promise<void>): Promise<void> => {
    steps += 1;
    if (steps === atStep) await write?.();
    if (steps >= atStep) throw new Error('The machine is dead.');
  };
  return {
    get steps() {
      return steps;
    },
    read: diskFiles.read,
    list: diskFiles.list,
    async write(path, bytes) {
      const part = Buffer.from(bytes as Uint8Array).subarray(0, Math.floor(Math.random() * bytes.length));
      await step(() => diskFiles.write(path, part));
      await diskFiles.write(path, bytes);
    },
    async sync(path) {
      await step();
      await diskFiles.sync(path);
    },
    async rename(from, to) {
      await step();
      await diskFiles.rename(from, to);
    },
    async remove(path) {
      await step();
      await diskFiles.remove(path);
    },
  };
}

describe('a gateway node that is killed while it loads', () => {
  let target: Server;
  let directory: string;

  before(async () => {
    target = createServer((_, response) => response.end('from the target'));
    await once(target.listen(0, '127.0.0.1'), 'listening');
    directory = mkdtempSync(join(tmpdir(), 'millrace-faults-'));
  });
  after(() => {
    target.close();
    target.closeAllConnections();
    rmSync(directory, { recursive: true, force: true });
  });

  const serving = (revision: 1 | 2) => ({
    deployments: [
      { content: testContent('orders', { policies: revision === 1 ? [key] : [elsewhere, key] }), revision },
    ],
    targetServers: {
      backend: testTarget('backend', `http://127.0.0.1:${(target.address() as AddressInfo).port}`),
    },
    secrets: { 'variable:TOKEN': `secret ${revision}` },
  });

  async function startControl(): Promise<TestControlPlane> {
    const control = await startTestControlPlane();
    control.pageSize = 6;
    control.configure(serving(1));
    control.changeConsumers([
      ...testCaller('kept', hashOf('kept'), ['prx_orders']),
      ...testCaller('revoked', hashOf('revoked'), ['prx_orders']),
    ]);
    return control;
  }

  async function startNode(controlUrl: string, registrationToken: string | null, files: Files = diskFiles) {
    const consumers = createConsumerDirectory();
    const counters = createMemoryCounters();
    const parts = {
      counters,
      consumers,
      answers: createAnswerCache(1_000_000),
      fetchJson: () => Promise.reject(),
      reach: defaultReach,
    };
    const gateway = createGateway({ host: '127.0.0.1', port: 0, record() {} });
    const url = `http://127.0.0.1:${await gateway.listen()}`;
    const configuration = await startConfiguration<LoadedSnapshot>({
      controlUrl,
      dataDirectory: directory,
      registrationToken,
      consumers,
      compile: (manifest, contents, secrets, previous) => compileSnapshot(manifest, contents, secrets, parts, previous),
      use: gateway.use,
      onDrain() {},
      onChange() {},
      logger: createLogger('silent', { write() {} }),
      files,
    }).catch((error: unknown) => {
      if (files === diskFiles && registrationToken !== null) throw error;
      return null;
    });
    return {
      url,
      state: () => configuration?.state ?? null,
      async stop() {
        await configuration?.stop();
        await gateway.stop(0);
        await counters.close();
      },
    };
  }

  const call = async (url: string, apiKey?: string) => {
    const response = await fetch(
      `${url}/v1/orders/1`,
      apiKey === undefined ? {} : { headers: { 'x-api-key': apiKey } },
    );
    await response.arrayBuffer();
    return response.status;
  };

  /** What a node admitted may not be more than the newest that it has acknowledged. */
  async function assertPoliced(url: string, acknowledged: { second: boolean; revoked: boolean }, when: string) {
    const [none, revoked, kept] = [await call(url), await call(url, 'revoked'), await call(url, 'kept')];
    assert([401, 403, 503].includes(none), `${when}: ${none} without a key`);
    if (acknowledged.revoked) assert([401, 403, 503].includes(revoked), `${when}: ${revoked} with the revoked key`);
    if (acknowledged.second) assert([403, 503].includes(kept), `${when}: ${kept} where nobody is admitted`);
    return [none, revoked, kept];
  }

  /** From nothing to the second revision and the revoked key, until that is there or the machine is dead. */
  async function live(control: TestControlPlane, files: Files, isDead: () => boolean) {
    const acknowledged = { second: false, revoked: false };
    const node = await startNode(control.url, control.newRegistrationToken(), files);
    const reach = async (condition: () => boolean) => {
      while (!condition() && !isDead() && node.state() !== null) await setTimeout(2);
    };
    await reach(() => node.state()?.ready === true);
    await assertPoliced(node.url, acknowledged, 'before the change');
    control.changeConsumers([{ kind: 'credential', id: 'crd_revoked', value: null }]);
    control.configure(serving(2));
    await reach(() => node.state()?.configuration?.sequence === 2 && node.state()?.consumersSequence === 11);
    acknowledged.second = node.state()?.configuration?.sequence === 2;
    acknowledged.revoked = node.state()?.consumersSequence === 11;
    await assertPoliced(node.url, acknowledged, 'after the change');
    await node.stop();
    return acknowledged;
  }

  test('at any step of its writes, never passes a request with fewer policies', async () => {
    for (let atStep = 1, isDead = true; isDead; atStep += 1) {
      rmSync(directory, { recursive: true });
      const control = await startControl();
      const files = dyingFiles(atStep);
      const acknowledged = await live(control, files, () => files.steps >= atStep);
      isDead = files.steps >= atStep;

      control.pause();
      const alone = await startNode(control.url, null);
      await assertPoliced(alone.url, acknowledged, `step ${atStep}, alone`);
      await alone.stop();

      control.resume();
      const again = await startNode(control.url, control.newRegistrationToken());
      while (again.state()?.configuration?.sequence !== 2 || again.state()?.consumersSequence !== 11)
        await setTimeout(2);
      const statuses = await assertPoliced(again.url, { second: true, revoked: true }, `step ${atStep}, again`);
      assert.deepEqual(statuses, [403, 403, 403]);
      await again.stop();
      await control.stop();
      assert(atStep < 200);
    }
  });

  test('and whose disk is damaged after it, never passes a request with fewer policies', async () => {
    rmSync(directory, { recursive: true });
    const control = await startControl();
    const registered = await startNode(control.url, control.newRegistrationToken());
    while (registered.state()?.ready !== true) await setTimeout(2);
    await registered.stop();
    const [first, second] = [`${directory}-1`, `${directory}-2`];
    cpSync(directory, first, { recursive: true });
    control.changeConsumers([{ kind: 'credential', id: 'crd_revoked', value: null }]);
    control.configure(serving(2));
    const changed = await startNode(control.url, null);
    while (changed.state()?.configuration?.sequence !== 2 || changed.state()?.consumersSequence !== 11)
      await setTimeout(2);
    await changed.stop();
    cpSync(directory, second, { recursive: true });
    control.pause();

    const names = (folder: string) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
    const whole = names(second);
    for (let round = 0; round < 60; round += 1) {
      rmSync(directory, { recursive: true });
      cpSync(second, directory, { recursive: true });
      const done: string[] = [];
      for (let times = 1 + (round % 3); times > 0; times -= 1) {
        const name = whole[Math.floor(Math.random() * whole.length)]!;
        const bytes = readFileSync(join(second, name));
        const at = Math.floor(Math.random() * bytes.length);
        const kind = Math.floor(Math.random() * 4);
        if (kind === 0) rmSync(join(directory, name), { force: true });
        else if (kind === 1) writeFileSync(join(directory, name), bytes.subarray(0, at));
        else if (kind === 2) {
          bytes[at]! ^= 1 << Math.floor(Math.random() * 8);
          writeFileSync(join(directory, name), bytes);
        } else if (name !== 'identity.json' && names(first).includes(name)) {
          cpSync(join(first, name), join(directory, name));
        }
        done.push(`${name} ${kind} ${at}`);
      }
      const node = await startNode(control.url, null);
      await assertPoliced(node.url, { second: true, revoked: true }, done.join());
      await node.stop();
    }
    await control.stop();
    for (const folder of [first, second]) rmSync(folder, { recursive: true });
  });

  test('by a signal that can’t be caught, starts again from disk without the control plane', async () => {
    for (const afterMs of [0, 40]) {
      rmSync(directory, { recursive: true, force: true });
      const control = await startControl();
      const dying = await startProcess(control.url, control.newRegistrationToken());
      while ((await call(dying.url, 'kept')) !== 200) await setTimeout(5);
      const beforeChange = control.heartbeats.length;
      control.changeConsumers([{ kind: 'credential', id: 'crd_revoked', value: null }]);
      control.configure(serving(2));
      await setTimeout(afterMs);
      const last = control.heartbeats.slice(beforeChange).at(-1);
      dying.child.kill('SIGKILL');
      await once(dying.child, 'exit');
      control.pause();
      const again = await startNode(control.url, null);
      const statuses = await assertPoliced(
        again.url,
        { second: last?.configuration?.sequence === 2, revoked: last?.consumersSequence === 11 },
        'after the kill',
      );
      assert(!statuses.includes(503), 'it serves');
      await again.stop();
      await control.stop();
    }
  });

  async function startProcess(controlUrl: string, token: string): Promise<{ child: ChildProcess; url: string }> {
    const child = spawn(process.execPath, [resolve(import.meta.dirname, '../main.ts')], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        MILLRACE_GATEWAY_PORT: '0',
        MILLRACE_GATEWAY_ADMIN_PORT: '0',
        MILLRACE_CONTROL_URL: controlUrl,
        MILLRACE_GATEWAY_TOKEN: token,
        MILLRACE_GATEWAY_DATA_DIR: directory,
        MILLRACE_LOG_LEVEL: 'silent',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout!.setEncoding('utf8');
    for await (const text of child.stdout!) {
      const [, url] = /at (http:\S+)/.exec(String(text)) ?? [];
      if (url !== undefined) return { child, url };
    }
    throw new Error('The gateway did not start.');
  }
});
