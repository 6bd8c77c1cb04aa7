import { Stack, Text } from '@mantine/core';
import { Page, Section } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Moment, Properties } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useParams } from '@tanstack/react-router';
import { type DataOf, useRead } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { FieldChanges } from '../revisions/field-changes.tsx';
import { OutcomeMark, operationWords, SeverityMark } from './marks.tsx';

type Entry = DataOf<'getAuditEntry'>;

/** One entry of the audit trail, with what it changed. */
export function AuditEntryScreen() {
  const { entryId } = useParams({ from: '/shell/audit/$entryId' });
  const read = useRead('getAuditEntry', { params: { entryId } });
  return (
    <EntityScreen read={read}>
      {(entry) => (
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
          <Stack gap="lg">
            <Properties of={propertiesOf(entry)} />
            <Section title="Changes">
              {entry.changes.length === 0 ? (
                <Text size="sm" c="dimmed">
                  No changed fields.
                </Text>
              ) : (
                <FieldChanges fields={entry.changes} />
              )}
            </Section>
          </Stack>
        </Page>
      )}
    </EntityScreen>
  );
}

function propertiesOf({ actorId, actorName, entityType, entityId, ...entry }: Entry) {
  return {
    Time: <Moment at={entry.at} seconds />,
    [wordsOf(entry.actorKind)]:
      actorId === null ? (
        actorName
      ) : (
        <TextLink to="/audit" search={{ actorId }} inherit>
          {actorName}
        </TextLink>
      ),
    [wordsOf(entityType)]: entityId !== null && (
      <TextLink to="/audit" search={{ entityType, entityId }} inherit>
        {entityId}
      </TextLink>
    ),
    'IP address': entry.ip,
    'User agent': entry.userAgent,
    'Request ID': <code>{entry.requestId}</code>,
    'Position in the trail': entry.sequence,
  };
}
