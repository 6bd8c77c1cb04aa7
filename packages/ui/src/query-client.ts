import { ResponseError } from '@millrace/operations/client';
import { MutationCache, Query, QueryCache, QueryClient } from '@tanstack/react-query';

/**
 * What a browser app has read from its server.
 * When a call finds that the session has ended, it reads the session again, so that the app opens the sign-in.
 *
 * @param sessionOperation The operation that reads the session, which is the first part of its query's key.
 */
export function createQueryClient(sessionOperation: string): QueryClient {
  // What the browser says about its network is not believed: it counts the internet, and the server may be on this
  // machine or in the company's network. A call that would wait for “online” shows nothing; one that fails says so.
  const networkMode = 'always';
  const client: QueryClient = new QueryClient({
    defaultOptions: {
      queries: { networkMode, staleTime: 5_000, refetchOnWindowFocus: true },
      mutations: { networkMode },
    },
    queryCache: new QueryCache({ onError: noticeEndOfSession }),
    mutationCache: new MutationCache({ onError: noticeEndOfSession }),
  });

  function noticeEndOfSession(error: Error, query?: unknown): void {
    const asked = query instanceof Query && query.queryKey[0] === sessionOperation;
    if (!asked && error instanceof ResponseError && error.status === 401) {
      client.invalidateQueries({ queryKey: [sessionOperation] });
    }
  }

  return client;
}
