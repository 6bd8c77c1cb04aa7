import { found } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { silenceOperations } from './contract.ts';
import { refuseEmptySchedule, refuseTooManySilences, refuseUnmatchable } from './rules.ts';
import { countSilences, deleteSilence, findSilence, insertSilence, listSilences, updateSilence } from './store.ts';

export function silenceHandlers(): Handlers<typeof silenceOperations> {
  return {
    listSilences: ({ query }, { transaction, now }) => listSilences(transaction, query, now),
    createSilence: async ({ body }, { transaction, caller, now }) => {
      refuseUnmatchable(body.matchers);
      refuseEmptySchedule(body.schedule, now);
      refuseTooManySilences(await countSilences(transaction));
      const after = await insertSilence(transaction, body, caller, now);
      return { data: after, change: { entityId: after.id, before: null, after } };
    },
    updateSilence: async ({ params: { silenceId }, body }, { transaction, now }) => {
      const before = found(await findSilence(transaction, silenceId, now, { lock: true }));
      const fields = { ...before, ...given(body) };
      refuseUnmatchable(fields.matchers);
      if (body.schedule !== undefined) refuseEmptySchedule(fields.schedule, now);
      const after = await updateSilence(transaction, silenceId, fields, now);
      return { data: after, change: { entityId: silenceId, before, after } };
    },
    deleteSilence: async ({ params: { silenceId } }, { transaction, now }) => {
      const before = found(await findSilence(transaction, silenceId, now, { lock: true }));
      await deleteSilence(transaction, silenceId);
      return { data: {}, change: { entityId: silenceId, before, after: null } };
    },
  };
}
