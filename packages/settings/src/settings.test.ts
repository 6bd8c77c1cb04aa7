import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { flag, integer, readSettings, SettingsError, setting, settingsTable, url } from './settings.ts';

const declarations = {
  port: setting('MILLRACE_MILL_PORT', integer(0, 65_535).default(1), '1', 'Port.'),
  loud: setting('MILLRACE_MILL_LOUD', flag.default(false), '0', 'Whether it is heard.'),
  river: setting(
    'RIVER_URL',
    url('river://name', ({ protocol }) => protocol === 'river:')
      .nullable()
      .default(null),
    'the nearest one',
    'Where the water comes from.',
    { secret: true },
  ),
} as const;

describe('settings', () => {
  test('an unset or empty setting has its default, a set one its value', () => {
    const { settings, warnings } = readSettings(declarations, { MILLRACE_MILL_PORT: ' 80 ', MILLRACE_MILL_LOUD: '' });
    const typed: { readonly port: number; readonly loud: boolean; readonly river: string | null } = settings;
    assert.deepEqual(typed, { port: 80, loud: false, river: null });
    assert.deepEqual(warnings, []);
  });

  test('all invalid settings are reported together, without secrets', () => {
    assert.throws(
      () => readSettings(declarations, { MILLRACE_MILL_PORT: '-1', MILLRACE_MILL_LOUD: 'very', RIVER_URL: 'hunter2' }),
      (error) => {
        assert(error instanceof SettingsError);
        assert.deepEqual(error.message.split('\n'), [
          'MILLRACE_MILL_PORT must be a whole number from 0 to 65535, not "-1".',
          'MILLRACE_MILL_LOUD must be 1 or 0, not "very".',
          'RIVER_URL must be river://name.',
        ]);
        return true;
      },
    );
  });

  test('an unknown name is reported with the most similar setting, unless another program reads it', () => {
    const others = { wheels: setting('MILLRACE_WHEELS', integer(1, 9).default(1), '1', 'Wheels.') };
    const environment = { MILLRACE_WHEELS: '2', MILLRACE_WHELS: '2', MILLRACE_QUITE_DIFFERENT: '1', OTHER: '1' };
    assert.deepEqual(readSettings(declarations, environment, [others]).warnings, [
      'MILLRACE_WHELS is not a setting. Did you mean MILLRACE_WHEELS?',
      'MILLRACE_QUITE_DIFFERENT is not a setting.',
    ]);
    assert.equal(readSettings(declarations, environment).warnings[0], 'MILLRACE_WHEELS is not a setting.');
  });

  test('the documentation shows each with its default', () => {
    assert.equal(
      settingsTable(declarations).split('\n').slice(2).join('\n'),
      '| `MILLRACE_MILL_PORT` | `1` | Port. |\n' +
        '| `MILLRACE_MILL_LOUD` | `0` | Whether it is heard. |\n' +
        '| `RIVER_URL` | the nearest one | Where the water comes from. |',
    );
  });
});
