import { SimpleGrid, Stack, Text } from '@mantine/core';
import { Mark } from '@millrace/ui/mark';
import { useNumbers } from '@millrace/ui/numbers';
import { Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { Ago, Properties } from '@millrace/ui/values';
import { counted, wordsOf } from '@millrace/ui/words';
import { useSession } from '../../frame/session.tsx';
import { TrafficStrip } from '../traffic/strip.tsx';
import { Stages } from './lifecycle/lifecycle.tsx';
import { authSchemeNames, protocolNames } from './names.ts';
import { NextSteps } from './next-steps-list.tsx';
import { useProxy } from './proxy-context.tsx';
import { Score } from './score.tsx';

/** The proxy at a glance: what to do next, what is live, and the state of its content, specification and rules. */
export function OverviewTab() {
  const { proxy } = useProxy();
  const { description } = proxy;
  return (
    <Stack>
      {description !== '' && (
        <Text size="sm" maw={760} style={{ overflowWrap: 'anywhere' }}>
          {description}
        </Text>
      )}
      <Stages />
      <TrafficStrip of={{ proxyId: proxy.id }} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
        <Stack gap="lg">
          <NextSteps />
          <LiveDeployments />
        </Stack>
        <Stack gap="lg">
          <WorkingCopy />
          <Specification />
          <Governance />
        </Stack>
      </SimpleGrid>
    </Stack>
  );
}

function WorkingCopy() {
  const { proxy, counts, workingCopy } = useProxy();
  return (
    <Section title="Working copy">
      <Properties
        of={{
          Protocol: protocolNames[proxy.protocol],
          Authentication: authSchemeNames[proxy.authScheme],
          Routes: counts.routes,
          Policies: counts.policies,
          Revision:
            workingCopy.sameAsRevision !== null
              ? `Same as revision ${workingCopy.sameAsRevision}`
              : counts.revisions === 0
                ? 'None yet'
                : 'Edited since the latest revision',
          Updated: <Ago at={proxy.updatedAt} />,
        }}
      />
    </Section>
  );
}

function LiveDeployments() {
  const { deployments, traffic } = useProxy();
  const { can } = useSession();
  const numbers = useNumbers();
  return (
    <Section title="Live deployments">
      <Stack gap="sm">
        {deployments.length === 0 ? (
          <Text size="sm" c="dimmed">
            Not deployed yet.
          </Text>
        ) : (
          <RecordTable
            label="Table of live deployments"
            rows={deployments.map((deployment) => ({ ...deployment, id: deployment.deploymentId }))}
            columns={[
              {
                title: 'Environment',
                cell: ({ id, environmentName, production }) => (
                  <>
                    <TextLink to="/deployments/$deploymentId" params={{ deploymentId: id }}>
                      {environmentName}
                    </TextLink>{' '}
                    {production && <Mark tone="accent">Production</Mark>}
                  </>
                ),
              },
              { title: 'Revision', align: 'end', cell: ({ revision }) => revision },
              { title: 'Traffic', align: 'end', cell: ({ weight }) => `${weight} %` },
              { title: 'Deployed', cell: ({ since }) => <Ago at={since} /> },
            ]}
          />
        )}
        {!can('analytics.read') && (
          <Properties
            of={{
              'Calls in 24 hours': numbers.count(traffic.requests),
              'Failed (4xx and 5xx)': numbers.count(traffic.failed),
              'Errors (5xx)': numbers.count(traffic.errors),
              'Rate limited': numbers.count(traffic.limited),
            }}
          />
        )}
      </Stack>
    </Section>
  );
}

function Specification() {
  const { specification } = useProxy();
  if (specification === null) {
    return (
      <Section title="Specification">
        <Text size="sm" c="dimmed">
          Not generated yet.
        </Text>
      </Section>
    );
  }
  const { title, apiVersion, state, outdated, unpublishedChanges, publishedAt } = specification;
  return (
    <Section title="Specification">
      <Properties
        of={{
          Title: `${title} ${apiVersion}`,
          State: <Mark tone={state === 'published' ? 'accent' : 'neutral'}>{wordsOf(state)}</Mark>,
          'Up to date': outdated
            ? 'No, the working copy has changed'
            : unpublishedChanges
              ? 'No, edited since it was published'
              : 'Yes',
          Published: <Ago at={publishedAt} absent="Never" />,
        }}
      />
    </Section>
  );
}

function Governance() {
  const { governance } = useProxy();
  return (
    <Section title="Governance">
      {governance === null ? (
        <Text size="sm" c="dimmed">
          Not evaluated yet.
        </Text>
      ) : (
        <Properties
          of={{
            Score: <Score score={governance.score} />,
            Findings: `${counted(governance.findings, 'finding')}, ${governance.blocking} blocking`,
            Evaluated: (
              <>
                <Ago at={governance.evaluatedAt} />
                {!governance.current && ', before the latest edit'}
              </>
            ),
          }}
        />
      )}
    </Section>
  );
}
