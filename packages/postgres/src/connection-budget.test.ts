import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { checkConnectionBudget } from './connection-budget.ts';
import { openTestDatabase, type TestDatabase } from './testing.ts';

describe('the connection budget', () => {
  let opened: TestDatabase<object>;
  let other: Client;
  before(async () => {
    opened = await openTestDatabase<object>({});
    other = new Client(opened.owner);
    await other.connect();
  });
  after(async () => {
    await other.end();
    await opened.close();
  });

  const allow = (connections: number) =>
    other.query(`alter database ${opened.owner.database} connection limit ${connections}`);

  test('is kept where the server has room', async () => {
    await allow(-1);
    assert.equal(await checkConnectionBudget(opened.owner, 1), null);
  });

  test('warns where others use too many of what the server allows', async () => {
    await allow(6);
    assert.match(
      (await checkConnectionBudget(opened.owner, 6)) ?? '',
      /^PostgreSQL allows 6 connections, \d+ are in use, and this process may open 6\. Lower MILLRACE_DATABASE_CONNECTIONS/,
    );
  });

  test('fails where the server never allows as many', async () => {
    await allow(5);
    await assert.rejects(
      checkConnectionBudget(opened.owner, 6),
      /^Error: PostgreSQL allows 5 connections, fewer than MILLRACE_DATABASE_CONNECTIONS \(6\)\. Lower the setting/,
    );
  });

  test('counts what is left to others than administrators', async () => {
    await allow(-1);
    const { rows } = await other.query(
      `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as allowed`,
    );
    await assert.rejects(checkConnectionBudget(opened.owner, rows[0].allowed + 1), /allows \d+ connections, fewer/);
  });
});
