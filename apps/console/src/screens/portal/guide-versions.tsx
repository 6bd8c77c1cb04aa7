import { Loaded } from '@millrace/ui/page';
import { Ago } from '@millrace/ui/values';
import { useParams } from '@tanstack/react-router';
import { type PermittedAction, RowActions } from '../../frame/actions.tsx';
import { type DataOf, useList, useRead, useWrite } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';
import { GuidePreview } from './guide-preview.tsx';

type Version = DataOf<'listGuideVersions'>['versions'][number];

/** The versions of a guide, of which one can be published or made the latest again. */
export function GuideVersions() {
  const { guideId } = useParams({ from: '/shell/developer-portal/guides/$guideId/versions' });
  const { rows, ...list } = useList('listGuideVersions', { guideId });
  const publish = useWrite('publishGuide');
  const restore = useWrite('restoreGuideVersion');
  const latest = useRead('getGuide', { params: { guideId } }).data?.guideVersion;
  const permission = 'portal.write';
  const actionsOf = ({ guideVersion, published }: Version): readonly PermittedAction[] => {
    const name = `version ${guideVersion}`;
    return [
      {
        label: 'Show',
        name: `Show ${name}`,
        form: {
          title: `Version ${guideVersion}`,
          large: true,
          body: () => <VersionText guideId={guideId} guideVersion={guideVersion} />,
        },
      },
      {
        label: 'Publish',
        name: `Publish ${name}`,
        permission,
        hidden: published,
        run: () => publish.mutateAsync({ params: { guideId }, body: { guideVersion } }),
        done: `Version ${guideVersion} published.`,
      },
      {
        label: 'Restore',
        name: `Restore ${name}`,
        permission,
        hidden: guideVersion === latest,
        run: () => restore.mutateAsync({ params: { guideId, guideVersion } }),
        done: `Version ${guideVersion} restored as a new version.`,
        confirm: {
          title: `Restore version ${guideVersion}?`,
          text: 'Its text becomes a new version, which is not published yet.',
        },
      },
    ];
  };
  return (
    <ResourceList
      {...list}
      rows={rows?.map((version) => ({ ...version, id: String(version.guideVersion) }))}
      noun="versions"
      columns={[
        { title: 'Version', sort: 'guideVersion', align: 'end', cell: ({ guideVersion }) => guideVersion },
        { title: 'Title', sort: 'title', cell: ({ title }) => title },
        { title: 'On the portal', cell: ({ published }) => (published ? 'Yes' : '–') },
        {
          title: 'Saved',
          cell: ({ createdAt, createdByName }) => (
            <>
              <Ago at={createdAt} /> by {createdByName}
            </>
          ),
        },
        { title: 'Actions', cell: (version) => <RowActions actions={actionsOf(version)} /> },
      ]}
    />
  );
}

function VersionText({ guideId, guideVersion }: { readonly guideId: string; readonly guideVersion: number }) {
  const read = useRead('getGuideVersion', { params: { guideId, guideVersion } });
  return <Loaded read={read}>{({ source }) => <GuidePreview source={source} />}</Loaded>;
}
