import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createLogger } from '@millrace/logs';
import { tenantTransaction } from '@millrace/postgres';
import { openTestDatabase, type TestDatabase } from '@millrace/postgres/testing';
import { readSettings } from '@millrace/settings/extraction';
import { sql } from 'kysely';
import { Client } from 'pg';
import { createFirstAccount } from '../first-account.ts';
import { webhookSecretSealer } from '../resources/webhooks/secrets.ts';
import { type ConnectedDatabase, connectDatabase } from './connect.ts';

const logger = createLogger('silent', { write: () => undefined });

describe('a database server of one’s own', () => {
  let empty: TestDatabase<never>;
  /** The URL of the empty database for a login that is no superuser. */
  const urlFor = (user: string, password = 'of-the-test'): string => {
    const url = new URL(empty.url);
    url.username = user;
    url.password = password;
    return url.href;
  };
  const connect = (databaseUrl: string): Promise<ConnectedDatabase> =>
    connectDatabase({ settings: readSettings({ DATABASE_URL: databaseUrl }).settings, logger, join: false });

  before(async () => {
    empty = await openTestDatabase({});
    const administrator = new Client(empty.owner);
    await administrator.connect();
    await administrator.query(`
      drop role if exists owner_of_tables, owner_without_rights;
      create role owner_of_tables login createrole password 'of-the-test';
      create role owner_without_rights login password 'of-the-test';
      alter database ${new URL(empty.url).pathname.slice(1)} owner to owner_of_tables;
      alter schema public owner to owner_of_tables;
      grant millrace_service to owner_of_tables with admin option;`);
    await administrator.end();
  });
  after(() => empty.close());

  test('several processes migrate it and make the first account at once: it is done once', async () => {
    const connections = await Promise.all(Array.from({ length: 4 }, () => connect(urlFor('owner_of_tables'))));
    const { settings } = readSettings({});
    const secrets = webhookSecretSealer([Buffer.alloc(32)]);
    const made = await Promise.all(connections.map(({ database }) => createFirstAccount(database, settings, secrets)));
    assert.equal(made.filter((account) => account !== null).length, 1);

    const [{ database }] = connections as [ConnectedDatabase];
    const role = await sql<{ current_user: string; rolsuper: boolean; owned: string }>`
      select current_user, rolsuper, (select count(*) from pg_tables where tableowner = current_user) as owned
      from pg_roles where rolname = current_user`.execute(database.system);
    assert.deepEqual(role.rows, [{ current_user: 'millrace_service', rolsuper: false, owned: '0' }]);
    const seen = await tenantTransaction(database, 'acc_another', (transaction) =>
      transaction.selectFrom('accounts').select('id').execute(),
    );
    assert.deepEqual(seen, []);
    await Promise.all(connections.map((connection) => connection.close()));
  });

  test('the error for a user who may not take the service’s role says what an administrator has to do', async () => {
    await assert.rejects(connect(urlFor('owner_without_rights')), /grant millrace_service to/);
  });

  test('a server that does not answer or let in is named, and the password is not', async () => {
    for (const url of ['postgres://user:hunter2@127.0.0.1:1/none', urlFor('owner_of_tables', 'hunter2')]) {
      await assert.rejects(connect(url), (error: Error) => {
        assert.match(error.message, /DATABASE_URL cannot be reached/);
        assert(!error.message.includes('hunter2'));
        return true;
      });
    }
  });
});
