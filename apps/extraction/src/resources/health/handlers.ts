import type { Handlers } from '@millrace/operations/server';
import type { Caller } from '../../http/authenticate.ts';
import type { healthOperations } from './contract.ts';

export const healthHandlers: Handlers<typeof healthOperations, Caller> = {
  getHealth: async () => ({ status: 200, body: { ok: true } }),
};
