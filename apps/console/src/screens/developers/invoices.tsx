import { EmptyList } from '@millrace/ui/list';
import { useParams } from '@tanstack/react-router';
import { useList } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { useInvoiceColumns } from '../invoices/columns.tsx';

/** The invoices of a developer. */
export function DeveloperInvoices() {
  const { developerId } = useParams({ from: '/shell/developers/$developerId/invoices' });
  const columns = useInvoiceColumns();
  return (
    <ResourceList
      {...useList('listInvoices', undefined, { query: { developerId } })}
      noun="invoices"
      columns={columns.filter(({ title }) => title !== 'Developer')}
      empty={<EmptyList>No invoices yet: closing a billing period makes them.</EmptyList>}
    />
  );
}
