import { Stack, Text } from '@mantine/core';
import type { ListSearch } from '@millrace/ui/list-search';
import { Mark, type Tone } from '@millrace/ui/mark';
import { useNumbers } from '@millrace/ui/numbers';
import { TextLink } from '@millrace/ui/text-link';
import { Moment } from '@millrace/ui/values';
import { useSearch } from '@tanstack/react-router';
import { type AnswerOf, useRead } from '../../frame/api.ts';
import { CursorList } from '../../frame/cursor-list.tsx';

type Message = AnswerOf<'listInboxMessages'>['items'][number];

const outcomes: Readonly<Record<Message['outcome'], { readonly tone: Tone; readonly label: string }>> = {
  accepted: { tone: 'good', label: 'Taken' },
  partly_accepted: { tone: 'warning', label: 'Taken in part' },
  refused: { tone: 'bad', label: 'Refused' },
};

const authentications: Readonly<Record<Message['authentication'], string>> = {
  passed: 'Proven',
  failed: 'Not proven',
  unknown: 'Unknown',
};

/** The last messages that came in or were refused, with what became of them. */
export function InboxMessages() {
  const { cursor } = useSearch({ strict: false }) as ListSearch;
  const messages = useRead('listInboxMessages', { query: { cursor } }, { refetchInterval: 5_000 });
  const numbers = useNumbers();
  return (
    <CursorList
      noun="messages"
      read={messages}
      columns={[
        { title: 'When', cell: ({ receivedAt }) => <Moment at={receivedAt} /> },
        {
          title: 'Message',
          cell: ({ from, subject, sizeBytes }) => (
            <Text size="sm" component="div" maw={320} style={{ overflowWrap: 'anywhere' }}>
              {subject === '' ? 'Without a subject' : subject}
              <Text size="sm" c="dimmed">
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
        { title: 'Refused', cell: (message) => <Refusals message={message} /> },
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
          The sender was told.
        </Text>
      )}
    </Stack>
  );
}
