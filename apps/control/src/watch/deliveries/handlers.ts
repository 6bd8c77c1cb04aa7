import { tenantTransaction } from '@millrace/postgres';
import { ApiError, found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import { createSlots } from '../../frame/slots.ts';
import { isNotifiable } from '../integrations/rules.ts';
import { openSecrets } from '../integrations/secrets.ts';
import { findIntegration, findSealedSecrets } from '../integrations/store.ts';
import type { integrationDeliveryOperations } from './contract.ts';
import { wakeDeliveries } from './enqueue.ts';
import { insertTest, listDeliveries, lockDelivery, newDeliveryId, resendDelivery } from './store.ts';
import { sendTest, type TrialParts } from './trial.ts';

/** A test waits for its receiver. */
const testsAtOnce = { ofOrganization: 2, inAll: 16, retrySeconds: 5 };

export function integrationDeliveryHandlers(parts: TrialParts): Handlers<typeof integrationDeliveryOperations> {
  const slots = createSlots('tests', testsAtOnce);
  return {
    testIntegration: {
      // No connection is held while the receiver takes its time.
      prepare: async ({ params: { integrationId } }, { organizationId }) => {
        const tested = await tenantTransaction(parts.database, organizationId, async (transaction) => {
          const integration = await findIntegration(transaction, integrationId);
          if (integration === null) return null;
          const sealed = await findSealedSecrets(transaction, integrationId);
          return { integration, secrets: openSecrets(parts.keySealers(organizationId), integrationId, sealed) };
        });
        const id = newDeliveryId();
        const sent =
          tested && (await slots.use(organizationId, () => sendTest(parts, { id, organizationId, ...tested })));
        return async ({ transaction }) => {
          const { data, outcome } = found(sent);
          const shown = found(await findIntegration(transaction, integrationId, { lock: true }));
          const delivery = await insertTest(transaction, { id, integrationId, data, outcome });
          const { error } = outcome.attempt;
          const note = error === null ? 'A test was delivered.' : `A test failed: ${error.message}`;
          return { data: delivery, change: { entityId: integrationId, before: shown, after: shown, note } };
        };
      },
    },
    listIntegrationDeliveries: async ({ params: { integrationId }, query }, { transaction }) => {
      found(await findIntegration(transaction, integrationId));
      return listDeliveries(transaction, integrationId, query);
    },
    resendIntegrationDelivery: async ({ params }, { transaction, afterCommit }) => {
      const integration = found(await findIntegration(transaction, params.integrationId));
      const { delivery: before, isLeased } = found(await lockDelivery(transaction, params));
      if (!integration.enabled) {
        throw new ApiError('conflict', { message: 'This integration is disabled. Enable it first.' });
      }
      if (isLeased) throw new ApiError('conflict', { message: 'This delivery is being sent right now.' });
      if (!isNotifiable(integration.kind)) {
        throw new ApiError('conflict', { message: 'A test of a stream isn’t sent again. Send a new one.' });
      }
      const after = await resendDelivery(transaction, before);
      afterCommit(wakeDeliveries);
      return { data: after, change: { entityId: before.id, before, after } };
    },
  };
}
