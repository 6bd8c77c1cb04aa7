import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@millrace/eventually';
import { freePort, type Member, type MemberRole } from './members.ts';

/** A load balancer in front of processes of the product, by role. */
export interface Balancer {
  urlOf(role: MemberRole): string;
  /** Waits until a process of the role is ready. */
  isServing(role: MemberRole): Promise<void>;
  stop(): Promise<void>;
}

const binary = process.env.MILLRACE_HAPROXY ?? 'haproxy';
const balanced: readonly MemberRole[] = ['api', 'control', 'gateway'];

/**
 * Starts HAProxy in front of the members, which need not run yet. It asks each member each second whether it is ready, as
 * Kubernetes does, and sends again only what it could not connect for.
 */
export async function startBalancer(folder: string, members: readonly Member[]): Promise<Balancer> {
  const ports = new Map(await Promise.all(balanced.map(async (role) => [role, await freePort()] as const)));
  const sections = [...ports].map(([role, port]) => {
    const servers = members
      .filter((member) => member.role === role)
      .map(
        ({ name, port: own, readinessPort }) =>
          `  server ${name} 127.0.0.1:${own} check port ${readinessPort} inter 1s fall 1 rise 1`,
      );
    return [`listen ${role}`, `  bind 127.0.0.1:${port}`, ...servers].join('\n');
  });
  const configuration = `global
  maxconn 2000
defaults
  mode http
  option forwardfor
  option httpchk GET /readyz
  option redispatch 1
  retries 3
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 4s
${sections.join('\n')}
`;
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configuration);
  const child = spawn(binary, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2_000);
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit').then(() => process.removeListener('exit', kill));
  const urlOf = (role: MemberRole) => `http://127.0.0.1:${ports.get(role)}`;
  return {
    urlOf,
    async isServing(role) {
      await eventually(`the balancer of ${role}`, async () => {
        if (child.exitCode !== null) throw new Error(`HAProxy ended: ${errors}`);
        const response = await fetch(`${urlOf(role)}/readyz`).catch(() => null);
        return response !== null && response.status !== 503;
      });
    },
    async stop() {
      kill();
      await ended;
    },
  };
}
