import { SectionLinks } from '@millrace/ui/section-links';
import { useRead } from '../../frame/api.ts';

/** Invoices, what was taken back of them, what was paid in for prepaid balances, and what developers ask to pay in. */
export function InvoiceTabs() {
  const open = useRead('listTopUpRequests', { query: { state: 'open', pageSize: 1 } }).data?.total ?? 0;
  return (
    <SectionLinks
      label="Sections of invoices"
      sections={[
        { to: '/invoices', label: 'Invoices' },
        { to: '/invoices/credit-notes', label: 'Credit notes' },
        { to: '/invoices/top-ups', label: 'Top-ups' },
        { to: '/invoices/top-up-requests', label: 'Top-up requests', count: open },
      ]}
    />
  );
}
