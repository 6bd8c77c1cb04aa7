import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { schemaName } from '../database/migrations.ts';
import { startTestControl, type TestControl } from '../testing.ts';

interface Ended {
  readonly code: number | string | null;
  readonly output: string;
}

describe('audit:verify', () => {
  let control: TestControl;
  before(async () => {
    control = await startTestControl();
  });
  after(() => control.stop());

  function run(...commandArguments: readonly string[]): Promise<Ended> {
    const { promise, resolve } = Promise.withResolvers<Ended>();
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'main.ts'), ...commandArguments],
      {
        env: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          DATABASE_URL: control.opened.url,
          MILLRACE_DATA_DIR: control.dataDirectory,
          MILLRACE_ENCRYPTION_KEY: control.encryptionKey.toString('hex'),
        },
      },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
    return promise;
  }

  test('verifies every trail, reports the first bad entry, and exits with the result', async () => {
    for (const name of ['first', 'second']) {
      const organizationId = await control.addOrganization(name);
      const administrator = await control.addUser(organizationId, ['organization_administrator']);
      for (const environment of ['test', 'staging', 'production']) {
        await administrator.call('POST', '/environments', { name: environment, displayName: environment });
      }
    }
    const genuine = await run();
    assert.equal(genuine.code, 0, genuine.output);
    assert.match(genuine.output, /^first \(org_\w+\): 3 entries, genuine to the end$/m);
    assert.match(genuine.output, /^6 entries of 2 trails in .* all genuine\.$/m);

    const superuser = new Client(control.opened.owner);
    await superuser.connect();
    await superuser.query(`set search_path = ${schemaName}; set session_replication_role = replica`);
    await superuser.query(
      `update audit_entries set actor_name = 'Somebody else' where sequence = 2
       and organization_id = (select id from organizations where name = 'second')`,
    );
    await superuser.end();
    const forged = await run();
    assert.equal(forged.code, 1);
    assert.match(
      forged.output,
      /^second \(org_\w+\): NOT GENUINE, first bad entry 2 \(aud_\w+\)\. Entry 2 was changed/m,
    );
    assert.match(forged.output, /^first .* genuine to the end$/m);
    assert.equal((await run('--organization', 'first')).code, 0);

    const unknown = await run('--organization', 'third');
    assert.deepEqual([unknown.code, /Organization third not found/.test(unknown.output)], [2, true]);
  });
});
