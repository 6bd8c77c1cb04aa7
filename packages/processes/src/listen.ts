import type { AddressInfo } from 'node:net';

/** A server that can listen, such as Fastify's. */
interface Listener {
  listen(where: { readonly host: string; readonly port: number }): Promise<unknown>;
  readonly server: { address(): AddressInfo | string | null };
}

/** Where to listen, and the names of the settings, for error messages. */
interface Place {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly hostSetting: string;
  readonly portSetting: string;
}

/**
 * Listens, and returns the address to call, such as `http://127.0.0.1:4200`.
 *
 * @throws Error that names the setting to change
 */
export async function listen(listener: Listener, { host, port, hostSetting, portSetting }: Place): Promise<string> {
  try {
    await listener.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EADDRINUSE') {
      throw new Error(
        `Port ${port} of ${host} is in use by another program. Stop it, or set ${portSetting} to another port.`,
      );
    }
    if (code === 'EACCES') {
      throw new Error(`Port ${port} needs privileges that this user doesn't have. Set ${portSetting} to another port.`);
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new Error(`${hostSetting}: this machine has no address ${host}.`);
    }
    throw error;
  }
  const bound = listener.server.address();
  const actualPort = typeof bound === 'object' && bound !== null ? bound.port : port;
  const shownHost = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${shownHost}:${actualPort}`;
}
