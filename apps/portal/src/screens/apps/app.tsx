import { Alert, Stack } from '@mantine/core';
import { ActionBar } from '@millrace/ui/action-bar';
import { showDone } from '@millrace/ui/form';
import { IconPencil, IconTrash } from '@millrace/ui/icons';
import { Loaded, Page } from '@millrace/ui/page';
import { Ago, Properties } from '@millrace/ui/values';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { useMay } from '../../frame/session.tsx';
import { StateMark } from '../../frame/state-mark.tsx';
import { texts } from '../../frame/texts.ts';
import { AppForm } from './app-form.tsx';
import { AppSubscriptions } from './app-subscriptions.tsx';
import { Credentials } from './credentials.tsx';

const words = texts.apps;

/** One app with its keys and subscriptions. */
export function AppScreen() {
  const { appId } = useParams({ from: '/in/account/apps/$appId' });
  const read = useRead('getPortalApp', { params: { appId } });
  return <Loaded read={read}>{(app) => <Shown app={app} />}</Loaded>;
}

function Shown({ app }: { readonly app: DataOf<'getPortalApp'> }) {
  const may = useMay();
  const navigate = useNavigate();
  const remove = useWrite('deletePortalApp');
  const { id, displayName, description, callbackUrl, state, createdAt } = app;
  return (
    <Page
      title={displayName}
      mark={<StateMark state={state} />}
      crumbs={[{ label: words.title, to: '/account/apps' }]}
      description={description}
      actions={
        <ActionBar
          actions={[
            {
              label: texts.edit,
              icon: IconPencil,
              hidden: !may('updatePortalApp'),
              form: {
                title: words.editTitle,
                body: (close) => (
                  <AppForm
                    app={app}
                    onCancel={close}
                    onSaved={() => {
                      showDone(words.saved);
                      close();
                    }}
                  />
                ),
              },
            },
            {
              label: texts.delete,
              icon: IconTrash,
              danger: true,
              hidden: !may('deletePortalApp'),
              run: () => remove.mutateAsync({ params: { appId: id } }),
              done: words.deleted,
              onDone: () => navigate({ to: '/account/apps' }),
              confirm: { title: words.deleteTitle(displayName), text: words.deleteText, typed: displayName },
            },
          ]}
        />
      }
    >
      <Stack gap="xl">
        {state === 'suspended' && <Alert color="red">{words.suspended}</Alert>}
        <Properties
          of={{
            [words.created]: <Ago at={createdAt} />,
            [words.callback]: callbackUrl,
          }}
        />
        <Credentials appId={id} />
        <AppSubscriptions appId={id} />
      </Stack>
    </Page>
  );
}
