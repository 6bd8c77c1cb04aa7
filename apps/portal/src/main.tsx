import '@millrace/ui/evaluation';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@millrace/ui/ui.css';
import './portal.css';
import { MantineProvider } from '@mantine/core';
import { EntranceFrame } from '@millrace/ui/entrance-page';
import { LocaleProvider } from '@millrace/ui/locale';
import { createQueryClient } from '@millrace/ui/query-client';
import { provideTexts } from '@millrace/ui/texts';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { place } from './frame/place.ts';
import { usePageScheme } from './frame/scheme.ts';
import { kitTexts } from './frame/texts.ts';
import { cssVariables, theme } from './frame/theme.ts';
import { createPortalRouter } from './router.tsx';

const cache = createQueryClient('getPortalSession');

function Themed({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme={usePageScheme()}>
      {children}
    </MantineProvider>
  );
}

/** The page's title ends with the portal's. */
const portalTitle = document.title.split(' – ').at(-1) ?? '';
provideTexts(kitTexts(portalTitle));

/** The browser's own variant of the page's language, such as `de-AT`, if it has one. */
const language = navigator.languages.find((each) => each.split('-')[0] === place.language) ?? place.language;
const locale = { language, timeZone: undefined };
const router = createPortalRouter();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Themed>
      <LocaleProvider value={locale}>
        <EntranceFrame value>
          <QueryClientProvider client={cache}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </EntranceFrame>
      </LocaleProvider>
    </Themed>
  </StrictMode>,
);
