import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SettingsError } from '@millrace/settings';
import { readSettings } from './extraction.ts';

describe('settings', () => {
  test('every setting has a default', () => {
    const { settings, warnings } = readSettings({});
    assert.equal(settings.port, 4100);
    assert.equal(settings.maxFileSizeBytes, 20 * 1024 * 1024);
    assert.equal(settings.databaseUrl, null);
    assert.deepEqual(warnings, []);
  });

  test('values are read, and an empty one counts as unset', () => {
    const { settings } = readSettings({
      MILLRACE_EXTRACTION_PORT: '0',
      MILLRACE_ALLOW_PRIVATE_WEBHOOKS: 'true',
      MILLRACE_MAX_PAGES: '',
      MILLRACE_PUBLIC_URL: 'https://extract.example.com/',
      MILLRACE_ENCRYPTION_KEY: '0f'.repeat(32),
    });
    assert.equal(settings.port, 0);
    assert.equal(settings.allowPrivateWebhooks, true);
    assert.equal(settings.maxPages, 50);
    assert.equal(settings.publicUrl, 'https://extract.example.com');
    assert.equal(settings.encryptionKey?.length, 32);
  });

  test('every bad one is named at once, and no secret is shown', () => {
    const bad = {
      MILLRACE_EXTRACTION_PORT: '70000',
      MILLRACE_ENCRYPTION_KEY: 'not-a-key',
      DATABASE_URL: 'mysql://root:hunter2@db/x',
      MILLRACE_LOG_LEVEL: 'loud',
    };
    assert.throws(
      () => readSettings(bad),
      (error) => {
        assert(error instanceof SettingsError);
        assert.deepEqual(error.message.split('\n'), [
          'MILLRACE_EXTRACTION_PORT must be a whole number from 0 to 65535, not "70000".',
          'DATABASE_URL must be postgres://user:password@host:port/database.',
          'MILLRACE_ENCRYPTION_KEY must be 64 hexadecimal digits.',
          'MILLRACE_LOG_LEVEL must be fatal, error, warn, info, debug or silent, not "loud".',
        ]);
        return true;
      },
    );
  });

  test('a name that is no setting is pointed to the nearest that is', () => {
    const { warnings } = readSettings({ MILLRACE_EXTRACTION_PROT: '1', MILLRACE_QUITE_DIFFERENT: '1', OTHER: '1' });
    assert.deepEqual(warnings, [
      'MILLRACE_EXTRACTION_PROT is not a setting. Did you mean MILLRACE_EXTRACTION_PORT?',
      'MILLRACE_QUITE_DIFFERENT is not a setting.',
    ]);
  });
});
