import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readSettings } from './control.ts';

describe('settings of the API management server', () => {
  test('every setting has a default', () => {
    const { settings } = readSettings({});
    assert.equal(settings.port, 4200);
    assert.equal(settings.smtpUrl, null);
    assert.equal(settings.mailFrom, 'millrace@localhost');
    assert.equal(settings.seed, true);
    assert.equal(settings.trustProxy, 0);
  });

  test('e-mail is sent by SMTP, from an address with or without a name', () => {
    const { settings } = readSettings({
      MILLRACE_SMTP_URL: 'smtps://user:hunter2@mail.example.com:465',
      MILLRACE_MAIL_FROM: 'Millrace <millrace@example.com>',
      MILLRACE_SEED: 'no',
    });
    assert.equal(settings.smtpUrl, 'smtps://user:hunter2@mail.example.com:465');
    assert.equal(settings.mailFrom, 'Millrace <millrace@example.com>');
    assert.equal(settings.seed, false);
    assert.throws(() => readSettings({ MILLRACE_SMTP_URL: 'https://hunter2' }), /must be smtp:[^,]*\.$/);
    assert.throws(() => readSettings({ MILLRACE_MAIL_FROM: 'a@b\nBcc: c@d' }), /MILLRACE_MAIL_FROM must be/);
  });
});
