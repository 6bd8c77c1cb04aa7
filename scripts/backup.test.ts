import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startTestControl, type TestControl } from '@millrace/control/testing';
import { migrations } from '@millrace/extraction/migrations';
import { migrate } from '@millrace/postgres';

interface Ended {
  readonly code: number | string | null;
  readonly output: string;
}

describe('the backup commands', () => {
  let control: TestControl;
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-backup-commands-'));
  before(async () => {
    control = await startTestControl();
    await migrate({ connection: control.opened.owner, migrations });
  });
  after(async () => {
    await control.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function run(script: string, words: readonly string[], settings: Record<string, string>): Promise<Ended> {
    const { promise, resolve } = Promise.withResolvers<Ended>();
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, script), ...words],
      {
        env: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          MILLRACE_ENCRYPTION_KEY: control.encryptionKey.toString('hex'),
          ...settings,
        },
      },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
    return promise;
  }

  test('back up under load into a folder, and restore into an embedded server with genuine audit trails', async () => {
    const organizationId = await control.addOrganization('busy');
    const administrator = await control.addUser(organizationId, ['organization_administrator']);
    const external = { DATABASE_URL: control.opened.url, MILLRACE_DATA_DIR: control.dataDirectory };
    const places = join(folder, 'backups');
    let isOver = false;
    const load = (async () => {
      let count = 0;
      for (; !isOver; count++) {
        const { status } = await administrator.call('POST', '/environments', {
          name: `environment-${count}`,
          displayName: 'Environment',
        });
        assert.equal(status, 201);
      }
      return count;
    })();
    const backedUp = await run('backup.ts', ['--to', join(places, '{time}')], external);
    isOver = true;
    const written = await load;
    assert.equal(backedUp.code, 0, backedUp.output);
    assert.match(backedUp.output, /^Backed up [\d,]+ rows of \d+ tables and 0 originals\.$/m);

    const [name = ''] = readdirSync(places);
    assert.match(name, /^\d{8}T\d{6}Z$/);
    const place = join(places, name);
    const dataDirectory = join(folder, 'restored');
    const keyless = await run('restore.ts', ['--from', place], {
      MILLRACE_DATA_DIR: dataDirectory,
      MILLRACE_ENCRYPTION_KEY: '',
    });
    assert.deepEqual([keyless.code, /There is no encryption key/.test(keyless.output)], [2, true], keyless.output);
    const restored = await run('restore.ts', ['--from', place], { MILLRACE_DATA_DIR: dataDirectory });
    assert.equal(restored.code, 0, restored.output);
    const verified = await run('../apps/control/src/audit-verify/main.ts', [], { MILLRACE_DATA_DIR: dataDirectory });
    assert.equal(verified.code, 0, verified.output);
    const [, entries = ''] = /^busy \(org_\w+\): ([\d,]+) entries, genuine to the end$/m.exec(verified.output) ?? [];
    const count = Number(entries.replace(',', ''));
    assert.ok(count > 0 && count < written, `${count} of ${written} entries`);
  });

  test('reject a wrong command line', async () => {
    const ended = await run('restore.ts', ['--from', join(folder, 'missing')], { MILLRACE_DATA_DIR: folder });
    assert.deepEqual([ended.code, /missing doesn’t exist/.test(ended.output)], [2, true], ended.output);
  });
});
