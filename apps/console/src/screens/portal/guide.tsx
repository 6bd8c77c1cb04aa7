import { Page } from '@millrace/ui/page';
import { Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { deleteAction, editAction, PermittedActions } from '../../frame/actions.tsx';
import { useRead, useWrite } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { type PermittedSection, PermittedSections } from '../../frame/permitted-sections.tsx';
import { GuideForm } from './guide-form.tsx';
import { type Guide, GuideMark, languageNames } from './guide-state.tsx';

const sections = [
  { to: '/developer-portal/guides/$guideId', label: 'Text', permission: 'portal.read' },
  { to: '/developer-portal/guides/$guideId/versions', label: 'Versions', permission: 'portal.read' },
] as const satisfies readonly PermittedSection[];

/** One guide: the header, its text and its versions. */
export function GuideScreen() {
  const { guideId } = useParams({ from: '/shell/developer-portal/guides/$guideId' });
  const read = useRead('getGuide', { params: { guideId } });
  return (
    <EntityScreen read={read}>
      {(guide) => (
        <Page
          title={guide.title}
          mark={<GuideMark guide={guide} />}
          description={
            <>
              <code>{guide.slug}</code>
              {`, ${languageNames[guide.language]}, version ${guide.guideVersion}`}
            </>
          }
          crumbs={[
            { label: 'Developer portal', to: '/developer-portal' },
            { label: 'Guides', to: '/developer-portal/guides' },
          ]}
          actions={<Actions guide={guide} />}
          tabs={<PermittedSections label="Sections of the guide" sections={sections} params={{ guideId }} />}
        >
          <Outlet />
        </Page>
      )}
    </EntityScreen>
  );
}

function Actions({ guide }: { readonly guide: Guide }) {
  const { id, title, guideVersion, publishedVersion, version } = guide;
  const params = { guideId: id };
  const permission = 'portal.write';
  const navigate = useNavigate();
  const publish = useWrite('publishGuide');
  const unpublish = useWrite('unpublishGuide');
  const remove = useWrite('deleteGuide');
  return (
    <PermittedActions
      actions={[
        {
          label: 'Publish',
          primary: true,
          permission,
          hidden: publishedVersion === guideVersion,
          run: () => publish.mutateAsync({ params, body: {}, version }),
          done: `Version ${guideVersion} published.`,
        },
        editAction({
          noun: 'guide',
          permission,
          body: (close) => <GuideForm guide={guide} onCancel={close} onSaved={close} />,
        }),
        {
          label: 'Unpublish',
          permission,
          hidden: publishedVersion === null,
          run: () => unpublish.mutateAsync({ params, version }),
          done: `${title} unpublished.`,
          confirm: { title: `Unpublish ${title}?`, text: 'The portal no longer shows it. Its versions are kept.' },
        },
        deleteAction({
          name: title,
          permission,
          text: 'All of its versions are deleted with it.',
          run: () => remove.mutateAsync({ params, version }),
          onDone: () => navigate({ to: '/developer-portal/guides' }),
        }),
      ]}
    />
  );
}
