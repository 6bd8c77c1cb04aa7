import { catalogChanged } from '../../consumers/events.ts';
import { emit } from '../../frame/events.ts';
import { given } from '../../frame/given.ts';
import type { Handlers } from '../../frame/handler.ts';
import { refuseNumbering } from '../../identity/organizations/rules.ts';
import { lastNumber } from '../../identity/organizations/store.ts';
import type { billingSettingsOperations } from './contract.ts';
import { refuseLogo } from './rules.ts';
import { findBillingSettings, findLogo, lockBillingSettings, updateBillingSettings } from './store.ts';

export function billingSettingsHandlers(): Handlers<typeof billingSettingsOperations> {
  return {
    getBillingSettings: (_input, { transaction }) => findBillingSettings(transaction),
    updateBillingSettings: async ({ body }, { transaction, organizationId }) => {
      const before = await lockBillingSettings(transaction);
      const { creditNoteNumbering: numbering } = body;
      if (numbering !== undefined) {
        const last = await lastNumber(transaction, organizationId, 'credit_notes', numbering.prefix);
        refuseNumbering(numbering, last, 'creditNoteNumbering');
      }
      const { logo: _, version: __, ...settings } = before;
      const after = await updateBillingSettings(transaction, { settings: { ...settings, ...given(body) } });
      // Prices are for a period.
      if (after.period !== before.period) emit(transaction, catalogChanged, {});
      return { data: after, change: { entityId: organizationId, before, after } };
    },
    getBillingLogo: async (_input, { transaction }) => {
      const logo = await findLogo(transaction);
      return { png: logo?.toString('base64') ?? null };
    },
    setBillingLogo: async ({ body: { png } }, { transaction, organizationId }) => {
      const logo = png === null ? null : Buffer.from(png, 'base64');
      if (logo !== null) refuseLogo(logo);
      const before = await lockBillingSettings(transaction);
      const after = await updateBillingSettings(transaction, { logo });
      return { data: after, change: { entityId: organizationId, before, after } };
    },
  };
}
