import type { TenantTransaction } from '../../database/schema.ts';
import type { Caller } from '../../frame/caller.ts';
import { loadContent, lockProxy } from '../proxies/content.ts';
import { insertRevision, type RevisionRow } from './cut.ts';

/** Cuts the working copy as the proxy's next revision. Answers `not_found` where there is no such proxy. */
export async function cutRevision(
  transaction: TenantTransaction,
  caller: Caller,
  proxyId: string,
  note: string,
): Promise<RevisionRow> {
  await lockProxy(transaction, proxyId);
  const content = await loadContent(transaction, proxyId);
  return insertRevision(transaction, caller, { proxyId, content, note, automatic: false });
}
