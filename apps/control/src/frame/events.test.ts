import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TenantTransaction } from '../database/schema.ts';
import { carryOutEvents, collectEvents, defineEvent, dropEvents, emit, subscribe } from './events.ts';

const wrote = defineEvent<{ readonly id: string; readonly text: string }>('wrote', ({ id }) => id);
const followed = defineEvent<{ readonly id: string }>('followed', ({ id }) => id);

const open = () => ({ tenantId: 'acc_1' }) as TenantTransaction;

describe('domain events', () => {
  test('reach each subscriber once per key, with the last payload, in the order of the list', async () => {
    const seen: string[] = [];
    const subscribers = [
      subscribe([wrote], async (transaction, payloads) => {
        for (const { id, text } of payloads) {
          seen.push(`first ${id} ${text}`);
          emit(transaction, followed, { id });
        }
      }),
      subscribe<{ readonly id: string }>([wrote, followed], async (_, payloads) => {
        seen.push(`second ${payloads.map(({ id }) => id).join()}`);
      }),
    ];
    const transaction = open();
    await collectEvents(transaction, async () => {
      emit(transaction, wrote, { id: 'a', text: 'old' });
      emit(transaction, wrote, { id: 'b', text: 'only' });
      emit(transaction, wrote, { id: 'a', text: 'new' });
      await carryOutEvents(subscribers, transaction, null);
      await carryOutEvents(subscribers, transaction, null);
    });
    assert.deepEqual(seen, ['first a new', 'first b only', 'second a,b']);
  });

  test('fail a transaction that leaves some unprocessed, and one without subscribers', async () => {
    const transaction = open();
    assert.throws(() => emit(transaction, followed, { id: 'a' }), /carries out no events/);
    await assert.rejects(
      collectEvents(transaction, async () => emit(transaction, followed, { id: 'a' })),
      /followed was emitted and not carried out/,
    );
    assert.throws(() => emit(transaction, followed, { id: 'a' }), /carries out no events/);
  });

  test('fail if a subscriber emits what an earlier one subscribes to', async () => {
    const subscribers = [
      subscribe([followed], async () => undefined),
      subscribe([wrote], async (transaction, [payload]) => emit(transaction, followed, payload!)),
    ];
    const transaction = open();
    const work = collectEvents(transaction, async () => {
      emit(transaction, wrote, { id: 'a', text: '' });
      await carryOutEvents(subscribers, transaction, null);
    });
    await assert.rejects(work, /followed was emitted after its subscribers had run/);
  });

  test('are dropped with writes that were rolled back', async () => {
    const transaction = open();
    await collectEvents(transaction, async () => {
      emit(transaction, followed, { id: 'a' });
      dropEvents(transaction);
    });
  });
});
