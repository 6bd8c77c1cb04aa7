import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@millrace/eventually';
import { newId } from '@millrace/identifiers';
import { createTestAuthority } from '@millrace/webhooks/testing';
import { sql } from 'kysely';
import { enqueueEvent, enqueueNotification } from '../deliveries/enqueue.ts';
import { startTestWatch, type TestWatch } from '../deliveries/testing.ts';
import { eventCatalogue } from '../events/contract.ts';
import { randomOf } from '../incidents/testing-kills.ts';
import { startSyslog } from './testing.ts';
import type { SendingProcessOptions } from './testing-sending-process.ts';

/** How often one of two sending processes is killed; with MILLRACE_FULL=1 200 times. */
const kills = process.env.MILLRACE_FULL === '1' ? 200 : 4;
const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 1_000_000));
const timeoutMs = 1_000;
/** Written before each kill; those of a subject are delivered in order. */
const notificationsOfKill = 6;
const entriesOfKill = 40;
const example = eventCatalogue.find(({ kind }) => kind === 'invoice.paid')!.example;

let watch: TestWatch;
before(async () => {
  watch = await startTestWatch();
});
after(() => watch.stop());

test('killing sending processes loses nothing, sends nothing with another id and resumes streams', async (context) => {
  context.diagnostic(`TEST_SEED=${seed}`);
  await using stack = new AsyncDisposableStack();
  const random = randomOf(seed);
  const receiver = await startSlowReceiver(random);
  stack.defer(() => receiver.close());
  const authority = await createTestAuthority();
  const syslog = await startSyslog(await authority.issue({ hosts: ['siem.example'] }));
  stack.defer(() => syslog.close());
  const ruled = await watch.addIntegration({ kind: 'webhook', url: `${receiver.url}ruled`, events: [] }, 'secret');
  const subscribed = await watch.addIntegration(
    { kind: 'webhook', url: `${receiver.url}subscribed`, events: ['invoice.paid'] },
    'secret',
  );
  const siem = await watch.addIntegration({
    kind: 'siem',
    host: '127.0.0.1',
    port: syslog.port,
    serverName: 'siem.example',
    certificateAuthorities: authority.certificate,
  });

  const start = (): ChildProcess => {
    const options: SendingProcessOptions = {
      url: watch.opened.url,
      encryptionKey: watch.encryptionKey.toString('hex'),
      timeoutMs,
    };
    return fork(new URL('testing-sending-process.ts', import.meta.url), [JSON.stringify(options)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  };
  const processes = [start(), start()];
  stack.defer(() => {
    for (const child of processes) child.kill('SIGKILL');
  });
  const expected: string[] = [];
  let sequence = 0;
  for (let round = 0; round <= kills; round++) {
    expected.push(...(await writeNotifications(ruled, round)));
    await appendEntries(sequence + 1, entriesOfKill);
    sequence += entriesOfKill;
    if (round === kills) break;
    // Half of the kills meet a request that is not answered yet.
    const waits = random() < 0.5;
    if (waits) await eventually('a request in progress', () => receiver.open() > 0);
    else await sleep(400 * random());
    const index = Math.floor(random() * processes.length);
    processes[index]!.kill('SIGKILL');
    processes[index] = start();
    if (round % 10 === 9) await eventually('the messages so far', () => received(syslog.messages).size === sequence);
  }
  await eventually('everything to be sent', async () => {
    const { rows } = await sql`select from integration_deliveries where state = 'queued' limit 1`.execute(
      watch.opened.database.system,
    );
    return rows.length === 0 && (await watch.integration(siem)).stream?.waiting === 0;
  });

  const wanted = expected.flatMap((one) => [`/ruled ${one}`, `/subscribed ${one}`]);
  assert.deepEqual([...receiver.ids.keys()].toSorted(), wanted.toSorted(), 'each notification arrives');
  for (const [one, ids] of receiver.ids) assert.equal(ids.size, 1, `${one} has one id`);
  const first = [...receiver.ids.keys()];
  for (const path of ['/ruled', '/subscribed']) {
    for (let round = 0; round <= kills; round++) {
      const ofSubject = first.filter((one) => one.startsWith(`${path} ${round}:`));
      assert.deepEqual(ofSubject, ofSubject.toSorted(), 'what is about one subject arrives in order');
    }
  }
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*)::int as count from integration_deliveries
    where integration_id in (${ruled}, ${subscribed}) group by state`.execute(watch.opened.database.system);
  assert.deepEqual(rows, [{ state: 'delivered', count: wanted.length }]);

  let last = 0;
  for (const connection of syslog.connections) {
    const sequences = connection.map(sequenceOf);
    for (const [index, found] of sequences.entries()) {
      if (index > 0) assert.equal(found, sequences[index - 1]! + 1, 'a connection has entries without gaps');
    }
    if (sequences.length === 0) continue;
    assert(sequences[0]! <= last + 1, `a stream resumes at ${sequences[0]} after ${last}`);
    last = Math.max(last, sequences.at(-1)!);
  }
  assert.equal(last, sequence);
  assert.deepEqual(watch.errors, []);
});

/** Three notifications about each of two integrations' subjects, which names what each says; what they say. */
async function writeNotifications(integrationId: string, round: number): Promise<readonly string[]> {
  const said = Array.from({ length: notificationsOfKill }, (_, index) => `${round}:${index}`);
  for (const one of said) {
    await watch.within(async (transaction) => {
      const notification = {
        notificationId: one,
        kind: 'invoice.paid',
        subject: { type: 'invoice', id: `ivc_${round}` },
        data: { ...(example.data as object), number: one } as never,
        at: new Date(),
      } as const;
      assert(await enqueueNotification(transaction, { ...notification, integrationId }));
      assert.equal(await enqueueEvent(transaction, notification), 1);
    });
  }
  return said;
}

async function appendEntries(first: number, count: number): Promise<void> {
  const { system } = watch.opened.database;
  const rows = Array.from({ length: count }, (_, index) => ({
    organization_id: watch.organizationId,
    sequence: String(first + index),
    id: newId('aud'),
    at: new Date(),
    actor_kind: 'user' as const,
    actor_name: 'Robin Example',
    operation: 'updateProxy',
    entity_type: 'proxy',
    category: 'configuration' as const,
    severity: 'low' as const,
    outcome: 'done' as const,
    ip: '127.0.0.1',
    user_agent: 'test',
    request_id: 'r1',
    note: '',
    changes: '[]',
    hash: createHash('sha256').digest(),
  }));
  await system.insertInto('audit_entries').values(rows).execute();
  await sql`insert into audit_heads (organization_id, sequence, hash, seal)
    values (${watch.organizationId}, ${first + count - 1}, '', '')
    on conflict (organization_id) do update set sequence = excluded.sequence`.execute(system);
}

function sequenceOf(message: string): number {
  return JSON.parse(message.slice(message.indexOf('{'))).sequence;
}

function received(messages: readonly string[]): ReadonlySet<number> {
  return new Set(messages.map(sequenceOf));
}

/** Answers after a while, so that kills meet requests in progress, and keeps the ids that each notification came with. */
async function startSlowReceiver(random: () => number) {
  const ids = new Map<string, Set<string>>();
  let open = 0;
  const server = createServer((request, response) => {
    let text = '';
    open++;
    response.on('close', () => {
      open--;
    });
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      const name = `${request.url} ${JSON.parse(text).data.number}`;
      const known = ids.get(name) ?? new Set();
      ids.set(name, known.add(String(request.headers['x-svc-delivery'])));
      setTimeout(() => response.end(), 10 + 60 * random());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    ids,
    open: () => open,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
