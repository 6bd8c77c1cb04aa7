import { IconUpload } from '@millrace/ui/icons';
import { optionsOf } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { type DataOf, useList } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { UploadForm } from './upload-form.tsx';

type Specification = DataOf<'listSpecifications'>['specifications'][number];

/** Whether readers can see it, and whether it is up to date. */
export function SpecificationMarks(props: Pick<Specification, 'state' | 'outdated' | 'unpublishedChanges'>) {
  const { state, outdated, unpublishedChanges } = props;
  return (
    <>
      <Mark tone={state === 'published' ? 'accent' : 'neutral'}>{wordsOf(state)}</Mark>{' '}
      {outdated && <Mark tone="warning">Outdated</Mark>}{' '}
      {unpublishedChanges && <Mark tone="active">Unpublished changes</Mark>}
    </>
  );
}

/** The specifications of the organization. */
export function SpecificationList() {
  return (
    <ListScreen
      title="Specifications"
      description="OpenAPI 3.1 documents: generated from API proxies, imported with them, or uploaded."
      noun="specifications"
      list={useList('listSpecifications')}
      actions={[
        {
          label: 'Upload specification',
          icon: IconUpload,
          primary: true,
          permission: 'specification.write',
          form: { title: 'Upload specification', large: true, body: (close) => <UploadForm onCancel={close} /> },
        },
      ]}
      columns={[
        {
          title: 'Title',
          sort: 'title',
          cell: ({ id, title }) => (
            <TextLink to="/specifications/$specificationId" params={{ specificationId: id }}>
              {title}
            </TextLink>
          ),
        },
        { title: 'API version', sort: 'apiVersion', cell: ({ apiVersion }) => apiVersion },
        { title: 'State', cell: (specification) => <SpecificationMarks {...specification} /> },
        { title: 'Origin', cell: ({ source }) => wordsOf(source) },
        { title: 'Description', cell: ({ description }) => description },
        { title: 'Updated', sort: 'updatedAt', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
        { title: 'Published', sort: 'publishedAt', cell: ({ publishedAt }) => <Ago at={publishedAt} absent="Never" /> },
      ]}
      hiddenColumns={['Description']}
      filters={[
        { name: 'state', label: 'State', options: optionsOf(['draft', 'published']) },
        { name: 'source', label: 'Origin', options: optionsOf(['generated', 'imported', 'uploaded']) },
      ]}
    />
  );
}
