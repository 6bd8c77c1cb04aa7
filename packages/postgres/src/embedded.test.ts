import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { type EmbeddedPostgres, findEmbedded, type ServerLogin, startEmbedded, urlOf } from './embedded.ts';

async function answers(connection: ServerLogin | { connectionString: string }): Promise<string> {
  const client = new Client({ ...connection });
  await client.connect();
  try {
    const { rows } = await client.query<{ address: string }>(
      `select coalesce(host(inet_server_addr()), 'a socket') as address`,
    );
    return rows[0]?.address ?? '';
  } finally {
    await client.end();
  }
}

describe('the embedded server', () => {
  let folder: string;
  let running: EmbeddedPostgres | undefined;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-embedded-'));
  });
  after(async () => {
    await running?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const start = async (name: string): Promise<EmbeddedPostgres> => {
    await running?.stop();
    running = await startEmbedded({ dataDirectory: join(folder, name), durable: false });
    return running;
  };

  test('is reachable on a socket in a private folder, only with the password', async () => {
    const { owner } = await start('data');
    assert.equal(statSync(owner.host).mode & 0o777, 0o700);
    assert.equal(await answers(owner), 'a socket');
    assert.equal(await answers({ connectionString: urlOf(owner) }), 'a socket');
    assert.deepEqual(findEmbedded(join(folder, 'data'))?.owner, owner);
    await assert.rejects(answers({ ...owner, password: 'another' }), { code: '28P01' });
  });

  test('starts despite the lock of a killed server whose process id now belongs to another process', async () => {
    const { owner } = await start('data');
    await running?.stop();
    writeFileSync(join(owner.host, `.s.PGSQL.${owner.port}.lock`), `${process.ppid}\n`);
    assert.equal(await answers((await start('data')).owner), 'a socket');
  });

  test('is reachable on loopback if the path is too long for a socket', async () => {
    const name = 'n'.repeat(100);
    const { owner } = await start(name);
    assert.equal(await answers(owner), '127.0.0.1');
    assert.equal(await answers({ connectionString: urlOf(owner) }), '127.0.0.1');
    assert.deepEqual(findEmbedded(join(folder, name))?.owner, owner);
  });
});
