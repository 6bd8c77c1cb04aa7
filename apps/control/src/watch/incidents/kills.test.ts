import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences, runKilling } from './testing-kills.ts';

test('killing evaluating processes loses no incident, makes none twice and changes no notification', async () => {
  const moments = 120;
  const [expected, actual] = await Promise.all([
    runKilling({ kills: 0, moments, seed: 0 }),
    runKilling({ kills: 6, moments, seed: 1, killEveryMs: 1_500 }),
  ]);
  assert.ok(expected.incidents.length > 5, `${expected.incidents.length} incidents`);
  assert.equal(expected.received.size, expected.notifications.length);
  assert.deepEqual(differences(expected, actual), []);
});
