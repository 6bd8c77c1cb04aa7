import { newSigningSecret } from '@millrace/webhooks/signature';
import type { KeySealers } from '../../consumers/apps/key-sealers.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import { conflictsAt } from '../../frame/database-errors.ts';
import { ApiError, fieldError, found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Outbound } from '../../frame/outbound.ts';
import type { IntegrationSettings, integrationOperations } from './contract.ts';
import { refuseTooMany, refuseUnusableSecret, refuseUnusableSettings, secretGoesTo, takesSecret } from './rules.ts';
import {
  countIntegrations,
  deleteIntegration,
  findIntegration,
  findSealedSecrets,
  insertIntegration,
  listIntegrations,
  newIntegrationId,
  type PresentedIntegration,
  type SealedSecrets,
  secretContext,
  skipQueued,
  updateIntegration,
} from './store.ts';

interface IntegrationParts {
  readonly keySealers: KeySealers;
  readonly outbound: Outbound;
}

const noSecrets: SealedSecrets = { current: null, previous: null, previousValidUntil: null };

export function integrationHandlers({
  keySealers,
  outbound,
}: IntegrationParts): Handlers<typeof integrationOperations> {
  const seal = (transaction: TenantTransaction, id: string, secret: string) =>
    keySealers(transaction.tenantId).seal(Buffer.from(secret), secretContext(id));

  const lock = async (transaction: TenantTransaction, id: string) =>
    found(await findIntegration(transaction, id, { lock: true }));

  /** The secrets under changed settings; undefined: as they are. */
  function secretsFor(
    transaction: TenantTransaction,
    before: PresentedIntegration,
    settings: IntegrationSettings,
    secret: string | undefined,
  ): SealedSecrets | undefined {
    if (secret !== undefined) {
      refuseUnusableSecret(settings, secret, outbound);
      return { ...noSecrets, current: seal(transaction, before.id, secret) };
    }
    if (settings.kind === 'webhook') return undefined;
    if (!takesSecret(settings)) return before.hasSecret ? noSecrets : undefined;
    if (!before.hasSecret) refuseUnusableSecret(settings, null, outbound);
    if (secretGoesTo(settings) !== secretGoesTo(before.settings)) {
      throw fieldError('secret', 'Enter the secret again: it would be sent somewhere else.');
    }
    return undefined;
  }

  return {
    listIntegrations: ({ query }, { transaction }) => listIntegrations(transaction, query),
    createIntegration: async ({ body }, { transaction }) => {
      const { name, settings, secret: given = null, enabled } = body;
      refuseTooMany(await countIntegrations(transaction));
      refuseUnusableSettings(settings, outbound);
      refuseUnusableSecret(settings, given, outbound);
      const id = newIntegrationId();
      const generated = settings.kind === 'webhook' ? newSigningSecret() : null;
      const secret = generated ?? given;
      const sealedSecret = secret === null ? null : seal(transaction, id, secret);
      const created = await conflictsAt(
        insertIntegration(transaction, { id, name, settings, sealedSecret, enabled }),
        nameTaken,
      );
      return { data: { ...created, secret: generated }, change: { entityId: id, before: null, after: created } };
    },
    getIntegration: async ({ params }, { transaction }) =>
      found(await findIntegration(transaction, params.integrationId)),
    updateIntegration: async ({ params: { integrationId }, body }, { transaction }) => {
      const before = await lock(transaction, integrationId);
      const { secret, ...fields } = body;
      const settings = fields.settings ?? before.settings;
      if (settings.kind !== before.kind) {
        throw fieldError('settings.kind', `This is a ${before.kind} integration. Create another one instead.`);
      }
      if (fields.settings !== undefined) refuseUnusableSettings(settings, outbound);
      const secrets = secretsFor(transaction, before, settings, secret);
      const skipped = fields.enabled === false ? await skipQueued(transaction, integrationId) : 0;
      const after = await conflictsAt(updateIntegration(transaction, integrationId, { ...fields, secrets }), nameTaken);
      const notes = [
        ...(secret === undefined ? [] : ['Its secret was replaced.']),
        ...(skipped === 0 ? [] : [`${skipped} queued deliveries were skipped.`]),
      ];
      return { data: after, change: { entityId: integrationId, before, after, note: notes.join(' ') } };
    },
    deleteIntegration: async ({ params: { integrationId } }, { transaction }) => {
      const before = await lock(transaction, integrationId);
      await deleteIntegration(transaction, integrationId);
      return { data: {}, change: { entityId: integrationId, before, after: null } };
    },
    rotateIntegration: async ({ params: { integrationId }, body }, { transaction, now }) => {
      const before = await lock(transaction, integrationId);
      const generated = before.kind === 'webhook' ? newSigningSecret() : null;
      refuseUnusableSecret(before.settings, body.secret ?? null, outbound);
      const { current } = await findSealedSecrets(transaction, integrationId);
      const isGrace = generated !== null && body.graceSeconds > 0;
      const secrets: SealedSecrets = {
        current: seal(transaction, integrationId, generated ?? body.secret!),
        previous: isGrace ? current : null,
        previousValidUntil: isGrace ? new Date(now.getTime() + body.graceSeconds * 1_000) : null,
      };
      const after = await updateIntegration(transaction, integrationId, { secrets });
      const note = 'Its secret was replaced.';
      return { data: { ...after, secret: generated }, change: { entityId: integrationId, before, after, note } };
    },
    revealIntegration: async ({ params: { integrationId } }, { transaction }) => {
      const shown = await lock(transaction, integrationId);
      const { current } = await findSealedSecrets(transaction, integrationId);
      if (current === null) throw new ApiError('conflict', { message: 'This integration has no secret.' });
      const secret = keySealers(transaction.tenantId).open(current, secretContext(integrationId)).toString();
      const note = `The secret of the integration ${shown.name} was revealed.`;
      return { data: { ...shown, secret }, change: { entityId: integrationId, before: shown, after: shown, note } };
    },
  };
}

const nameTaken = { integration_names: ['name', 'Another integration has this name.'] } as const;
