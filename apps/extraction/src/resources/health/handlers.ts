import type { healthOperations } from '@millrace/extraction-contract/health';
import type { Handlers } from '@millrace/operations/server';
import type { Caller } from '../../http/authenticate.ts';

export const healthHandlers: Handlers<typeof healthOperations, Caller> = {
  getHealth: async () => ({ status: 200, body: { ok: true } }),
};
