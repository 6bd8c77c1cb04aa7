import { SectionLinks } from '@millrace/ui/section-links';

const sections = [
  { to: '/invoices', label: 'Invoices' },
  { to: '/invoices/credit-notes', label: 'Credit notes' },
  { to: '/invoices/top-ups', label: 'Top-ups' },
] as const;

/** Invoices, what was taken back of them, and what was paid in for prepaid balances. */
export function InvoiceTabs() {
  return <SectionLinks label="Sections of invoices" sections={sections} />;
}
