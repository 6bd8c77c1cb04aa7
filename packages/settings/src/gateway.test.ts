import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from './gateway.ts';

test('the settings of a gateway node have defaults, and wrong ones are named without secrets', () => {
  const { settings, warnings } = readSettings({ MILLRACE_GATEWAY_PROT: '1' });
  assert.deepEqual([settings.port, settings.adminPort, settings.controlUrl], [4300, 4301, 'http://127.0.0.1:4200']);
  assert.deepEqual(warnings, ['MILLRACE_GATEWAY_PROT is not a setting. Did you mean MILLRACE_GATEWAY_PORT?']);
  assert.throws(
    () =>
      readSettings({
        MILLRACE_GATEWAY_TOKEN: 'a secret',
        MILLRACE_GATEWAY_TRUSTED_PROXIES: '10.0.0.0/33',
        REDIS_URL: 'http://secret@redis',
      }),
    (error: Error) => {
      assert.match(error.message, /MILLRACE_GATEWAY_TOKEN must be a registration token/);
      assert.match(error.message, /MILLRACE_GATEWAY_TRUSTED_PROXIES must be addresses and networks/);
      assert.match(error.message, /REDIS_URL must be/);
      return !error.message.includes('secret');
    },
  );
});

test('trusted proxies are addresses and networks of both families', () => {
  const { trustedProxies } = readSettings({
    MILLRACE_GATEWAY_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7,2001:db8::/32',
  }).settings;
  assert(trustedProxies.check('10.9.9.9') && trustedProxies.check('192.0.2.7'));
  assert(trustedProxies.check('2001:db8::1', 'ipv6'));
  assert(!trustedProxies.check('192.0.2.8') && !trustedProxies.check('2001:db9::1', 'ipv6'));
});
