import { setTimeout as sleep } from 'node:timers/promises';
import { done, type Manager } from '../../apps/gateway/src/testing-platform.ts';

/** An administrator of a new organization, who asks again while the management API is away. */
export async function signIn(controlUrl: string, password: string): Promise<Manager> {
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
  const call = callWith({ cookie, 'x-organization-id': id });
  return {
    call: async (method, path, body) => {
      for (let attempt = 0; ; attempt++) {
        const answer = await call(method, path, body).catch(() => null);
        if (answer !== null && answer.status < 500) return answer;
        if (attempt === 60) throw new Error(`${method} ${path} failed`);
        await sleep(500);
      }
    },
  };
}
