import { EmptyList } from '@millrace/ui/list';
import { useNavigate, useParams } from '@tanstack/react-router';
import { createAction, PermittedActions } from '../../frame/actions.tsx';
import { useList } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { AppForm } from '../apps/app-form.tsx';
import { appColumns, appFilters } from '../apps/columns.tsx';

/** The apps of a developer. */
export function DeveloperApps() {
  const { developerId } = useParams({ from: '/shell/developers/$developerId/' });
  const navigate = useNavigate();
  const open = ({ id }: { readonly id: string }) => navigate({ to: '/apps/$appId', params: { appId: id } });
  const create = createAction({
    noun: 'app',
    permission: 'app.write',
    body: (close) => <AppForm developerId={developerId} onCancel={close} onSaved={open} />,
  });
  return (
    <ResourceList
      {...useList('listDeveloperApps', { developerId })}
      noun="apps"
      columns={appColumns.filter(({ title }) => title !== 'Developer')}
      filters={appFilters}
      actions={<PermittedActions actions={[create]} />}
      empty={<EmptyList>No apps yet.</EmptyList>}
    />
  );
}
