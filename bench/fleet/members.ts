import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { startProcess, type TestProcess } from '../../apps/gateway/src/testing-platform.ts';

export type MemberRole = 'api' | 'worker' | 'control' | 'gateway';

/** A process of the product, which keeps its port over restarts. */
export interface Member {
  readonly name: string;
  readonly role: MemberRole;
  /** Where it serves, or a worker its readiness. */
  readonly port: number;
  /** Where it serves `/readyz`. */
  readonly readinessPort: number;
  processId(): number;
  /** Starts it, or starts it again, and waits until it serves. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Ends it by SIGTERM. @returns the exit code */
  stop(): Promise<number | null>;
  output(): string;
}

const entries: Readonly<Record<MemberRole, readonly [string, ...string[]]>> = {
  api: ['apps/extraction/src/main.ts', '--role=api'],
  worker: ['apps/extraction/src/main.ts', '--role=worker'],
  control: ['apps/control/src/main.ts'],
  gateway: ['apps/gateway/src/main.ts'],
};
const portSettings: Readonly<Record<MemberRole, string>> = {
  api: 'MILLRACE_EXTRACTION_PORT',
  worker: 'MILLRACE_WORKER_PORT',
  control: 'MILLRACE_CONTROL_PORT',
  gateway: 'MILLRACE_GATEWAY_PORT',
};
const thisVersion = resolve(import.meta.dirname, '../..');

export interface MemberOptions {
  readonly name: string;
  readonly role: MemberRole;
  readonly settings: Readonly<Record<string, string>>;
  /** The root folder of the version that runs; by default this one. */
  readonly root?: string;
}

/** A process of the product on a port that is free; it is not started yet. */
export async function createMember({ name, role, settings, root = thisVersion }: MemberOptions): Promise<Member> {
  const port = await freePort();
  const readinessPort = role === 'gateway' ? await freePort() : port;
  const [entry, ...parameters] = entries[role];
  let running: TestProcess | null = null;
  const end = async (signal: NodeJS.Signals) => (await running?.end(signal)) ?? null;
  return {
    name,
    role,
    port,
    readinessPort,
    processId: () => running?.processId ?? 0,
    async start() {
      const own: Record<string, string> = { ...settings, [portSettings[role]]: String(port) };
      if (role === 'gateway') own.MILLRACE_GATEWAY_ADMIN_PORT = String(readinessPort);
      const announced = role === 'worker' ? /works off jobs/ : undefined;
      running = await startProcess(join(root, entry), own, announced, parameters);
    },
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    output: () => running?.output() ?? '',
  };
}

/** A port of loopback that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}
