import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { listen } from '@millrace/processes/listen';

export interface AdminOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Whether callers may be sent here, with details for operators. */
  readiness(): { readonly ready: boolean };
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
}

export interface AdminServer {
  readonly address: string;
  stop(): Promise<void>;
}

/**
 * Serves `/healthz` (the process is alive), `/readyz` (200, or 503 if callers should be sent elsewhere) and `/metrics` on
 * a separate port that callers of the gateway can't reach.
 *
 * @throws Error that names the setting to change
 */
export async function startAdminServer({ host, port, readiness, metrics }: AdminOptions): Promise<AdminServer> {
  const server = createServer(
    { maxHeaderSize: 8_192, headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 15_000 },
    async ({ method, url }, response) => {
      const path = (url ?? '').split('?', 1)[0];
      if (method !== 'GET' && method !== 'HEAD') return answer(response.setHeader('allow', 'GET, HEAD'), 405, {});
      if (path === '/healthz') return answer(response, 200, { status: 'ok' });
      if (path === '/readyz') {
        const status = readiness();
        return answer(response, status.ready ? 200 : 503, status);
      }
      if (path !== '/metrics') return answer(response, 404, {});
      try {
        const text = await metrics.text();
        response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
      } catch {
        answer(response, 500, {});
      }
    },
  );
  server.maxConnections = 64;
  const listener = {
    async listen(where: { readonly host: string; readonly port: number }) {
      server.listen(where);
      await once(server, 'listening');
    },
    server,
  };
  const settings = { hostSetting: 'MILLRACE_GATEWAY_ADMIN_HOST', portSetting: 'MILLRACE_GATEWAY_ADMIN_PORT' };
  return {
    address: await listen(listener, { host, port, ...settings }),
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function answer(response: ServerResponse, status: number, data: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(data));
}
