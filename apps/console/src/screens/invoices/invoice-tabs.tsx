import { SectionLinks } from '@millrace/ui/section-links';

const sections = [
  { to: '/invoices', label: 'Invoices' },
  { to: '/invoices/credit-notes', label: 'Credit notes' },
] as const;

/** Invoices, and what was taken back of them. */
export function InvoiceTabs() {
  return <SectionLinks label="Sections of invoices" sections={sections} />;
}
