import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConsumerChange } from '@millrace/gateway-configuration/consumers';
import type { Manifest, Signed } from '@millrace/gateway-configuration/manifest';
import type { Heartbeat } from '@millrace/gateway-configuration/reports';
import { sealSecrets } from '@millrace/gateway-configuration/sealing';
import {
  manifestOf,
  type TestConfiguration,
  testEnvironment,
  testOrganizationId,
} from '@millrace/gateway-configuration/testing';
import type { RevisionContent } from '@millrace/revision/content';
import { canonicalJson } from '@millrace/revision/hash';

/** A control plane that speaks the protocol of gateway nodes over HTTP and signs with a key of its own. */
export interface TestControlPlane {
  readonly url: string;
  /** Changes per page of consumers. */
  pageSize: number;
  readonly heartbeats: readonly Heartbeat[];
  /** Number of calls by their paths, such as `/gateway/contents`. */
  readonly calls: Readonly<Record<string, number>>;
  /** Asked of every answer before it is sent: what it changes is what the node gets. */
  tamper: ((path: string, data: Record<string, unknown>) => void) | null;
  /** A registration token that is taken once. */
  newRegistrationToken(): string;
  configure(configuration: TestConfiguration, change?: (manifest: Manifest) => void): Manifest;
  changeConsumers(changes: readonly ConsumerChange[]): void;
  drain(wanted: 'none' | 'draining'): void;
  sign(text: string): Signed;
  /** Hangs up on everybody and takes no more calls, until {@link TestControlPlane.resume}. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

export async function startTestControlPlane(): Promise<TestControlPlane> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const tokens = new Map<string, string>();
  const registrationTokens = new Set<string>();
  const contents = new Map<string, RevisionContent>();
  const calls: Record<string, number> = {};
  const heartbeats: Heartbeat[] = [];
  const waiting = new Set<() => void>();
  let manifest: Manifest | null = null;
  let secrets: Readonly<Record<string, string>> = {};
  let consumers = new Map<string, { sequence: number; change: ConsumerChange }>();
  let consumersHead = 0;
  let drain: 'none' | 'draining' = 'none';
  let paused = false;

  const signText = (text: string): Signed => ({
    text,
    signature: sign(null, Buffer.from(text), privateKey).toString('base64'),
  });
  const wake = () => {
    for (const end of waiting) end();
  };
  const page = (after: number): Signed => {
    const changed = [...consumers.values()]
      .filter(({ sequence }) => sequence > after)
      .sort((first, second) => first.sequence - second.sequence);
    const sent = changed.slice(0, control.pageSize);
    const more = sent.length < changed.length;
    return signText(
      canonicalJson({
        format: 1,
        organizationId: testOrganizationId,
        after,
        upTo: more ? sent.at(-1)!.sequence : consumersHead,
        more,
        changes: sent.map(({ change }) => change),
      }),
    );
  };

  const configuration = async (request: IncomingMessage, query: URLSearchParams, key: string) => {
    const [sequence, after] = [Number(query.get('sequence')), Number(query.get('consumers'))];
    const isNews = () =>
      (manifest?.sequence ?? 0) > sequence || consumersHead > after || drain !== (query.get('drain') ?? drain);
    const endsAtMs = Date.now() + Number(query.get('waitSeconds')) * 1_000;
    while (!isNews() && Date.now() < endsAtMs && !request.socket.destroyed) {
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer);
          waiting.delete(end);
          request.socket.off('close', end);
          resolve();
        };
        const timer = setTimeout(end, endsAtMs - Date.now());
        waiting.add(end);
        // The request itself closes as soon as it is read.
        request.socket.once('close', end);
      });
    }
    const etag = `"${manifest?.sequence ?? 0}-${consumersHead}-${drain}"`;
    if (request.headers['if-none-match'] === etag) return { etag, data: null };
    const text = canonicalJson(manifest);
    const data = {
      configuration:
        manifest === null || manifest.sequence <= sequence
          ? null
          : {
              manifest: signText(text),
              hash: createHash('sha256').update(text).digest('hex'),
              secrets: Object.keys(secrets).length === 0 ? null : sealSecrets(secrets, key),
            },
      consumers: consumersHead > after ? page(after) : null,
      drain,
    };
    return { etag, data };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url!, 'http://control');
    const path = pathname.replace('/api', '');
    calls[path] = (calls[path] ?? 0) + 1;
    const body = JSON.parse(await textOf(request));
    const send = (status: number, data: Record<string, unknown>, etag?: string) => {
      if (status < 300) control.tamper?.(path, data);
      response.writeHead(status, { 'content-type': 'application/json', ...(etag ? { etag } : {}) });
      response.end(JSON.stringify({ code: status, status: status < 300, data }));
    };
    if (path === '/gateway/registrations') {
      if (!registrationTokens.delete(body.registrationToken)) return send(401, { message: 'The token is not valid.' });
      const nodeToken = `mrn_${randomBytes(16).toString('hex')}`;
      tokens.clear();
      tokens.set(nodeToken, body.publicKey);
      return send(201, {
        nodeId: 'gwn_test',
        nodeToken,
        organizationId: testOrganizationId,
        environmentId: testEnvironment.id,
        environmentName: testEnvironment.name,
        verificationKey: publicKey.export({ format: 'pem', type: 'spki' }),
      });
    }
    const key = tokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
    if (key === undefined) return send(401, { message: 'Sign in.' });
    if (path === '/gateway/configuration') {
      const { data, etag } = await configuration(request, searchParams, key);
      if (data !== null) return send(200, data, etag);
      response.writeHead(304, { etag }).end();
    } else if (path === '/gateway/contents') {
      const hashes = searchParams.get('hashes')!.split(',');
      const known = hashes.filter((hash) => contents.has(hash));
      send(200, { contents: known.map((hash) => ({ hash, content: structuredClone(contents.get(hash)) })) });
    } else if (path === '/gateway/heartbeats') {
      heartbeats.push(body);
      send(200, { drain });
    } else send(404, { message: 'Operation not found.' });
  };

  const server = createServer((request, response) => {
    if (paused) request.destroy();
    else answer(request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;

  const control: TestControlPlane = {
    url: `http://127.0.0.1:${port}`,
    pageSize: 1_000,
    heartbeats,
    calls,
    tamper: null,
    newRegistrationToken() {
      const token = `mrr_${randomBytes(16).toString('hex')}`;
      registrationTokens.add(token);
      return token;
    },
    configure(wanted, change) {
      const made = manifestOf(wanted, (manifest?.sequence ?? 0) + 1);
      change?.(made.manifest);
      for (const [hash, content] of made.contents) contents.set(hash, content);
      manifest = made.manifest;
      secrets = wanted.secrets ?? {};
      wake();
      return made.manifest;
    },
    changeConsumers(changes) {
      consumers = new Map(consumers);
      for (const change of changes) {
        consumersHead += 1;
        consumers.set(`${change.kind} ${change.id}`, { sequence: consumersHead, change });
      }
      wake();
    },
    drain(wanted) {
      drain = wanted;
      wake();
    },
    sign: signText,
    pause() {
      paused = true;
      server.closeAllConnections();
      wake();
    },
    resume() {
      paused = false;
    },
    async stop() {
      paused = true;
      wake();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return control;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8') || 'null';
}
