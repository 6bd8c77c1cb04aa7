import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openBlobStore } from '@millrace/blobs';
import { createLogger } from '@millrace/logs';
import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import { insertUser } from '../accounts/store.ts';
import { openExtractionTestDatabase } from '../database/testing.ts';
import { startCleanup } from './cleanup.ts';

test('what people left that is over is cleared away, and nothing else', async () => {
  const opened = await openExtractionTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-cleanup-'));
  const blobs = await openBlobStore(pathToFileURL(folder).href, [Buffer.alloc(32, 1)]);
  try {
    const { system } = opened.database;
    const account = await opened.addAccount();
    await tenantTransaction(opened.database, account, (transaction) =>
      insertUser(transaction, { email: 'robin@example.com', name: '', role: 'administrator', passwordHash: '' }),
    );
    const { id: user } = await system.selectFrom('users').select('id').executeTakeFirstOrThrow();
    await sql`
      insert into sessions (id, account_id, user_id, token_hash, address, user_agent, expires_at)
      select 'ses_' || days, ${account}, ${user}, days::text::bytea, '', '', now() + days * interval '1 day'
      from unnest(array[-1, 1]) as days`.execute(system);
    await sql`
      insert into password_resets (id, account_id, user_id, token_hash, expires_at)
      select 'pwr_' || days, ${account}, ${user}, days::text::bytea, now() + days * interval '1 day'
      from unnest(array[-1, 1]) as days`.execute(system);
    await sql`
      insert into invitations (id, account_id, email, role, token_hash, invited_by, expires_at)
      select 'inv_' || days, ${account}, days || '@example.com', 'member', days::text::bytea, ${user},
        now() + days * interval '1 day'
      from unnest(array[-31, -29, 1]) as days`.execute(system);
    await sql`
      insert into mails (id, account_id, state, sealed_payload, created_at)
      select 'mail_' || state || days, ${account}, state, '', now() + days * interval '1 day'
      from unnest(array[-8, -6]) as days, unnest(array['done', 'failed', 'queued']) as state`.execute(system);
    await sql`
      insert into document_counts (account_id, day, doc_type, state, count)
      select ${account}, current_date + days, 'invoice', 'done', 1 from unnest(array[-91, -1]) as days`.execute(system);

    const failures: string[] = [];
    const logger = createLogger('warn', { write: (line) => failures.push(line) });
    const cleanup = startCleanup({ database: opened.database, blobs, logger });
    await cleanup.stop();

    assert.deepEqual(failures, []);
    const { rows } = await sql<{ left: string[] }>`
      select array(
        select id from sessions union all select id from password_resets union all select id from invitations
        union all select id from mails union all select day::text from document_counts where day < current_date - 2
        order by 1) as left`.execute(system);
    assert.deepEqual(rows[0]?.left, [
      'inv_-29',
      'inv_1',
      'mail_done-6',
      'mail_failed-6',
      'mail_queued-6',
      'mail_queued-8',
      'pwr_1',
      'ses_1',
    ]);
  } finally {
    await blobs.close();
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
