import '@millrace/ui/evaluation';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@millrace/ui/font';
import '@millrace/ui/ui.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { cssVariables, theme } from '@millrace/ui/theme';
import { MutationCache, Query, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { chosenOrganization, ResponseError } from './frame/api.ts';
import { createConsoleRouter } from './router.tsx';

const cache: QueryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 5_000, refetchOnWindowFocus: true } },
  queryCache: new QueryCache({ onError: noticeEndOfSession }),
  mutationCache: new MutationCache({ onError: noticeEndOfSession }),
});

/** When a call returns 401, reads the session again, so that the shell opens the sign-in. */
function noticeEndOfSession(error: Error, query?: unknown): void {
  const asked = query instanceof Query && query.queryKey[0] === 'getSession';
  if (!asked && error instanceof ResponseError && error.status === 401) {
    cache.invalidateQueries({ queryKey: ['getSession'] });
  }
}

const router = createConsoleRouter(cache, chosenOrganization());

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={cache}>
        <ModalsProvider>
          <RouterProvider router={router} />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
