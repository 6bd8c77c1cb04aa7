import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSlots } from './slots.ts';

test('no organization takes all slots, and a finished task frees its slot, successful or not', async () => {
  const slots = createSlots('traces', { ofOrganization: 2, inAll: 3, retrySeconds: 5 });
  const ends: (() => void)[] = [];
  const take = (organizationId: string) => slots.use(organizationId, () => new Promise<void>((end) => ends.push(end)));
  const refused = async (organizationId: string, message: RegExp) => {
    await assert.rejects(take(organizationId), ({ code, message: actual }: Error & { code: string }) => {
      assert.equal(code, 'too_many_requests');
      assert.match(actual, message);
      return true;
    });
  };
  const running = [take('org_1'), take('org_1')];
  await refused('org_1', /^2 traces of your organization are running/);
  running.push(take('org_2'));
  await refused('org_3', /^3 traces are running/);
  ends[0]!();
  await running[0];
  await assert.rejects(
    slots.use('org_3', () => Promise.reject(new Error('It went wrong.'))),
    /went wrong/,
  );
  running.push(take('org_3'));
  await refused('org_2', /^3 traces are running/);
  for (const end of ends) end();
  await Promise.all(running);
  const again = take('org_3');
  ends.at(-1)!();
  await again;
});
