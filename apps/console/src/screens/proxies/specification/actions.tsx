import { IconPencil } from '@millrace/ui/icons';
import type { PermittedAction } from '../../../frame/actions.tsx';
import { type DataOf, useWrite } from '../../../frame/api.ts';
import { saveAnswer } from '../../../frame/save-answer.ts';
import { EditSpecification } from './edit-specification.tsx';

/**
 * Publishes, edits, downloads and unpublishes a specification.
 *
 * @param fileName of a download, without its extension
 */
export function useSpecificationActions(
  specification: DataOf<'getSpecification'>,
  fileName: string,
): readonly PermittedAction[] {
  const { id, title, state, version, unpublishedChanges } = specification;
  const params = { specificationId: id };
  const publish = useWrite('publishSpecification');
  const unpublish = useWrite('unpublishSpecification');
  const published = state === 'published';
  const download = (format: 'json' | 'yaml') => ({
    label: `Download ${format.toUpperCase()}`,
    inMenu: true,
    run: () => saveAnswer('downloadSpecification', { params, query: { format } }, `${fileName}.${format}`),
  });
  return [
    {
      label: published ? 'Publish changes' : 'Publish',
      primary: true,
      hidden: published && !unpublishedChanges,
      permission: 'specification.publish',
      run: () => publish.mutateAsync({ params, version }),
      done: `${title} published.`,
    },
    {
      label: 'Edit',
      icon: IconPencil,
      permission: 'specification.write',
      form: {
        title: 'Edit specification',
        large: true,
        body: (close) => <EditSpecification specification={specification} onClose={close} />,
      },
    },
    download('json'),
    download('yaml'),
    {
      label: 'Unpublish',
      inMenu: true,
      hidden: !published,
      permission: 'specification.publish',
      run: () => unpublish.mutateAsync({ params, version }),
      done: `${title} unpublished.`,
      confirm: { title: `Unpublish ${title}?`, text: 'Readers no longer see it. You can publish it again.' },
    },
  ];
}
