import { Button, SimpleGrid, Stack } from '@mantine/core';
import { IconPlus } from '@millrace/ui/icons';
import { EmptyList } from '@millrace/ui/list';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Page, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Fact } from '@millrace/ui/values';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../frame/api.ts';
import { lastDays } from '../../frame/days.ts';
import { useMay, useSession } from '../../frame/session.tsx';
import { texts } from '../../frame/texts.ts';
import { CallsChart } from '../usage/calls-chart.tsx';

const words = texts.overview;

/** What the account has, and what it did of late. */
export function Overview() {
  const { user } = useSession();
  const may = useMay();
  const apps = useRead('listPortalApps', { query: {} });
  const usage = useRead('getPortalUsage', { query: lastDays(30) });
  const numbers = useNumbers();
  const start = may('createPortalApp') && (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      renderRoot={(root) => <Link {...root} to="/account/start" />}
    >
      {words.start}
    </Button>
  );
  return (
    <Page title={words.title(user.name)} actions={start}>
      <Loaded read={apps}>
        {({ apps: own, total }) =>
          total === 0 ? (
            <EmptyList>{words.empty}</EmptyList>
          ) : (
            <Stack gap="xl">
              <Loaded read={usage}>
                {(shown) => (
                  <Section title={words.calls}>
                    <SimpleGrid cols={{ base: 2, sm: 4 }} mb="md">
                      <Fact label={texts.usage.calls}>{numbers.count(shown.total.requests)}</Fact>
                      <Fact label={texts.usage.failed}>{numbers.count(shown.total.failed)}</Fact>
                      <Fact label={words.apps}>{numbers.count(total)}</Fact>
                      <Fact label={words.subscriptions}>{numbers.count(shown.subscriptions.length)}</Fact>
                    </SimpleGrid>
                    <CallsChart days={shown.days} />
                  </Section>
                )}
              </Loaded>
              <Section title={texts.places.apps}>
                <Stack gap={4}>
                  {own.slice(0, 5).map(({ id, displayName }) => (
                    <TextLink key={id} to="/account/apps/$appId" params={{ appId: id }}>
                      {displayName}
                    </TextLink>
                  ))}
                </Stack>
              </Section>
            </Stack>
          )
        }
      </Loaded>
    </Page>
  );
}
