import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { call, readOf, useRead } from '../../frame/api.ts';

/** As many documents of the queue as are looked at to know which one is next. */
const queueLimit = 50;

/** Documents that are confirmed, or about to be: whatever an older answer says, they wait no longer. */
const confirmed = new Set<string>();

/** What comes after a document in the queue. */
export function useQueue(documentId: string) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const queue = useRead('listReview', { query: { limit: queueLimit } });
  const items = queue.data?.items ?? [];
  const place = items.findIndex(({ id }) => id === documentId);
  const isWaiting = ({ id }: { readonly id: string }) => id !== documentId && !confirmed.has(id);
  const nextId = (items.slice(place + 1).find(isWaiting) ?? items.find(isWaiting))?.id;
  useEffect(() => {
    if (nextId !== undefined) cache.prefetchQuery(readOf('getDocument', { params: { id: nextId } }));
  }, [cache, nextId]);
  return {
    /** Whether another document waits. */
    hasNext: nextId !== undefined,
    /** Opens the next document; the queue where there is none. */
    goOn: () =>
      nextId === undefined
        ? navigate({ to: '/review' })
        : navigate({ to: '/review/$documentId', params: { documentId: nextId } }),
    /**
     * Confirms the document. That takes a moment, since it is read again to learn from it: nobody has to wait for that.
     *
     * @returns the name of the sender that it helps with, null where it tells none
     */
    confirm: async (version: number): Promise<string | null> => {
      confirmed.add(documentId);
      try {
        const args = { params: { id: documentId } };
        const { document, learned } = await call('confirmDocument', { ...args, body: { version } });
        cache.setQueryData(readOf('getDocument', args).queryKey, document);
        return learned?.senderName ?? null;
      } catch (error) {
        await cache.invalidateQueries({ queryKey: readOf('getDocument', { params: { id: documentId } }).queryKey });
        throw error;
      } finally {
        // From now on the answers know of it.
        await cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'getDocument' });
        confirmed.delete(documentId);
      }
    },
  };
}
