import { Group, Stack, Text } from '@mantine/core';
import { ActionBar } from '@millrace/ui/action-bar';
import { OneTimeCodes } from '@millrace/ui/one-time-codes';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { PasswordForm } from '@millrace/ui/password-form';
import { OwnSessionTable } from '@millrace/ui/session-table';
import { useRead, useWrite } from '../../frame/api.ts';
import { pageAt } from '../../frame/place.ts';
import { useSession } from '../../frame/session.tsx';
import { texts } from '../../frame/texts.ts';
import { startAt } from '../access/providers.ts';

const words = texts.security;

/** The user's own password, one-time codes and sessions. */
export function Security() {
  const change = useWrite('changePortalPassword');
  return (
    <Page title={words.title}>
      <Stack gap="xl">
        <CompanySignIn />
        <Section title={words.password}>
          <PasswordForm change={(body) => change.mutateAsync({ body })} />
        </Section>
        <Section title={words.oneTimeCodes}>
          <OwnOneTimeCodes />
        </Section>
        <Section title={words.sessions}>
          <Sessions />
        </Section>
      </Stack>
    </Page>
  );
}

/** Whether the company's identity provider signs the user in; nothing where it has none. */
function CompanySignIn() {
  const { account } = useSession();
  const { data } = useRead('getOwnPortalProvider');
  if (!data?.provider) return null;
  const { name, enforced } = data.provider;
  const link = async () => {
    const next = pageAt('/account/security');
    window.location.assign(await startAt({ developerId: account.id, next, link: true }));
  };
  return (
    <Section title={words.companySignIn}>
      <Stack gap="sm" align="start">
        <Text size="sm">{data.linked ? words.linked(name) : words.notLinked(name)}</Text>
        {enforced && <Text size="sm">{words.enforced}</Text>}
        <ActionBar actions={[{ label: words.link, hidden: data.linked, run: link }]} />
      </Stack>
    </Section>
  );
}

function OwnOneTimeCodes() {
  const { user } = useSession();
  const start = useWrite('startPortalMfa');
  const confirm = useWrite('confirmPortalMfa');
  const remove = useWrite('removePortalMfa');
  return (
    <OneTimeCodes
      used={user.mfa}
      start={(body) => start.mutateAsync({ body })}
      confirm={(body) => confirm.mutateAsync({ body })}
      remove={(body) => remove.mutateAsync({ body })}
    />
  );
}

function Sessions() {
  const read = useRead('listPortalSessions', { query: { pageSize: '100' } });
  const endOne = useWrite('endPortalSession');
  const endOthers = useWrite('endOtherPortalSessions');
  return (
    <Loaded read={read}>
      {({ sessions }) => (
        <>
          <OwnSessionTable sessions={sessions} end={(sessionId) => endOne.mutateAsync({ params: { sessionId } })} />
          <Group mt="md">
            <ActionBar
              actions={[
                {
                  label: words.endOthers,
                  blocked: sessions.length < 2 && words.onlyOne,
                  run: () => endOthers.mutateAsync({}),
                  done: words.othersEnded,
                  confirm: { title: words.endOthersTitle, text: words.endOthersText },
                },
              ]}
            />
          </Group>
        </>
      )}
    </Loaded>
  );
}
