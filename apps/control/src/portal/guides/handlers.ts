import { renderMarkdown } from '@millrace/markdown';
import type { TenantTransaction } from '../../database/schema.ts';
import { found, foundAt } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { PortalLanguage } from '../settings/contract.ts';
import { findPortalSettings, refuseUnknownProducts } from '../settings/store.ts';
import type { portalGuideOperations } from './contract.ts';
import { editedTexts, refusePublication, refuseTooManyGuides, refuseTooManyVersions } from './rules.ts';
import * as store from './store.ts';

export function portalGuideHandlers(): Handlers<typeof portalGuideOperations> {
  return {
    listPortalGuides: async ({ query }, { transaction }) => ({
      guides: await store.listPublishedGuides(transaction, await languageOf(transaction, query.language)),
    }),
    getPortalGuide: async ({ params, query }, { caller, transaction }) => {
      const language = await languageOf(transaction, query.language);
      return found(await store.readGuide(transaction, { signedIn: caller !== null }, params.slug, language));
    },
    listGuides: ({ query }, { transaction }) => store.listGuides(transaction, query),
    createGuide: async ({ body }, { caller, transaction }) => {
      refuseTooManyGuides(await store.countGuides(transaction));
      const { title, summary, source, ...fields } = body;
      await refuseUnknownProducts(transaction, 'productIds', fields.productIds);
      const guide = await store.insertGuide(transaction, fields, { title, summary, source }, caller);
      const after = { ...guide, source };
      return { data: after, change: { entityId: guide.id, before: null, after } };
    },
    previewGuide: async ({ body: { source } }) => renderMarkdown(source),
    getGuide: async ({ params }, { transaction }) =>
      withSource(transaction, found(await store.findGuide(transaction, params.guideId))),
    updateGuide: async ({ params: { guideId }, body }, { caller, transaction }) => {
      const before = await withSource(transaction, found(await store.lockGuide(transaction, guideId)));
      const { title, summary, source, ...fields } = given(body);
      await refuseUnknownProducts(transaction, 'productIds', fields.productIds ?? []);
      const texts = editedTexts(before, given({ title, summary, source }));
      if (texts !== null) refuseTooManyVersions(before);
      const guide = await store.updateGuide(transaction, before, { fields, texts, author: caller });
      const after = { ...guide, source: texts?.source ?? before.source };
      return { data: after, change: { entityId: guideId, before, after } };
    },
    deleteGuide: async ({ params: { guideId } }, { transaction }) => {
      const before = found(await store.lockGuide(transaction, guideId));
      await store.deleteGuide(transaction, guideId);
      return { data: {}, change: { entityId: guideId, before, after: null } };
    },
    publishGuide: async ({ params: { guideId }, body }, { transaction, now }) => {
      const before = found(await store.lockGuide(transaction, guideId));
      const { guideVersion = before.guideVersion } = body;
      foundAt('guideVersion', 'Version', await store.findGuideVersion(transaction, guideId, guideVersion));
      refusePublication(before, guideVersion);
      const after = await store.setPublishedVersion(transaction, guideId, guideVersion, now);
      return { data: after, change: { entityId: guideId, before, after } };
    },
    unpublishGuide: async ({ params: { guideId } }, { transaction, now }) => {
      const before = found(await store.lockGuide(transaction, guideId));
      refusePublication(before, null);
      const after = await store.setPublishedVersion(transaction, guideId, null, now);
      return { data: after, change: { entityId: guideId, before, after } };
    },
    listGuideVersions: async ({ params: { guideId }, query }, { transaction }) => {
      found(await store.findGuide(transaction, guideId));
      return store.listGuideVersions(transaction, guideId, query);
    },
    getGuideVersion: async ({ params: { guideId, guideVersion } }, { transaction }) =>
      found(await store.findGuideVersion(transaction, guideId, guideVersion)),
    restoreGuideVersion: async ({ params: { guideId, guideVersion } }, { caller, transaction }) => {
      const before = await withSource(transaction, found(await store.lockGuide(transaction, guideId)));
      const { title, summary, source } = found(await store.findGuideVersion(transaction, guideId, guideVersion));
      refuseTooManyVersions(before);
      const texts = { title, summary, source };
      const guide = await store.updateGuide(transaction, before, { fields: {}, texts, author: caller });
      const after = { ...guide, source };
      return { data: after, change: { entityId: guideId, before, after, note: `From version ${guideVersion}` } };
    },
  };
}

async function languageOf(transaction: TenantTransaction, wanted: PortalLanguage | undefined): Promise<PortalLanguage> {
  return wanted ?? (await findPortalSettings(transaction)).defaultLanguage;
}

/** The guide with the source of its latest version. */
async function withSource<Guide extends { readonly id: string; readonly guideVersion: number }>(
  transaction: TenantTransaction,
  guide: Guide,
): Promise<Guide & { readonly source: string }> {
  const { source } = found(await store.findGuideVersion(transaction, guide.id, guide.guideVersion));
  return { ...guide, source };
}
