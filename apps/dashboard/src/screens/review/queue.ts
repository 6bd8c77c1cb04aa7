import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { call, readOf, useRead } from '../../frame/api.ts';

/** Documents of the queue that are fetched to find the next one. */
const queueLimit = 50;

/** Documents that are confirmed or being confirmed: no longer waiting, whatever an older response says. */
const confirmed = new Set<string>();

/** What follows a document in the queue. */
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
    /** Whether another document is waiting. */
    hasNext: nextId !== undefined,
    /** Opens the next document, or the queue if there is none. */
    goOn: () =>
      nextId === undefined
        ? navigate({ to: '/review' })
        : navigate({ to: '/review/$documentId', params: { documentId: nextId } }),
    /**
     * Confirms the document. The service then takes a moment to learn from it; the reviewer doesn't have to wait.
     *
     * @returns the name of the supplier it teaches about, or null
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
        // Responses include it from now on.
        await cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'getDocument' });
        confirmed.delete(documentId);
      }
    },
  };
}
