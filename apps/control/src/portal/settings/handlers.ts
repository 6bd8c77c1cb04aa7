import { found } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import { refuseLogo } from '../../money/billing-settings/rules.ts';
import type { portalSettingsOperations } from './contract.ts';
import { productIdsOf, refuseTheme } from './rules.ts';
import {
  findPortalLogo,
  findPortalSettings,
  lockPortalSettings,
  readPortal,
  refuseUnknownProducts,
  updatePortalSettings,
} from './store.ts';

export function portalSettingsHandlers({
  publicUrl,
}: Pick<Parts, 'publicUrl'>): Handlers<typeof portalSettingsOperations> {
  return {
    getPortal: (_input, { transaction }) => readPortal(transaction, publicUrl()),
    getPortalLogo: async ({ query: { variant } }, { transaction, setHeader }) => {
      const own = await findPortalLogo(transaction, variant);
      const file = found(own ?? (variant === 'dark' ? await findPortalLogo(transaction, 'light') : null));
      setHeader('cache-control', 'public, max-age=3600');
      return { text: file, fileName: 'logo.png' };
    },
    getPortalSettings: (_input, { transaction }) => findPortalSettings(transaction),
    updatePortalSettings: async ({ body }, { transaction, organizationId }) => {
      const before = await lockPortalSettings(transaction);
      const { open, registration, ...changed } = given(body);
      if (changed.theme !== undefined) refuseTheme(changed.theme);
      const { order = [], featured = [], hidden = [] } = changed.catalog ?? {};
      // What was set before may have been deleted since.
      const isNew = (id: string) => !productIdsOf(before).includes(id);
      await refuseUnknownProducts(transaction, 'catalog', [...order, ...featured, ...hidden].filter(isNew));
      await refuseUnknownProducts(transaction, 'sandboxProductIds', (changed.sandboxProductIds ?? []).filter(isNew));
      const { open: _, registration: __, logo: ___, logoDark: ____, version: _____, ...settings } = before;
      const after = await updatePortalSettings(transaction, {
        ...given({ open, registration }),
        settings: { ...settings, ...changed },
      });
      return { data: after, change: { entityId: organizationId, before, after } };
    },
    getPortalLogos: async (_input, { transaction }) => {
      const light = await findPortalLogo(transaction, 'light');
      const dark = await findPortalLogo(transaction, 'dark');
      return { light: light?.toString('base64') ?? null, dark: dark?.toString('base64') ?? null };
    },
    setPortalLogo: async ({ body: { png, variant } }, { transaction, organizationId }) => {
      const file = png === null ? null : Buffer.from(png, 'base64');
      if (file !== null) refuseLogo(file);
      const before = await lockPortalSettings(transaction);
      const after = await updatePortalSettings(transaction, variant === 'light' ? { logo: file } : { logoDark: file });
      return { data: after, change: { entityId: organizationId, before, after } };
    },
  };
}
