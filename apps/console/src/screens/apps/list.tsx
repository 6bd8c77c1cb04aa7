import { EmptyList } from '@millrace/ui/list';
import { useNavigate } from '@tanstack/react-router';
import { createAction } from '../../frame/actions.tsx';
import { useList } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { AppForm } from './app-form.tsx';
import { appColumns, appFilters } from './columns.tsx';

/** The apps of every developer. */
export function AppList() {
  const navigate = useNavigate();
  const open = ({ id }: { readonly id: string }) => navigate({ to: '/apps/$appId', params: { appId: id } });
  return (
    <ListScreen
      title="Apps"
      description="API clients. Each has its own credentials, and can call the products it is subscribed to."
      noun="apps"
      list={useList('listApps')}
      actions={[
        createAction({
          noun: 'app',
          permission: 'app.write',
          body: (close) => <AppForm onCancel={close} onSaved={open} />,
        }),
      ]}
      columns={appColumns}
      hiddenColumns={['Description']}
      filters={appFilters}
      empty={<EmptyList>No apps yet. Create one for a developer.</EmptyList>}
    />
  );
}
