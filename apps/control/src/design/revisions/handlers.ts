import { diffDocuments } from '@millrace/openapi/diff';
import type { RevisionContent } from '@millrace/revision/content';
import { diffContent } from '@millrace/revision/diff';
import type { TenantTransaction } from '../../database/schema.ts';
import { ApiError, fieldError, found } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import { withoutCredentials } from '../policies/rules.ts';
import { addAuthors, loadContent, lockProxy } from '../proxies/content.ts';
import { findProxy, presentProxy, updateProxy } from '../proxies/store.ts';
import { unknownTargetServers } from '../routes/store.ts';
import type { revisionOperations } from './contract.ts';
import type { RevisionRow } from './cut.ts';
import * as store from './store.ts';

export function revisionHandlers(): Handlers<typeof revisionOperations> {
  return {
    listRevisions: async ({ params, query }, { transaction }) => {
      found(await findProxy(transaction, params.proxyId));
      return store.listRevisions(transaction, params.proxyId, query);
    },
    cutRevision: async ({ params, body }, { transaction, caller }) => {
      const cut = store.presentRevision(await store.cutRevision(transaction, caller, params.proxyId, body.note));
      const note = `Revision ${cut.revision}`;
      return { data: cut, change: { entityId: params.proxyId, before: null, after: { revision: cut }, note } };
    },
    getRevision: async ({ params }, { transaction }) => {
      const row = await findRevision(transaction, params);
      return {
        ...store.presentRevision(row),
        content: { ...row.content, policies: row.content.policies.map(withoutCredentials) },
      };
    },
    deleteRevision: async ({ params }, { transaction }) => {
      const { proxyId, revision } = params;
      const proxy = await lockProxy(transaction, proxyId);
      const before = store.presentRevision(found(await store.findRevision(transaction, proxyId, revision)));
      if (before.state === 'deployed') {
        throw new ApiError('conflict', { message: 'It was deployed. A deployed revision can’t be deleted.' });
      }
      if (before.approvedBy !== null || proxy.approved_revision === revision) {
        throw new ApiError('conflict', { message: 'It is approved. An approved revision can’t be deleted.' });
      }
      if (await store.isUnderReview(transaction, proxyId, revision)) {
        throw new ApiError('conflict', {
          message: 'A lifecycle request for it is pending. Have it withdrawn or decided first.',
        });
      }
      await store.deleteRevision(transaction, proxyId, revision);
      const note = `Revision ${revision}`;
      return { data: {}, change: { entityId: proxyId, before: { revision: before }, after: null, note } };
    },
    diffRevision: async ({ params, query }, { transaction }) => {
      const { content } = await findRevision(transaction, params);
      const own = `revision ${params.revision}`;
      if (query.against === 'working-copy') {
        const workingCopy = await loadContent(transaction, params.proxyId);
        return { before: own, after: 'working copy', ...compare(content, workingCopy) };
      }
      const against = await findOther(transaction, params.proxyId, query.against);
      return { before: against.label, after: own, ...compare(against.content, content) };
    },
    restoreRevision: async ({ params }, { transaction, settle }) => {
      const { proxyId, revision } = params;
      const before = presentProxy(await lockProxy(transaction, proxyId));
      const row = found(await store.findRevision(transaction, proxyId, revision));
      const missing = await unknownTargetServers(
        transaction,
        row.content.routes.map(({ targetServer }) => targetServer),
      );
      if (missing.length > 0) {
        throw new ApiError('conflict', { message: `Register the target server ${missing.join(', ')} first.` });
      }
      await updateProxy(transaction, proxyId, { ...before, ...row.content.proxy }, takenByAnother);
      await store.replaceContent(transaction, proxyId, row.content, before.version + 1);
      // Unapproved content keeps its authors.
      if (row.approved_by === null) await addAuthors(transaction, proxyId, row.author_ids);
      await settle();
      const after = found(await findProxy(transaction, proxyId));
      const note = `Revision ${revision} made the working copy`;
      return { data: store.presentRevision(row), change: { entityId: proxyId, before, after, note } };
    },
  };
}

const takenByAnother = {
  proxies_name: [null, 'Another API proxy now has the name of that revision. Rename that proxy first.'],
  proxies_base_path: [
    null,
    'Another API proxy now has the base path of that revision. Change that proxy’s base path first.',
  ],
} as const;

/** A revision of a proxy that is not deleted. Throws `not_found` if there is none. */
async function findRevision(
  transaction: TenantTransaction,
  { proxyId, revision }: { readonly proxyId: string; readonly revision: number },
): Promise<RevisionRow> {
  found(await findProxy(transaction, proxyId));
  return found(await store.findRevision(transaction, proxyId, revision));
}

/** A revision by its number, or the live one with most of the calls in the environment with that name. */
async function findOther(
  transaction: TenantTransaction,
  proxyId: string,
  against: string,
): Promise<{ readonly label: string; readonly content: RevisionContent | null }> {
  if (/^\d+$/.test(against)) {
    const row = await store.findRevision(transaction, proxyId, Math.min(Number(against), 2_147_483_647));
    if (row === null) throw fieldError('against', `Revision ${against} not found.`);
    return { label: `revision ${against}`, content: row.content };
  }
  const environmentId = await store.findEnvironmentId(transaction, against);
  if (environmentId === undefined) throw fieldError('against', `Environment ${against} not found.`);
  const serving = await store.findServingRevision(transaction, environmentId, proxyId);
  if (serving === null) return { label: `${against}, where nothing is live`, content: null };
  const row = found(await store.findRevision(transaction, proxyId, serving));
  return { label: `${against} (revision ${serving})`, content: row.content };
}

function compare(before: RevisionContent | null, after: RevisionContent) {
  const { changes, breaking } = diffContent(before, after, diffDocuments);
  return { changes: changes.map((change) => ({ ...change, fields: [...change.fields] })), breaking };
}
