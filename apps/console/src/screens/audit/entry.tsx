import { Anchor, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Page } from '@millrace/ui/page';
import { Fact, Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { Link, useParams } from '@tanstack/react-router';
import { type DataOf, useRead } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { FieldChanges } from '../revisions/field-changes.tsx';
import { OutcomeMark, operationWords, SeverityMark } from './explorer.tsx';

/** One entry of the audit trail, with what it changed. */
export function AuditEntryScreen() {
  const { entryId } = useParams({ from: '/shell/audit/$entryId' });
  const read = useRead('getAuditEntry', { params: { entryId } });
  return <EntityScreen read={read}>{(data) => <Shown entry={data} />}</EntityScreen>;
}

function Shown({ entry }: { readonly entry: DataOf<'getAuditEntry'> }) {
  const { entityType, entityId, actorId } = entry;
  return (
    <Page
      title={operationWords(entry.operation)}
      mark={
        <>
          <SeverityMark severity={entry.severity} />
          <OutcomeMark outcome={entry.outcome} />
        </>
      }
      description={entry.note}
      crumbs={[{ label: 'Audit', to: '/audit' }]}
    >
      <Stack gap="xl">
        <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }}>
          <Fact label="When">
            <Moment at={entry.at} />
          </Fact>
          <Fact label={`Who (${wordsOf(entry.actorKind).toLowerCase()})`}>
            {actorId === null ? (
              entry.actorName
            ) : (
              <Anchor renderRoot={(root) => <Link {...root} to="/audit" search={{ actorId }} />}>
                {entry.actorName}
              </Anchor>
            )}
          </Fact>
          <Fact label={wordsOf(entityType)}>
            {entityId === null ? (
              'None'
            ) : (
              <Anchor
                style={{ wordBreak: 'break-all' }}
                renderRoot={(root) => <Link {...root} to="/audit" search={{ entityType, entityId }} />}
              >
                {entityId}
              </Anchor>
            )}
          </Fact>
          <Fact label="From">
            {entry.ip}
            <Text size="xs" c="dimmed" lineClamp={2}>
              {entry.userAgent}
            </Text>
          </Fact>
          <Fact label="Place in the chain">{entry.sequence}</Fact>
          <Fact label="Request">
            <code className="json">{entry.requestId}</code>
          </Fact>
        </SimpleGrid>
        <section>
          <Title order={2} size="h4" mb="sm">
            What changed
          </Title>
          {entry.changes.length === 0 ? <Text c="dimmed">No field.</Text> : <FieldChanges fields={entry.changes} />}
        </section>
      </Stack>
    </Page>
  );
}
