import type { TenantTransaction } from '../../database/schema.ts';
import type { Caller } from '../../frame/caller.ts';
import { found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import { wakeDeliveries } from '../deliveries/enqueue.ts';
import type { incidentOperations } from './contract.ts';
import { update } from './notices.ts';
import { entryOfMove, type PersonalMove, refuseMove, refuseToShow } from './rules.ts';
import {
  addEntries,
  findIncident,
  listIncidents,
  lockIncident,
  moveIncident,
  readTimeline,
  setVisibility,
} from './store.ts';

export function incidentHandlers(): Handlers<typeof incidentOperations> {
  return {
    listIncidents: ({ query }, { transaction }) => listIncidents(transaction, query),
    getIncident: async ({ params: { incidentId } }, { transaction }) =>
      found(await findIncident(transaction, incidentId)),
    getIncidentTimeline: async ({ params: { incidentId }, query }, { transaction }) => {
      found(await findIncident(transaction, incidentId));
      return readTimeline(transaction, incidentId, query);
    },
    acknowledgeIncident: ({ params: { incidentId } }, context) => move(context, incidentId, { kind: 'acknowledge' }),
    monitorIncident: ({ params: { incidentId } }, context) => move(context, incidentId, { kind: 'monitor' }),
    resolveIncident: ({ params: { incidentId }, body: { summary } }, context) =>
      move(context, incidentId, { kind: 'resolve', summary }),
    setIncidentVisibility: async ({ params: { incidentId }, body: { visibility } }, { transaction, caller, now }) => {
      found(await lockIncident(transaction, incidentId));
      const before = (await findIncident(transaction, incidentId))!;
      if (visibility === 'public') refuseToShow(before);
      if (visibility === before.visibility) return { data: before, change: null };
      await setVisibility(transaction, incidentId, visibility, now);
      const entry = { kind: 'note', text: visibilityNotes[visibility] } as const;
      await addEntries(transaction, incidentId, [entry], { at: now, by: caller });
      const after = (await findIncident(transaction, incidentId))!;
      return { data: after, change: { entityId: incidentId, before, after, note: entry.text } };
    },
    addIncidentNote: async ({ params: { incidentId }, body: { text } }, { transaction, caller, now }) => {
      found(await lockIncident(transaction, incidentId));
      const entry = { kind: 'note', text } as const;
      const [id] = await addEntries(transaction, incidentId, [entry], { at: now, by: caller });
      const after = {
        id: id!,
        at: now.toISOString(),
        ...entry,
        by: { id: caller.id, name: caller.name },
        alert: null,
        value: null,
        threshold: null,
        notification: null,
      };
      return { data: after, change: { entityId: incidentId, before: null, after, note: text } };
    },
  };
}

/** What the timeline says of it. */
const visibilityNotes = {
  automatic: 'Shown on the status page while it is critical.',
  public: 'Shown on the status page.',
  private: 'Hidden from the status page.',
} as const;

interface MoveContext {
  readonly transaction: TenantTransaction;
  readonly caller: Caller;
  readonly now: Date;
  afterCommit(begin: () => void): void;
}

/** Moves an incident, and notifies those who know of it. */
async function move({ transaction, caller, now, afterCommit }: MoveContext, id: string, to: PersonalMove) {
  const { notices } = found(await lockIncident(transaction, id));
  const before = (await findIncident(transaction, id))!;
  refuseMove(before, to.kind);
  await moveIncident(transaction, id, to, { by: caller, now });
  const notified = await update(transaction, id, `incident.${entryOfMove(to).kind}`, notices, { by: caller.name, now });
  if (notified) afterCommit(wakeDeliveries);
  const after = (await findIncident(transaction, id))!;
  const note = to.kind === 'resolve' ? to.summary : '';
  return { data: after, change: { entityId: id, before, after, note } };
}
