import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openTestDatabase, type TestDatabase } from '@millrace/postgres/testing';
import { passwordMatches } from '@millrace/sign-in/passwords';
import { migrations, schemaName } from './database/migrations.ts';
import type { Schema } from './database/schema.ts';
import { createFirstAdministrator } from './first-administrator.ts';

describe('the first administrator', () => {
  let opened: TestDatabase<Schema>;
  before(async () => {
    opened = await openTestDatabase<Schema>(migrations, { schema: schemaName });
  });
  after(() => opened.close());

  test('of several processes that start at once, one creates it and shows its password', async () => {
    const settings = { adminEmail: 'root@example.com', adminPassword: null };
    const made = await Promise.all(Array.from({ length: 4 }, () => createFirstAdministrator(opened, settings)));
    const shown = made.filter((one) => one !== null);
    assert.equal(shown.length, 1);
    const { system } = opened.database;
    const [user, ...others] = await system.selectFrom('users').selectAll().execute();
    assert.deepEqual([user?.email, others.length], ['root@example.com', 0]);
    assert.ok(await passwordMatches(user?.password_hash ?? null, shown[0]?.password ?? ''));
    const roles = await system.selectFrom('user_roles').select(['user_id', 'role_id']).execute();
    assert.deepEqual(roles, [{ user_id: user?.id, role_id: 'super_admin' }]);
    assert.equal(await createFirstAdministrator(opened, settings), null);
  });
});
