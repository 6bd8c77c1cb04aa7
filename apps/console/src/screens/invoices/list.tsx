import { IconDownload } from '@millrace/ui/icons';
import { EmptyList } from '@millrace/ui/list';
import { SchemaForm } from '@millrace/ui/schema-form';
import * as z from 'zod';
import { useList } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { saveAnswer } from '../../frame/save-answer.ts';
import { invoiceFilters, useInvoiceColumns } from './columns.tsx';
import { InvoiceTabs } from './invoice-tabs.tsx';

/** The invoices of the organization. */
export function InvoiceList() {
  return (
    <ListScreen
      title="Invoices"
      noun="invoices"
      tabs={<InvoiceTabs />}
      list={useList('listInvoices')}
      actions={[
        {
          label: 'Export CSV',
          icon: IconDownload,
          permission: 'billing.export',
          form: { title: 'Export invoices', body: (close) => <ExportForm onClose={close} /> },
        },
      ]}
      columns={useInvoiceColumns()}
      filters={invoiceFilters}
      empty={<EmptyList>No invoices yet: closing a billing period makes them.</EmptyList>}
    />
  );
}

const Export = z.object({
  from: z.iso.date().optional().describe('First issue date; empty for all.'),
  to: z.iso.date().optional().describe('Last issue date; empty for all.'),
  state: z.enum(['issued', 'paid', 'void']).optional(),
});

function ExportForm({ onClose }: { readonly onClose: () => void }) {
  return (
    <SchemaForm
      schema={Export}
      fields={{ from: { placeholder: '2026-01-01' }, to: { placeholder: '2026-12-31', beside: true } }}
      submitLabel="Export"
      onCancel={onClose}
      send={async (query) => {
        await saveAnswer('exportInvoices', { query }, 'invoices.csv');
        onClose();
      }}
    />
  );
}
