import type { CellName } from './cells.ts';
import type { OperationId } from './preparations.ts';

/**
 * Cells that an operation cannot hold, each with the reason. The list only shrinks: a cell that holds nevertheless fails
 * until its line is removed here.
 */
export const exceptions: Partial<Record<OperationId, Partial<Record<CellName, string>>>> = {
  logout: {
    'repeated with its Idempotency-Key': 'The first call ends the session by which the second would come.',
  },
  withdrawLifecycleRequest: {
    'service account with exactly the permission': 'Only whoever made the request withdraws it, here a developer.',
  },
  listEntityAudit: {
    'foreign id': 'A trail outlives its entity, and the id is a text: of a foreign or unknown one it is empty.',
  },
};
