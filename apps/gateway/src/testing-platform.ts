/** A management API, gateway nodes and a target beside each other, as an installation has them, for tests of them all. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestControl, type TestCaller, type TestControl } from '@millrace/control/testing';
import { eventually } from '@millrace/eventually';
import { newId } from '@millrace/identifiers';
import { createLogger } from '@millrace/logs';
import { readSettings } from '@millrace/settings/gateway';
import { type Service, startService } from './service.ts';

/** Somebody who may call the management API. */
export type Manager = Pick<TestCaller, 'call'>;

/** The data of a call that has to succeed. */
export async function done(manager: Manager, method: string, path: string, body?: object) {
  const { status, data } = await manager.call(method, path, body);
  assert.ok(status < 300, `${method} ${path} was answered ${status}: ${JSON.stringify(data)}`);
  return data;
}

/** What the target of the tests is asked, and does. */
export interface TestTarget {
  readonly port: number;
  /** Requests by the value of `x-test-case`; `''` where there is none. */
  readonly seen: ReadonlyMap<string, number>;
  /** Requests by the value of `x-test-call`. */
  readonly calls: ReadonlyMap<string, number>;
  stop(): void;
}

/**
 * A target that answers its path as JSON: 500 below `/broken`, after the milliseconds of the header `x-test-delay`, and with
 * the pages of the header `x-test-pages`, where there are such.
 */
export async function startTarget(): Promise<TestTarget> {
  const seen = new Map<string, number>();
  const calls = new Map<string, number>();
  const server = createServer((incoming, answer) => {
    const name = String(incoming.headers['x-test-case'] ?? '');
    seen.set(name, (seen.get(name) ?? 0) + 1);
    const call = incoming.headers['x-test-call'];
    if (typeof call === 'string') calls.set(call, (calls.get(call) ?? 0) + 1);
    incoming.resume();
    const path = incoming.url ?? '';
    const send = () => {
      const pages = incoming.headers['x-test-pages'];
      answer.writeHead(path.startsWith('/broken') ? 500 : 200, {
        'content-type': 'application/json',
        ...(pages === undefined ? {} : { 'x-pages': pages }),
      });
      answer.end(JSON.stringify({ path }));
    };
    const delayMs = Number(incoming.headers['x-test-delay'] ?? 0);
    if (delayMs > 0) setTimeout(send, delayMs);
    else send();
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    calls,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** An environment whose target server `backend` is the target; its id. */
export async function addEnvironment(manager: Manager, { port }: Pick<TestTarget, 'port'>): Promise<string> {
  const name = `env-${unique()}`;
  const { id } = await done(manager, 'POST', '/environments', { name, displayName: name, production: false });
  const backend = { environmentId: id, name: 'backend', scheme: 'http', host: '127.0.0.1', port };
  await done(manager, 'POST', '/target-servers', backend);
  return id;
}

/** An organization of a management API, with its administrator, and an environment whose calls reach a target. */
export interface TestPlatform {
  readonly control: TestControl;
  readonly target: TestTarget;
  readonly administrator: TestCaller;
  readonly environmentId: string;
  stop(): Promise<void>;
}

export async function startPlatform(): Promise<TestPlatform> {
  await using started = new AsyncDisposableStack();
  const control = await startTestControl();
  started.defer(() => control.stop());
  const target = await startTarget();
  started.defer(() => target.stop());
  const administrator = await control.addUser(await control.addOrganization(), ['organization_administrator']);
  const environmentId = await addEnvironment(administrator, target);
  const stack = started.move();
  return { control, target, administrator, environmentId, stop: () => stack.disposeAsync() };
}

export interface TestPolicy {
  readonly kind: string;
  readonly configuration?: object;
}

/** An API proxy of the management API. */
export interface TestProxy {
  readonly proxyId: string;
  readonly basePath: string;
  readonly routeId: string;
}

export const keyed: TestPolicy = { kind: 'verify-api-key' };

/** A proxy with the route `GET /orders`, which its target sees as `/revision-1`, and revision 1 of it. */
export async function addProxy(manager: Manager, policies: readonly TestPolicy[] = [keyed]): Promise<TestProxy> {
  const name = `orders-${unique()}`;
  const basePath = `/v1/${name}`;
  const { id: proxyId } = await done(manager, 'POST', '/proxies', { name, displayName: name, basePath });
  const route = { method: 'GET', pathPattern: '/orders', targetServer: 'backend', targetPath: '/revision-1' };
  const { id: routeId } = await done(manager, 'POST', `/proxies/${proxyId}/routes`, route);
  for (const policy of policies) await done(manager, 'POST', `/proxies/${proxyId}/policies`, policy);
  await done(manager, 'POST', `/proxies/${proxyId}/revisions`, {});
  return { proxyId, basePath, routeId };
}

/** Another revision, which its target sees by another path; its number. */
export async function addRevision(
  manager: Manager,
  { proxyId, routeId }: TestProxy,
  targetPath: string,
): Promise<number> {
  await done(manager, 'PATCH', `/proxies/${proxyId}/routes/${routeId}`, { targetPath });
  return (await done(manager, 'POST', `/proxies/${proxyId}/revisions`, {})).revision;
}

/** An app that may call, with everything that it may call by. */
export interface TestConsumer {
  readonly key: string;
  readonly developerId: string;
  readonly appId: string;
  readonly credentialId: string;
  readonly productId: string;
  readonly subscriptionId: string;
}

/** A developer with an app, which is subscribed to a product of the proxies. */
export async function addConsumer(manager: Manager, proxyIds: readonly string[]): Promise<TestConsumer> {
  const name = `consumer-${unique()}`;
  const product = { name, displayName: name, autoApprove: true };
  const { id: productId } = await done(manager, 'POST', '/products', product);
  for (const proxyId of proxyIds) await done(manager, 'PUT', `/products/${productId}/proxies/${proxyId}`, {});
  await done(manager, 'POST', `/products/${productId}/publish`);
  const { id: developerId } = await done(manager, 'POST', '/developers', { email: `${name}@example.com`, name });
  const { id: appId } = await done(manager, 'POST', '/apps', { developerId, name, displayName: name });
  const { id: credentialId, key } = await done(manager, 'POST', `/apps/${appId}/credentials`, { name: 'First' });
  const { id: subscriptionId } = await done(manager, 'POST', '/subscriptions', { appId, productId });
  return { key, developerId, appId, credentialId, productId, subscriptionId };
}

/** Lets a revision serve, with what the body says beside it; the deployment's id. */
export async function deploy(
  manager: Manager,
  deployed: { readonly proxyId: string; readonly environmentId: string; readonly revision: number } & object,
): Promise<string> {
  return (await done(manager, 'POST', '/deployments', deployed)).id;
}

/** Waits until every healthy node serves a deployment. */
export async function isLive(manager: Manager, deploymentId: string): Promise<void> {
  await eventually(`the deployment ${deploymentId} to be live`, async () => {
    const { state } = await done(manager, 'GET', `/deployments/${deploymentId}`);
    return state === 'live';
  });
}

/** A new node of the environment; its id, and the token by which it registers. */
export async function addNode(manager: Manager, environmentId: string) {
  const node = { environmentId, name: `node-${unique()}` };
  const { id, registrationToken } = await done(manager, 'POST', '/gateway-nodes', node);
  return { id: String(id), registrationToken: String(registrationToken) };
}

/** A gateway node in this process. */
export interface TestGatewayNode {
  readonly id: string;
  readonly url: string;
  readonly service: Service;
  /** Stops it, and removes what it kept on the disk. */
  stop(): Promise<void>;
}

/** Starts a node that registers now. @param environment settings that differ from the test's own */
export async function startNode(
  manager: Manager,
  controlUrl: string,
  environmentId: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<TestGatewayNode> {
  const { id, registrationToken } = await addNode(manager, environmentId);
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-node-'));
  const { settings } = readSettings({
    ...nodeEnvironment(controlUrl, folder),
    MILLRACE_GATEWAY_TOKEN: registrationToken,
    ...environment,
  });
  const logger = createLogger('fatal', { write: () => true });
  const service = await startService({ settings, logger });
  return {
    id,
    url: service.address,
    service,
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Settings of a test's nodes that count exactly, also on a busy machine: a question that Redis does not answer in time
 * may have been counted.
 */
export function countingTogether(redisUrl: string): Record<string, string> {
  return { REDIS_URL: redisUrl, REDIS_TIMEOUT_MS: '30000' };
}

/** Settings of a test's node: free ports, no access log, usage reported soon. */
export function nodeEnvironment(controlUrl: string, folder: string): Record<string, string> {
  return {
    MILLRACE_CONTROL_URL: controlUrl,
    MILLRACE_GATEWAY_PORT: '0',
    MILLRACE_GATEWAY_ADMIN_PORT: '0',
    MILLRACE_GATEWAY_DATA_DIR: folder,
    MILLRACE_GATEWAY_ACCESS_LOG: '0',
    MILLRACE_GATEWAY_USAGE_FLUSH_MS: '500',
  };
}

/** A process of a test. */
export interface TestProcess {
  /** Where it answers. */
  readonly address: string;
  /** What it has written so far, of both streams. */
  output(): string;
  readonly processId: number;
  /** Sends a signal and waits for the end; returns the exit code, null where the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts an entry point as a process of its own, with no setting but these, and waits until it says where it answers, or
 * writes what is given.
 *
 * @throws Error with what it wrote, where it ends before
 */
export async function startProcess(
  entryPoint: string,
  settings: Readonly<Record<string, string>>,
  written = /(?:is ready|listens) at (\S+)/,
  parameters: readonly string[] = [],
): Promise<TestProcess> {
  const own = Object.entries(process.env).filter(([name]) => !/^(MILLRACE_|OTEL_|DATABASE_URL|REDIS_URL)/.test(name));
  const child = spawn(process.execPath, [entryPoint, ...parameters], {
    env: { ...Object.fromEntries(own), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  // Its output is whole once its streams have closed as well.
  const ended = once(child, 'close').then(() => process.removeListener('exit', kill));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const address = await eventually('the process to start', () => {
    if (child.exitCode !== null) throw new Error(`The process ended:\n${output}`);
    const [line, where = line] = written.exec(output) ?? [];
    return where;
  });
  return {
    address,
    processId: child.pid ?? 0,
    output: () => output,
    async end(signal) {
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}

/** What a caller got from a gateway. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Of an answer of the test's target, the path that it was asked. */
  readonly path: string | null;
  /** Of an answer of the gateway itself, its code. */
  readonly error: string | null;
}

/** A caller with one connection, which it keeps. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  /**
   * Sends a GET. If the connection that it kept was closed meanwhile, it reconnects and sends it again, as RFC 9112
   * (section 9.3.1) lets every client do that has seen nothing of an answer.
   *
   * @throws Error with the code of the connection's end
   */
  get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.#send(url, headers, true);
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(url: string, headers: Readonly<Record<string, string>>, mayRepeat: boolean): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { agent: this.#agent, headers, signal: AbortSignal.timeout(20_000) });
      sent.on('error', (error) => {
        const wasClosed = 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        if (wasClosed && sent.reusedSocket && mayRepeat) resolve(this.#send(url, headers, false));
        else reject(error);
      });
      sent.on('response', async (answer) => {
        try {
          let text = '';
          for await (const chunk of answer.setEncoding('utf8')) text += chunk;
          const body = JSON.parse(text);
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            path: body.path ?? null,
            error: body.data?.error ?? null,
          });
        } catch (error) {
          reject(error);
        }
      });
      sent.end();
    });
  }
}

const unique = () => newId('zzz').slice(-10);
