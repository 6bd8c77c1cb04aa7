import { setTimeout as sleep } from 'node:timers/promises';
import { done, type Manager } from '../../apps/gateway/src/testing-platform.ts';

/** An administrator of a new organization. */
export interface Administrator {
  /** Calls as the administrator in that organization, and asks again while the management API is away. */
  readonly manager: Manager;
  /** Of such calls. */
  readonly headers: Readonly<Record<string, string>>;
  readonly organizationId: string;
}

/** The manager of a new organization. */
export async function signIn(controlUrl: string, password: string): Promise<Manager> {
  return (await signInAsAdministrator(controlUrl, password)).manager;
}

/** Signs in at a management API and adds an organization. */
export async function signInAsAdministrator(controlUrl: string, password: string): Promise<Administrator> {
  const callWith =
    (headers: Readonly<Record<string, string>>): Manager['call'] =>
    async (method, path, body) => {
      const response = await fetch(`${controlUrl}/api${path}`, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const { data } = JSON.parse(await response.text());
      return { status: response.status, data, headers: response.headers };
    };
  const credentials = { email: 'admin@millrace.local', password };
  const { headers } = await callWith({})('POST', '/auth/login', credentials);
  const cookie = headers
    .getSetCookie()
    .map((set) => set.split(';', 1)[0])
    .join('; ');
  const organization = { name: 'bench', displayName: 'Bench' };
  const { id } = await done({ call: callWith({ cookie }) }, 'POST', '/organizations', organization);
  const ownHeaders = { cookie, 'x-organization-id': String(id) };
  const call = callWith(ownHeaders);
  const manager: Manager = {
    call: async (method, path, body) => {
      for (let attempt = 0; ; attempt++) {
        const answer = await call(method, path, body).catch(() => null);
        if (answer !== null && answer.status < 500) return answer;
        if (attempt === 60) throw new Error(`${method} ${path} failed`);
        await sleep(500);
      }
    },
  };
  return { manager, headers: ownHeaders, organizationId: String(id) };
}
