import { listSearch } from '@millrace/ui/list-search';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ShellRoute } from '../../shell-route.tsx';

export function invoiceRoutes(shell: ShellRoute) {
  const getParentRoute = () => shell;
  return [
    createRoute({
      getParentRoute,
      path: '/invoices',
      component: lazyRouteComponent(() => import('./list.tsx'), 'InvoiceList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/invoices/credit-notes',
      component: lazyRouteComponent(() => import('./credit-notes.tsx'), 'CreditNoteList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/invoices/credit-notes/$creditNoteId',
      component: lazyRouteComponent(() => import('./credit-note.tsx'), 'CreditNoteScreen'),
    }),
    createRoute({
      getParentRoute,
      path: '/invoices/top-ups',
      component: lazyRouteComponent(() => import('./top-ups.tsx'), 'TopUpList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/invoices/top-up-requests',
      component: lazyRouteComponent(() => import('./top-up-requests.tsx'), 'TopUpRequestList'),
      validateSearch: listSearch,
    }),
    createRoute({
      getParentRoute,
      path: '/invoices/top-ups/$topUpId',
      component: lazyRouteComponent(() => import('./top-up.tsx'), 'TopUpScreen'),
    }),
    createRoute({
      getParentRoute,
      path: '/invoices/$invoiceId',
      component: lazyRouteComponent(() => import('./invoice.tsx'), 'InvoiceScreen'),
    }),
  ] as const;
}
