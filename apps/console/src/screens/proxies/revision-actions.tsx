import { showDone } from '@millrace/ui/form';
import { SchemaForm } from '@millrace/ui/schema-form';
import { deleteAction, PermittedMenu } from '../../frame/actions.tsx';
import { bodyOf, type DataOf, useWrite } from '../../frame/api.ts';
import { useOpened } from './opened.ts';
import { useProxy } from './proxy-context.tsx';

/** Compares, restores or deletes a revision. */
export function RevisionMenu(props: { readonly revision: DataOf<'listRevisions'>['revisions'][number] }) {
  const { revision, state } = props.revision;
  const { proxy } = useProxy();
  const [, setFrom] = useOpened('from');
  const restore = useWrite('restoreRevision');
  const remove = useWrite('deleteRevision');
  const params = { proxyId: proxy.id, revision };
  const permission = 'revision.write';
  return (
    <PermittedMenu
      label={`Actions for revision ${revision}`}
      actions={[
        { label: 'Compare', run: () => setFrom(String(revision)) },
        {
          label: 'Restore',
          permission,
          run: () => restore.mutateAsync({ params }),
          done: `Revision ${revision} restored to the working copy.`,
          confirm: {
            title: `Restore revision ${revision}?`,
            text: 'It replaces the routes, policies and specification of the working copy. Cut a revision first to keep them. Live deployments don’t change.',
          },
        },
        deleteAction({
          name: `revision ${revision}`,
          permission,
          blocked: state === 'deployed' && 'Deployed revisions are kept.',
          text: 'Its number is not used again.',
          run: () => remove.mutateAsync({ params }),
        }),
      ]}
    />
  );
}

/** Cuts a revision from the working copy. */
export function CutForm({ onClose }: { readonly onClose: () => void }) {
  const { proxy } = useProxy();
  const cut = useWrite('cutRevision');
  return (
    <SchemaForm
      schema={bodyOf('cutRevision')}
      fields={{ note: { kind: 'multiline', help: 'What this revision is for' } }}
      submitLabel="Cut"
      onCancel={onClose}
      send={async (body) => {
        const { revision } = await cut.mutateAsync({ params: { proxyId: proxy.id }, body });
        showDone(`Revision ${revision} created.`);
        onClose();
      }}
    />
  );
}
