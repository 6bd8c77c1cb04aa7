import { EmptyList, optionsOf } from '@millrace/ui/list';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { useNavigate } from '@tanstack/react-router';
import { createAction, PermittedActions } from '../../frame/actions.tsx';
import { useList } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { GuideForm } from './guide-form.tsx';
import { GuideMark, languageNames } from './guide-state.tsx';

const route = '/developer-portal/guides/$guideId';

/** The guides of the developer portal. */
export function GuideList() {
  const navigate = useNavigate();
  const open = ({ id }: { readonly id: string }) => navigate({ to: route, params: { guideId: id } });
  const create = createAction({
    noun: 'guide',
    permission: 'portal.write',
    body: (close) => <GuideForm onCancel={close} onSaved={open} />,
  });
  return (
    <ResourceList
      {...useList('listGuides')}
      noun="guides"
      actions={<PermittedActions actions={[create]} />}
      columns={[
        {
          title: 'Title',
          sort: 'title',
          cell: ({ id, title }) => (
            <TextLink to={route} params={{ guideId: id }}>
              {title}
            </TextLink>
          ),
        },
        { title: 'Address', sort: 'slug', cell: ({ slug }) => <code>{slug}</code> },
        { title: 'Language', cell: ({ language }) => languageNames[language] },
        { title: 'State', cell: (guide) => <GuideMark guide={guide} /> },
        { title: 'Position', sort: 'position', align: 'end', cell: ({ position }) => position },
        { title: 'Updated', sort: 'updatedAt', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
      ]}
      filters={[
        {
          name: 'language',
          label: 'Language',
          options: Object.entries(languageNames).map(([value, label]) => ({ value, label })),
        },
        { name: 'state', label: 'State', options: optionsOf(['draft', 'published']) },
      ]}
      empty={<EmptyList>No guides yet. Create one to explain your APIs in the developer portal.</EmptyList>}
    />
  );
}
