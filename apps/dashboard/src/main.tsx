import '@millrace/ui/evaluation';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@millrace/ui/font';
import '@millrace/ui/ui.css';
import './dashboard.css';
import { MantineProvider } from '@mantine/core';
import { ResponseError } from '@millrace/operations/client';
import { cssVariables, theme } from '@millrace/ui/theme';
import { MutationCache, Query, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createDashboardRouter } from './router.tsx';

const cache: QueryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 5_000, refetchOnWindowFocus: true } },
  queryCache: new QueryCache({ onError: noticeEndOfSession }),
  mutationCache: new MutationCache({ onError: noticeEndOfSession }),
});

/** Any call may find that the session has ended: the shell then reads the session again and opens the sign-in page. */
function noticeEndOfSession(error: Error, query?: unknown): void {
  const asked = query instanceof Query && query.queryKey[0] === 'getSession';
  if (!asked && error instanceof ResponseError && error.status === 401) {
    cache.invalidateQueries({ queryKey: ['getSession'] });
  }
}

const router = createDashboardRouter();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={cache}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
