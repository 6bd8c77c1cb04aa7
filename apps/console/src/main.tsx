import '@millrace/ui/evaluation';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@millrace/ui/font';
import '@millrace/ui/ui.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { createQueryClient } from '@millrace/ui/query-client';
import { cssVariables, theme } from '@millrace/ui/theme';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { chosenOrganization } from './frame/api.ts';
import { createConsoleRouter } from './router.tsx';

const cache = createQueryClient('getSession');

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
