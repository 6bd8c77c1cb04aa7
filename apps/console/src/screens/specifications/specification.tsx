import { Page } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { useNavigate, useParams } from '@tanstack/react-router';
import { deleteAction, PermittedActions } from '../../frame/actions.tsx';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { useSpecificationActions } from '../proxies/specification/actions.tsx';
import { SpecificationViews } from '../proxies/specification/specification-views.tsx';
import { SpecificationMarks } from './list.tsx';

type Specification = DataOf<'getSpecification'>;

/** One specification. */
export function SpecificationScreen() {
  const { specificationId } = useParams({ from: '/shell/specifications/$specificationId' });
  const read = useRead('getSpecification', { params: { specificationId } });
  return <EntityScreen read={read}>{(data) => <Shown specification={data} />}</EntityScreen>;
}

function Shown({ specification }: { readonly specification: Specification }) {
  const { title, apiVersion, proxyId, publishedAt, description } = specification;
  return (
    <Page
      title={`${title} ${apiVersion}`}
      mark={<SpecificationMarks {...specification} />}
      description={
        <>
          {publishedAt !== null && (
            <>
              Published <Ago at={publishedAt} />.{' '}
            </>
          )}
          {proxyId !== null && (
            <>
              <TextLink to="/proxies/$proxyId/specification" params={{ proxyId }} inherit underline="always">
                API proxy
              </TextLink>
              .{' '}
            </>
          )}
          {description}
        </>
      }
      crumbs={[{ label: 'Specifications', to: '/specifications' }]}
      actions={<Actions specification={specification} />}
    >
      <SpecificationViews specification={specification} />
    </Page>
  );
}

function Actions({ specification }: { readonly specification: Specification }) {
  const { id, title, state, version } = specification;
  const navigate = useNavigate();
  const remove = useWrite('deleteSpecification');
  return (
    <PermittedActions
      actions={[
        ...useSpecificationActions(specification, 'openapi'),
        deleteAction({
          name: title,
          permission: 'specification.write',
          blocked: state === 'published' && 'Unpublish it first.',
          text: 'Your edits to it are lost.',
          run: () => remove.mutateAsync({ params: { specificationId: id }, version }),
          onDone: () => navigate({ to: '/specifications' }),
        }),
      ]}
    />
  );
}
