import { Select } from '@mantine/core';
import { showDone } from '@millrace/ui/form';
import { listSearch } from '@millrace/ui/list-search';
import { SchemaForm } from '@millrace/ui/schema-form';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { deleteAction, type PermittedAction } from '../../frame/actions.tsx';
import { bodyOf, type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import { defaultRange, type TrafficSearch } from './address.ts';
import { useTraffic } from './state.ts';

type View = DataOf<'listAnalyticsViews'>['views'][number];

const sections: Readonly<Record<string, string>> = {
  overview: '/traffic',
  errors: '/traffic/errors',
  latency: '/traffic/latency',
  countries: '/traffic/countries',
};

/** Saved views: those of the caller and those that others share. */
function useViews() {
  const { search } = useTraffic();
  const section = useLocation({ select: ({ pathname }) => sectionAt(pathname) });
  const views = useRead('listAnalyticsViews', { query: { pageSize: 100, sort: 'name' } }).data?.views ?? [];
  const address = addressText(section, search);
  return {
    section,
    views,
    open: views.find((view) => addressText(view.section, view.query as TrafficSearch) === address),
  };
}

function sectionAt(pathname: string): string {
  return Object.keys(sections).find((section) => pathname.endsWith(`/${section}`)) ?? 'overview';
}

/** The same for addresses that show the same. */
function addressText(section: string, search: TrafficSearch): string {
  const { range = search.from === undefined ? defaultRange : undefined, ...others } = search;
  const given = Object.entries({ range, ...others }).filter(([, value]) => value !== undefined);
  return JSON.stringify([section, given.map(([name, value]) => `${name}=${value}`).sort()]);
}

/** Opens a saved view. */
export function ViewSelect() {
  const { views, open } = useViews();
  const navigate = useNavigate();
  if (views.length === 0) return null;
  const show = (id: string | null) => {
    const view = views.find((each) => each.id === id);
    if (view === undefined) return;
    const search = listSearch(view.query as Record<string, unknown>) as never;
    void navigate({ to: sections[view.section] ?? '/traffic', search });
  };
  return (
    <Select
      aria-label="Saved view"
      placeholder="Saved views"
      w={180}
      data={views.map((view) => ({ value: view.id, label: labelOf(view) }))}
      value={open?.id ?? null}
      onChange={show}
      allowDeselect={false}
    />
  );
}

function labelOf({ name, own, ownerName }: View): string {
  return own ? name : `${name} · ${ownerName ?? 'Deleted user'}`;
}

/** Saves what is shown, and deletes the view that is open. */
export function useViewActions(): readonly PermittedAction[] {
  const { open, section } = useViews();
  const { can } = useSession();
  const remove = useWrite('deleteAnalyticsView');
  return [
    {
      label: 'Save view',
      permission: 'analytics.read',
      form: { title: 'Save view', body: (close) => <ViewForm section={section} onClose={close} /> },
    },
    {
      ...deleteAction({
        name: open?.name ?? '',
        permission: 'analytics.read',
        blocked:
          open?.own === false &&
          !can('organization.write') &&
          `Only ${open.ownerName ?? 'its owner'} and administrators can delete it.`,
        text: open?.shared ? 'It is no longer there for anyone in the organization.' : 'Its figures stay.',
        run: () => remove.mutateAsync({ params: { viewId: open?.id ?? '' } }),
      }),
      label: 'Delete view',
      hidden: open === undefined,
    },
  ];
}

function ViewForm({ section, onClose }: { readonly section: string; readonly onClose: () => void }) {
  const { search } = useTraffic();
  const create = useWrite('createAnalyticsView');
  return (
    <SchemaForm
      schema={bodyOf('createAnalyticsView')}
      omit={['section', 'query']}
      fields={{
        name: { placeholder: 'Errors of orders, last week' },
        shared: { label: 'Share with everyone in the organization' },
      }}
      submitLabel="Save"
      onCancel={onClose}
      send={async (body) => {
        await create.mutateAsync({ body: { ...body, section, query: viewOf(search) } });
        showDone('View saved.');
        onClose();
      }}
    />
  );
}

type ViewQuery = View['query'];

function viewOf({ range, ...search }: TrafficSearch): ViewQuery {
  return { ...(search.from === undefined && { range: range ?? defaultRange }), ...search } as ViewQuery;
}
