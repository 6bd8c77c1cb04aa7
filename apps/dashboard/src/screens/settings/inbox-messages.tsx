import { Stack, Text } from '@mantine/core';
import type { ListSearch } from '@millrace/ui/list-search';
import { Mark, type Tone } from '@millrace/ui/mark';
import { useNumbers } from '@millrace/ui/numbers';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { useSearch } from '@tanstack/react-router';
import { type AnswerOf, useRead } from '../../frame/api.ts';
import { CursorList } from '../../frame/cursor-list.tsx';

type Message = AnswerOf<'listInboxMessages'>['items'][number];

const outcomes: Readonly<Record<Message['outcome'], { readonly tone: Tone; readonly label: string }>> = {
  accepted: { tone: 'good', label: 'Accepted' },
  partly_accepted: { tone: 'warning', label: 'Partly accepted' },
  refused: { tone: 'bad', label: 'Rejected' },
};

const authentications: Readonly<Record<Message['authentication'], string>> = {
  passed: 'Authenticated',
  failed: 'Not authenticated',
  unknown: 'Not checked',
};

/** The latest messages, accepted or rejected. */
export function InboxMessages() {
  const { cursor } = useSearch({ strict: false }) as ListSearch;
  const messages = useRead('listInboxMessages', { query: { cursor } }, { refetchInterval: 5_000 });
  const numbers = useNumbers();
  return (
    <CursorList
      noun="messages"
      read={messages}
      columns={[
        { title: 'Received', cell: ({ receivedAt }) => <Ago at={receivedAt} /> },
        {
          title: 'Message',
          cell: ({ from, subject, sizeBytes }) => (
            <Text size="sm" component="div" maw={320} style={{ overflowWrap: 'anywhere' }}>
              {subject === '' ? 'No subject' : subject}
              <Text size="xs" c="dimmed">
                {from === '' ? 'No sender' : from}, {numbers.bytes(sizeBytes)}
              </Text>
            </Text>
          ),
        },
        {
          title: 'Outcome',
          cell: ({ outcome }) => <Mark tone={outcomes[outcome].tone}>{outcomes[outcome].label}</Mark>,
        },
        { title: 'Sender', cell: ({ authentication }) => authentications[authentication] },
        { title: 'Documents', cell: ({ documents }) => <Documents documents={documents} /> },
        { title: 'Rejected', cell: (message) => <Refusals message={message} /> },
      ]}
    />
  );
}

function Documents({ documents }: Pick<Message, 'documents'>) {
  if (documents.length === 0) return '–';
  return (
    <Stack gap={2}>
      {documents.map(({ id, fileName }) => (
        <TextLink key={id} to="/documents/$documentId" params={{ documentId: id }}>
          {fileName}
        </TextLink>
      ))}
    </Stack>
  );
}

function Refusals({ message: { refusals, answeredAt } }: { readonly message: Message }) {
  if (refusals.length === 0) return '–';
  return (
    <Stack gap={2} maw={320}>
      {refusals.map(({ fileName, code, message }) => (
        <Text key={`${fileName} ${code}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {fileName !== null && <b>{fileName}: </b>}
          {message}
        </Text>
      ))}
      {answeredAt !== null && (
        <Text size="sm" c="dimmed">
          The sender was notified.
        </Text>
      )}
    </Stack>
  );
}
