import { Alert, Stack } from '@mantine/core';
import { EmptyList } from '@millrace/ui/list';
import { Mark } from '@millrace/ui/mark';
import { Loaded, Section } from '@millrace/ui/page';
import { Ago } from '@millrace/ui/values';
import { type PermittedAction, PermittedActions } from '../../../frame/actions.tsx';
import { type DataOf, useRead, useWrite } from '../../../frame/api.ts';
import { useProxy } from '../proxy-context.tsx';
import { useSpecificationActions } from './actions.tsx';
import { SpecificationViews } from './specification-views.tsx';

/** The OpenAPI document of the proxy: generated from its routes and policies, edited, published. */
export function SpecificationTab() {
  const { specification } = useProxy();
  return specification === null ? <NoSpecification /> : <PresentSpecification specificationId={specification.id} />;
}

function useGenerate(label: string): PermittedAction {
  const { proxy } = useProxy();
  const generate = useWrite('generateSpecification');
  return {
    label,
    permission: 'specification.write',
    run: () => generate.mutateAsync({ params: { proxyId: proxy.id }, body: {} }),
    done: 'Specification generated.',
  };
}

function NoSpecification() {
  const { counts } = useProxy();
  const generate = useGenerate('Generate specification');
  return (
    <EmptyList>
      <Stack align="center" gap="sm">
        <span>
          No specification yet. It is generated from the routes and policies as OpenAPI 3.1. What you write into it is
          kept when it is generated again.
        </span>
        <PermittedActions
          actions={[
            {
              ...generate,
              primary: true,
              blocked: counts.routes === 0 && 'Add a route first: there is nothing to describe.',
            },
          ]}
        />
      </Stack>
    </EmptyList>
  );
}

function PresentSpecification({ specificationId }: { readonly specificationId: string }) {
  const read = useRead('getSpecification', { params: { specificationId } });
  return <Loaded read={read}>{(specification) => <Shown specification={specification} />}</Loaded>;
}

function Shown({ specification }: { readonly specification: DataOf<'getSpecification'> }) {
  const { title, apiVersion, state, outdated, unpublishedChanges, description, publishedAt } = specification;
  const { proxy } = useProxy();
  const published = state === 'published';
  const regenerate = useGenerate('Regenerate');
  const actions = useSpecificationActions(specification, `${proxy.name}.openapi`);
  return (
    <Section
      title={`${title} ${apiVersion}`}
      description={
        <>
          <Mark tone={published ? 'accent' : 'neutral'}>{published ? 'Published' : 'Draft'}</Mark>{' '}
          {published && <Ago at={publishedAt} />} {published && description !== '' && '· '}
          {description}
        </>
      }
      actions={
        <PermittedActions
          menuLabel="Specification actions"
          actions={[...actions.slice(0, 1), regenerate, ...actions.slice(1)]}
        />
      }
    >
      <Stack>
        {outdated && (
          <Alert color="yellow">
            The routes or policies have changed since it was generated. Regenerate it; what you wrote is kept.
          </Alert>
        )}
        {published && unpublishedChanges && !outdated && (
          <Alert color="blue">
            Edited since it was published. Readers see the published version until you publish again.
          </Alert>
        )}
        <SpecificationViews specification={specification} />
      </Stack>
    </Section>
  );
}
