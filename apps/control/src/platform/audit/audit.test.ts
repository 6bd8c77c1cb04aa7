import assert from 'node:assert/strict';
import { createHmac, hkdfSync } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before, beforeEach, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { Client } from 'pg';
import { schemaName } from '../../database/migrations.ts';
import { type AuditRow, appendAudit, chainStart, createAuditChain } from '../../frame/audit.ts';
import { csvRow } from '../../frame/csv.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { anchorFile, anchorTrails } from './anchors.ts';

describe('audit', () => {
  let control: TestControl;
  let organizationId: string;
  let auditor: TestCaller;
  let superuser: Client;
  before(async () => {
    control = await startTestControl();
    // As its owner, who is a superuser: no policy and no grant holds, and triggers can be switched off.
    superuser = new Client(control.opened.owner);
    await superuser.connect();
    await superuser.query(`set search_path = ${schemaName}; set session_replication_role = replica`);
  });
  beforeEach(async () => {
    organizationId = await control.addOrganization();
    auditor = await control.addUser(organizationId, ['auditor']);
  });
  after(async () => {
    await superuser.end();
    await control.stop();
  });

  /** Entries as the service records them. */
  async function record(count: number, given: (index: number) => Partial<AuditRow> = () => ({})): Promise<void> {
    const chain = createAuditChain(control.encryptionKey);
    for (let index = 1; index <= count; index++) {
      await appendAudit(control.opened.database, chain, {
        organizationId,
        at: new Date(Date.UTC(2026, 0, 1, 0, 0, index)),
        actorKind: 'user',
        actorId: 'usr_1',
        actorName: 'Ada',
        operation: 'updateTargetServer',
        entityType: 'target_server',
        entityId: `tgt_${index}`,
        category: 'configuration',
        severity: 'low',
        outcome: 'done',
        note: `note ${index}`,
        changes: [{ path: 'port', before: index, after: index + 1 }],
        origin: { requestId: `req_${index}`, ip: '192.0.2.1', userAgent: 'test' },
        ...given(index),
      });
    }
  }

  const verify = async () => (await auditor.call('GET', '/audit/integrity')).data;
  const tamper = (statement: string, ...values: unknown[]) => superuser.query(statement, [organizationId, ...values]);
  const anchor = () =>
    anchorTrails(
      control.opened.database.system,
      createAuditChain(control.encryptionKey),
      anchorFile(control.dataDirectory),
      new Map(),
    );
  const idAt = async (sequence: number): Promise<string> => {
    const { rows } = await tamper(
      'select id from audit_entries where organization_id = $1 and sequence = $2',
      sequence,
    );
    return rows[0].id;
  };

  test('a genuine trail passes verification, including an empty one', async () => {
    assert.deepEqual(await verify(), { verified: true, checked: 0, firstBadEntry: null, problem: null });
    await record(5);
    await anchor();
    assert.deepEqual(await verify(), { verified: true, checked: 5, firstBadEntry: null, problem: null });
  });

  test('an edit of any column of any entry is detected, with the entry', async () => {
    await record(4);
    const edits = {
      id: `'aud_other'`,
      at: `at + interval '1 microsecond'`,
      actor_kind: `'system'`,
      actor_id: 'null',
      actor_name: `actor_name || ' '`,
      operation: `'deleteProxy'`,
      entity_type: `'proxy'`,
      entity_id: `'tgt_other'`,
      category: `'security'`,
      severity: `'high'`,
      outcome: `'denied'`,
      ip: `'192.0.2.2'`,
      user_agent: `''`,
      request_id: `''`,
      note: `''`,
      changes: `'[ {"path":"port","before":2,"after":3}]'`,
      hash: `decode(repeat('00', 32), 'hex')`,
      organization_id: `'org_other'`,
      sequence: '7',
    };
    const { rows } = await superuser.query(
      `select column_name from information_schema.columns where table_schema = $1 and table_name = 'audit_entries'`,
      [schemaName],
    );
    assert.deepEqual(Object.keys(edits).sort(), rows.map(({ column_name }) => column_name).sort());
    const id = await idAt(2);
    await superuser.query('create temp table genuine (like audit_entries)');
    await tamper('insert into genuine select * from audit_entries where organization_id = $1');
    for (const [column, value] of Object.entries(edits)) {
      await tamper(`update audit_entries set ${column} = ${value} where organization_id = $1 and sequence = 2`);
      const found = await verify();
      const moved = column === 'organization_id' || column === 'sequence';
      const bad = { sequence: 2, id: moved ? null : column === 'id' ? 'aud_other' : id };
      assert.deepEqual([found.verified, found.checked, found.firstBadEntry], [false, 1, bad], column);
      await restore(2, id);
      assert.equal((await verify()).verified, true, column);
    }

    async function restore(sequence: number, entryId: string): Promise<void> {
      await superuser.query(
        `delete from audit_entries where (organization_id = $1 or organization_id = 'org_other') and (id in ($2, 'aud_other'))`,
        [organizationId, entryId],
      );
      await superuser.query(
        'insert into audit_entries select * from genuine where organization_id = $1 and sequence = $2',
        [organizationId, sequence],
      );
    }
  });

  test('removed, swapped, added and cut-off entries are detected', async () => {
    await record(6);
    const snapshot = async () => {
      await superuser.query('create temp table if not exists kept (like audit_entries)');
      await superuser.query('truncate kept');
      await tamper('insert into kept select * from audit_entries where organization_id = $1');
    };
    const restore = async () => {
      await tamper('delete from audit_entries where organization_id = $1');
      await superuser.query('insert into audit_entries select * from kept');
    };
    await snapshot();
    const third = await idAt(3);
    const sixth = await idAt(6);

    await tamper('delete from audit_entries where organization_id = $1 and sequence = 3');
    assert.deepEqual((await verify()).firstBadEntry, { sequence: 3, id: null });
    // The gap is closed again by renumbering what follows.
    await tamper('update audit_entries set sequence = -sequence where organization_id = $1 and sequence > 3');
    await tamper('update audit_entries set sequence = -sequence - 1 where organization_id = $1 and sequence < 0');
    const renumbered = await verify();
    assert.deepEqual([renumbered.checked, renumbered.firstBadEntry.sequence], [2, 3]);
    await restore();

    const swap =
      'update audit_entries set sequence = case sequence when 3 then -4 else -3 end where organization_id = $1 and sequence in (3, 4)';
    await tamper(swap);
    await tamper('update audit_entries set sequence = -sequence where organization_id = $1 and sequence < 0');
    const swapped = await verify();
    assert.deepEqual([swapped.checked, swapped.firstBadEntry.sequence], [2, 3]);
    assert.notEqual(swapped.firstBadEntry.id, third);
    await restore();

    for (const sequence of [0, 7]) {
      await tamper(
        `insert into audit_entries select organization_id, $2, 'aud_added', at, actor_kind, actor_id, actor_name, operation, entity_type,
         entity_id, category, severity, outcome, ip, user_agent, request_id, note, changes, hash from kept where organization_id = $1 and sequence = 6`,
        sequence,
      );
      assert.deepEqual((await verify()).firstBadEntry, { sequence, id: 'aud_added' });
      await restore();
    }

    await tamper('delete from audit_entries where organization_id = $1 and sequence > 4');
    assert.deepEqual([(await verify()).checked, (await verify()).firstBadEntry], [4, { sequence: 5, id: null }]);
    await tamper('delete from audit_entries where organization_id = $1');
    assert.deepEqual((await verify()).firstBadEntry, { sequence: 1, id: null });
    await restore();

    const { rows } = await tamper('select * from audit_heads where organization_id = $1');
    const [head] = rows;
    for (const change of [`hash = decode(repeat('00', 32), 'hex')`, `seal = decode(repeat('00', 32), 'hex')`]) {
      await tamper(`update audit_heads set ${change} where organization_id = $1`);
      assert.deepEqual((await verify()).firstBadEntry, { sequence: 6, id: sixth }, change);
      await tamper('update audit_heads set hash = $2, seal = $3 where organization_id = $1', head.hash, head.seal);
    }
    await tamper('update audit_heads set sequence = 5 where organization_id = $1');
    assert.deepEqual((await verify()).firstBadEntry, { sequence: 6, id: sixth });
    await tamper('delete from audit_heads where organization_id = $1');
    assert.deepEqual((await verify()).firstBadEntry, { sequence: 6, id: sixth });
    await tamper('insert into audit_heads values ($1, $2, $3, $4)', head.sequence, head.hash, head.seal);
    assert.equal((await verify()).verified, true);
  });

  test('anchors detect a trail rolled back with its sealed end, even after it was continued', async () => {
    await record(3);
    const { rows } = await tamper('select * from audit_heads where organization_id = $1');
    const [older] = rows;
    await record(3);
    await anchor();
    await tamper('delete from audit_entries where organization_id = $1 and sequence > 3');
    await tamper(
      'update audit_heads set sequence = $2, hash = $3, seal = $4 where organization_id = $1',
      older.sequence,
      older.hash,
      older.seal,
    );
    const found = await verify();
    assert.deepEqual([found.verified, found.checked, found.firstBadEntry], [false, 3, { sequence: 4, id: null }]);
    assert.match(found.problem, /Entries 4 to 6 are missing/);

    await record(5, () => ({ note: 'another' }));
    const grown = await verify();
    assert.deepEqual(grown.firstBadEntry, { sequence: 6, id: await idAt(6) });
    assert.match(grown.problem, /anchored/);

    await tamper('delete from audit_entries where organization_id = $1');
    await tamper('delete from audit_heads where organization_id = $1');
    assert.deepEqual((await verify()).firstBadEntry, { sequence: 1, id: null });
  });

  test('a trail rolled back seconds after a write is detected before the database is read again', async () => {
    const administrator = await control.addUser(organizationId, ['organization_administrator']);
    const write = async (name: string) => {
      const { status } = await administrator.call('POST', '/environments', { name, displayName: name });
      assert.equal(status, 201);
    };
    await write('older');
    const { rows } = await tamper('select * from audit_heads where organization_id = $1');
    const [older] = rows;
    await write('newer');
    const hasAnchor = (sequence: number) =>
      readFileSync(anchorFile(control.dataDirectory), 'utf8')
        .split('\n')
        .some((line) => line.includes(organizationId) && line.includes(`"sequence":${sequence},`));
    const last = Number(older.sequence) + 1;
    await eventually('the anchor', () => hasAnchor(last));
    await tamper('delete from audit_entries where organization_id = $1 and sequence >= $2', last);
    await tamper(
      'update audit_heads set sequence = $2, hash = $3, seal = $4 where organization_id = $1',
      older.sequence,
      older.hash,
      older.seal,
    );
    const cut = await verify();
    assert.deepEqual([cut.verified, cut.firstBadEntry], [false, { sequence: last, id: null }]);
    await write('other');
    assert.match((await verify()).problem, /anchored/);
  });

  test('a changed anchor is detected; an unfinished one is ignored', async () => {
    await record(2);
    await anchor();
    const file = anchorFile(control.dataDirectory);
    const genuine = readFileSync(file, 'utf8');
    appendFileSync(file, '{"organizationId":"org_');
    await record(1);
    await anchor();
    assert.equal((await verify()).verified, true);
    const lines = genuine.split('\n');
    const own = lines.findLastIndex((line) => line.includes(organizationId));
    lines[own] = lines[own]!.replace('"sequence":2', '"sequence":1');
    writeFileSync(file, lines.join('\n'));
    const found = await verify();
    assert.deepEqual([found.verified, found.firstBadEntry], [false, null]);
    assert.match(found.problem, /anchor file/);
    writeFileSync(file, genuine);
    assert.equal((await verify()).verified, true);
  });

  test('the service’s database role can only append to the trail', async () => {
    await record(2);
    const { system } = control.opened.database;
    for (const statement of [
      system.updateTable('audit_entries').set({ note: 'x' }).where('organization_id', '=', organizationId),
      system.deleteFrom('audit_entries').where('organization_id', '=', organizationId),
    ]) {
      await assert.rejects(statement.execute(), /permission denied/);
    }
    await superuser.query('set session_replication_role = default');
    await assert.rejects(tamper('delete from audit_entries where organization_id = $1'), /append-only/);
    await assert.rejects(superuser.query('truncate audit_entries'), /append-only/);
    await superuser.query('set session_replication_role = replica');
  });

  test('the trail is listed by its filters, newest first, and counted', async () => {
    await record(60, (index) => ({
      ...(index % 10 === 0 ? { severity: 'high', outcome: 'denied', category: 'security' } : {}),
      ...(index % 20 === 0 ? { operation: 'createProxy', entityType: 'proxy', actorId: auditor.userId } : {}),
    }));
    const list = async (query: string) => (await auditor.call('GET', `/audit?${query}`)).data;
    const sequences = ({ entries }: { entries: { sequence: number }[] }) => entries.map(({ sequence }) => sequence);
    const first = await list('');
    assert.deepEqual(
      [first.total, sequences(first)[0], sequences(first).at(-1), first.entries.length],
      [60, 60, 36, 25],
    );
    const last = await list('page=3');
    assert.deepEqual([last.total, sequences(last)], [60, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]]);
    assert.deepEqual(sequences(await list('page=4')), []);
    assert.deepEqual(sequences(await list('sort=at&pageSize=3&page=2')), [4, 5, 6]);

    for (const [query, expected] of [
      ['severity=high', [60, 50, 40, 30, 20, 10]],
      ['outcome=denied&operation=createProxy', [60, 40, 20]],
      ['entityType=proxy&sort=at', [20, 40, 60]],
      [`actorId=${auditor.userId}`, [60, 40, 20]],
      ['entityId=tgt_7', [7]],
      ['category=security&from=2026-01-01T00:00:20Z&to=2026-01-01T00:00:50Z', [40, 30, 20]],
      ['from=2026-01-01T00:00:58Z', [60, 59, 58]],
      ['search=CREATEproxy', [60, 40, 20]],
      [`search=${auditor.userId}@example`, [60, 40, 20]],
      ['search=tgt_12', [12]],
      ['search=nothing-of-the-kind', []],
    ] as const) {
      const found = await list(query);
      assert.deepEqual([sequences(found), found.total], [expected, expected.length], query);
    }
    const paged = await list('category=configuration&pageSize=10&page=2');
    assert.deepEqual([paged.total, sequences(paged)[0]], [54, 48]);
    for (const query of ['colour=red', 'severity=extreme', 'from=yesterday', 'sort=note']) {
      assert.equal((await auditor.call('GET', `/audit?${query}`)).status, 400, query);
    }

    const one = await auditor.call('GET', `/audit/${first.entries[0].id}`);
    assert.deepEqual(one.data, { ...first.entries[0], changes: [{ path: 'port', before: 60, after: 61 }] });
    const trail = await auditor.call('GET', '/audit/entities/target_server/tgt_7');
    assert.deepEqual([trail.data.total, sequences(trail.data)], [1, [7]]);
    assert.equal((await auditor.call('GET', '/audit/entities/proxy/tgt_7')).status, 404);

    const stranger = await control.addUser(await control.addOrganization(), ['auditor']);
    assert.equal((await stranger.call('GET', '/audit')).data.total, 0);
    assert.equal((await stranger.call('GET', `/audit/${first.entries[0].id}`)).status, 404);
    assert.equal((await stranger.call('GET', '/audit/entities/target_server/tgt_7')).status, 404);
  });

  test('an export has the filtered entries without formulas, and is audited itself', async () => {
    await record(1_100, (index) =>
      index === 3 ? { actorName: '=HYPERLINK("http://evil.example")', note: '+1, "quoted"\r\nnext' } : {},
    );
    const exported = await auditor.call('GET', '/audit/export?category=configuration');
    assert.equal(exported.status, 200);
    assert.match(exported.headers.get('content-type') ?? '', /^text\/csv/);
    assert.match(
      exported.headers.get('content-disposition') ?? '',
      /^attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const rows = exported.data.split('\r\n"');
    assert.equal(rows.length, 1_101);
    assert.match(rows[0], /^"sequence","at","actorKind"/);
    assert.ok(rows[3].includes(`"'=HYPERLINK(""http://evil.example"")"`));
    assert.ok(rows[3].includes(`"'+1, ""quoted""\r\nnext"`));
    assert.ok(rows[1_100].startsWith('1100"'));

    const { data } = await auditor.call('GET', '/audit?operation=exportAudit');
    assert.deepEqual([data.total, data.entries[0].entityType, data.entries[0].sequence], [1, 'audit_trail', 1_101]);
    const entry = await auditor.call('GET', `/audit/${data.entries[0].id}`);
    assert.deepEqual(entry.data.changes, [{ path: 'category', before: null, after: 'configuration' }]);
    const developer = await control.addUser(organizationId, ['developer']);
    assert.equal((await developer.call('GET', '/audit/export')).status, 403);
  });

  test('a cell that looks like a formula gets an apostrophe', () => {
    for (const text of ['=1', '+1', '-1', '@a', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠a']) {
      assert.equal(csvRow([text]), `"'${text}"\r\n`);
    }
    assert.equal(csvRow(['a=1', '', null, 'say "x"', ' =1']), '"a=1","","","say ""x"""," =1"\r\n');
  });

  test('the MACs are HMAC-SHA256', () => {
    const chain = createAuditChain(control.encryptionKey);
    const key = Buffer.from(hkdfSync('sha256', control.encryptionKey, '', 'millrace audit chain', 32));
    const hmac = (...parts: readonly (string | Buffer)[]) =>
      parts.reduce((mac, part) => mac.update(part), createHmac('sha256', key)).digest();
    assert.deepEqual(chain.headSeal('org_1', '7', chainStart), hmac('head org_1 7 ', chainStart));
  });

  test('concurrent writes of an organization by 20 processes leave one chain', async () => {
    await Promise.all(Array.from({ length: 20 }, () => record(3)));
    const found = await verify();
    assert.deepEqual([found.verified, found.checked], [true, 60]);
  });

  test('calls during writes of other processes are each carried out and recorded once', async () => {
    const administrator = await control.addUser(organizationId, ['organization_administrator']);
    const create = async (round: number, number: number) => {
      const body = {
        name: `template-${round}-${number}`,
        kind: 'verify-api-key',
        configuration: { location: 'query', name: 'key' },
      };
      assert.equal((await administrator.call('POST', '/policy-templates', body)).status, 201);
    };
    // Behind each record of another process the service’s own idea of the chain’s end is wrong.
    for (let round = 0; round < 5; round++) {
      await create(round, 0);
      await record(1);
      await create(round, 1);
      await Promise.all([record(2), ...Array.from({ length: 6 }, (_, index) => create(round, 2 + index))]);
    }
    const found = await verify();
    assert.deepEqual([found.verified, found.checked], [true, 5 * (8 + 3)]);
    const { rows } = await tamper(
      `select count(*)::int as count, count(distinct entity_id)::int as entities from audit_entries
       where organization_id = $1 and operation = 'createPolicyTemplate'`,
    );
    assert.deepEqual(rows, [{ count: 40, entities: 40 }]);
  });
});
