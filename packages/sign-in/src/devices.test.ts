import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createDevices, devicesIn } from './devices.ts';

const email = 'ada.stone@example.com';
const sent = (set: string) => set.split(';', 1)[0] ?? '';

test('a device is known to the account it signed in to, and keeps its id', () => {
  const devices = createDevices(randomBytes(32), { name: 'device', secure: false });
  const cookie = sent(devices.write(email, null));
  const id = devices.read(cookie, email);
  assert.match(id ?? '', /^[\w-]{22}$/);
  assert.equal(devices.read(`other=1; ${sent(devices.write(email, id))}`, email), id);
  assert.match(devices.write(email, null), /; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000$/);
});

test('a device’s cookie is invalid for another account, with another key, changed, or expired', (context) => {
  const key = randomBytes(32);
  const devices = createDevices(key, { name: 'device', secure: false });
  const cookie = sent(devices.write(email, null));
  const [name = '', value = ''] = cookie.split('=', 2);
  const other = 'kim@example.com';
  const otherName = sent(devices.write(other, null)).split('=', 1)[0];
  assert.equal(devices.read(`${otherName}=${value}`, other), null);
  assert.equal(createDevices(randomBytes(32), { name: 'device', secure: false }).read(cookie, email), null);
  for (const changed of ['', 'x'.repeat(75), value.slice(1), `${value.startsWith('A') ? 'B' : 'A'}${value.slice(1)}`]) {
    assert.equal(devices.read(`${name}=${changed}`, email), null, changed);
  }
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 91 * 86_400_000 });
  assert.equal(devices.read(cookie, email), null);
});

test('a device of one realm is unknown in another, and to the account without a realm', () => {
  const devices = createDevices(randomBytes(32), { name: 'device', secure: false });
  const cookie = sent(devicesIn(devices, 'first').write(email, null));
  assert.match(devicesIn(devices, 'first').read(cookie, email) ?? '', /^[\w-]{22}$/);
  assert.equal(devicesIn(devices, 'second').read(cookie, email), null);
  assert.equal(devicesIn(devices, '').read(cookie, email), null);
});
