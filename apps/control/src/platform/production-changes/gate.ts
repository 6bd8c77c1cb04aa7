import { newId } from '@millrace/identifiers';
import type { JsonObject } from '../../database/schema.ts';
import { compareFields } from '../../frame/audit.ts';
import type { ProductionGate } from '../../frame/execute.ts';
import type { Parts } from '../../frame/parts.ts';
import { loadPersons } from '../../frame/persons.ts';
import { notifyApprovers } from './notices.ts';
import { reachesProduction } from './reach.ts';
import { nameOf, stateOf, versionOf, withoutSecrets } from './rules.ts';
import { asksForApproval, insertChange } from './store.ts';

/** The name under which a held call is sealed: what is copied to another change does not open there. */
export function inputContext(id: string): string {
  return `production change ${id}`;
}

/** What the frame asks of every write that can change what production callers get. */
export function createProductionGate(parts: Pick<Parts, 'sealer' | 'publicUrl'>): ProductionGate {
  return {
    reaches: reachesProduction,
    asksForApproval,
    hold: async ({ transaction, caller, now, mail }, operation, input, change) => {
      const id = newId('pch', now.getTime());
      // Of an operation that may be held, whose input is JSON.
      const { params = {}, body = {} } = input as { readonly params?: JsonObject; readonly body?: JsonObject };
      const { before, after } = change;
      const held = await insertChange(transaction, {
        id,
        operation: operation.id,
        sealedInput: parts.sealer.seal(Buffer.from(JSON.stringify({ params, body })), inputContext(id)),
        shownInput: withoutSecrets({ params, body }),
        entityId: before === null ? null : change.entityId,
        entityName: nameOf(after ?? before),
        entityVersion: versionOf(before),
        entityState: stateOf(operation, before),
        changes: compareFields(before, after),
        note: change.note ?? '',
        requester: caller,
        authorKeys: (await loadPersons(transaction, caller)).authorKeys,
      });
      await notifyApprovers({ transaction, now, mail, publicUrl: parts.publicUrl() }, held);
      const note = `${operation.summary}: waits for another person’s approval.`;
      return { data: held, change: { entityId: id, before: null, after: held, note } };
    },
  };
}
