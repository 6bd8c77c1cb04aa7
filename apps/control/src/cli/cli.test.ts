import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { hashPassword } from '@millrace/sign-in/passwords';
import { startTestControl, type TestCaller, type TestControl } from '../testing.ts';

describe('the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-cli-'));
  const password = 'a long enough secret';
  const credentialsFile = join(folder, 'millrace', 'credentials.json');
  const file = join(folder, 'organization.yaml');
  let control: TestControl;
  let owner: TestCaller;
  before(async () => {
    control = await startTestControl();
    owner = await control.addUser(await control.addOrganization(), ['organization_administrator']);
    await control.opened.database.system
      .updateTable('users')
      .set({ email: 'owner@example.com', password_hash: await hashPassword(password) })
      .where('id', '=', owner.userId)
      .execute();
  });
  after(async () => {
    await control.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const millrace = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    new Promise<{ readonly code: number | null; readonly out: string; readonly problems: string }>(
      (resolve, reject) => {
        const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...words], {
          env: {
            PATH: process.env.PATH,
            NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
            NODE_NO_WARNINGS: '1',
            XDG_CONFIG_HOME: folder,
            ...environment,
          },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let out = '';
        let problems = '';
        child.stdout.on('data', (chunk: Buffer) => {
          out += chunk;
        });
        child.stderr.on('data', (chunk: Buffer) => {
          problems += chunk;
        });
        child.on('error', reject);
        child.on('close', (code) => resolve({ code, out, problems }));
      },
    );

  test('prints its usage, and reports that nobody is signed in', async () => {
    const [help, unknown, early] = await Promise.all([millrace(['--help']), millrace(['dance']), millrace(['export'])]);
    assert.deepEqual([help.code, help.problems], [0, '']);
    assert.match(help.out, /login .*\n[\s\S]*export[\s\S]*plan FILE[\s\S]*apply FILE/);
    assert.deepEqual([unknown.code, unknown.out], [1, '']);
    assert.equal(early.code, 1);
    assert.match(early.problems, /millrace -- login/);
  });

  test('signs in, exports, plans and applies', async () => {
    const wrong = await millrace(['login', '--url', control.baseUrl, '--email', 'owner@example.com'], {
      MILLRACE_PASSWORD: 'not the password',
    });
    assert.equal(wrong.code, 1);
    assert.match(wrong.problems, /password or the one-time code is wrong/);
    const login = await millrace(['login', '--url', control.baseUrl, '--email', 'owner@example.com'], {
      MILLRACE_PASSWORD: password,
    });
    assert.equal(login.code, 0, login.problems);
    assert.match(login.out, /Signed in to .* as owner@example\.com/);
    assert.equal(statSync(credentialsFile).mode & 0o777, 0o600);
    assert.ok(!readFileSync(credentialsFile, 'utf8').includes(password));

    const exported = await millrace(['export', '--out', file]);
    assert.equal(exported.code, 0, exported.problems);
    const same = await millrace(['plan', file]);
    assert.deepEqual([same.code, same.out], [0, 'Nothing to change.\n']);

    const roles = 'roles:\n  - name: Reader\n    description: ""\n    permissions: [proxy.read]\n';
    writeFileSync(file, readFileSync(file, 'utf8').replace('roles: []\n', roles));
    const planned = await millrace(['plan', file]);
    assert.deepEqual(
      [planned.code, planned.out],
      [
        2,
        '+ role Reader\n    description: ""\n    name: "Reader"\n    permissions: ["proxy.read"]\n\n1 to create, 0 to update, 0 to delete.\n',
      ],
    );
    const unconfirmed = await millrace(['apply', file]);
    assert.equal(unconfirmed.code, 1);
    assert.match(unconfirmed.problems, /--yes/);
    assert.equal((await owner.call('GET', '/roles?builtIn=false')).data.total, 0);
    const applied = await millrace(['apply', file, '--yes']);
    assert.equal(applied.code, 0, applied.problems);
    assert.match(applied.out, /Applied 1 change\.\n$/);
    const exportedAgain = await millrace(['export']);
    assert.equal(exportedAgain.out, readFileSync(file, 'utf8').replace(' [proxy.read]', '\n      - proxy.read'));
    const deleted = await millrace(['plan', '--prune', file]);
    assert.equal(deleted.code, 0);
  });

  test('reports problems with a document, the service and the session', async () => {
    writeFileSync(file, 'version: 1\nproxies:\n  - {name: orders, displayName: Orders, basePath: no-slash}\n');
    const refused = await millrace(['plan', file]);
    assert.equal(refused.code, 1);
    assert.match(refused.problems, /^ {2}proxies\.0\.basePath: Use a path such as/m);
    const missing = await millrace(['plan', join(folder, 'none.yaml')]);
    assert.match(missing.problems, /could not be read/);
    const away = await millrace(['login', '--url', 'http://127.0.0.1:1', '--token', 'x']);
    assert.deepEqual([away.code, /cannot be reached/.test(away.problems)], [1, true]);
    await owner.call('DELETE', '/auth/sessions');
    const ended = await millrace(['export']);
    assert.equal(ended.code, 1);
    assert.match(ended.problems, /millrace -- login/);
  });

  test('takes the token of a service account', async () => {
    const account = await owner.call('POST', '/service-accounts', {
      name: 'pipeline',
      permissions: ['organization.export'],
    });
    const issued = await owner.call('POST', `/service-accounts/${account.data.id}/tokens`, { name: 'ci' });
    const { token } = issued.data;
    const login = await millrace(['login', '--url', control.baseUrl, '--token', token]);
    assert.equal(login.code, 0, login.problems);
    assert.match((await millrace(['export'])).out, /^version: 1\n/);
    const forbidden = await millrace(['plan', file]);
    assert.equal(forbidden.code, 1);
    assert.match(forbidden.problems, /organization\.import/);
  });
});
