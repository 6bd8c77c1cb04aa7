import { Button, Text } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import type { ListSearch } from '@millrace/ui/list-search';
import { useNumbers } from '@millrace/ui/numbers';
import { Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type AnswerOf, useRead, useWrite } from '../../frame/api.ts';
import { CursorList } from '../../frame/cursor-list.tsx';

type Sender = AnswerOf<'getSenders'>['items'][number];

const marks: Readonly<Record<Sender['recognisedBy'][number], string>> = {
  tax_id: 'tax number',
  iban: 'IBAN',
  name: 'name',
};

/** What confirmed documents taught the account of their senders. */
export function SendersTab() {
  const { cursor } = useSearch({ strict: false }) as ListSearch;
  const senders = useRead('getSenders', { query: { cursor } });
  const forget = useWrite('forgetSender');
  const numbers = useNumbers();
  const [asked, setAsked] = useState<Sender | null>(null);
  return (
    <>
      <Text mb="md" maw={720}>
        Each confirmed document teaches this account how its sender writes. The next one of the same sender is read with
        it. No other account learns from yours.
      </Text>
      <CursorList
        noun="senders"
        read={senders}
        columns={[
          { title: 'Sender', cell: ({ name }) => name },
          { title: 'Documents', cell: ({ docType }) => wordsOf(docType) },
          { title: 'Learned from', cell: ({ documentCount }) => numbers.count(documentCount) },
          { title: 'Recognised by', cell: ({ recognisedBy }) => recognisedBy.map((by) => marks[by]).join(', ') || '–' },
          {
            title: 'Fields',
            cell: ({ fields }) => (
              <Text size="sm" maw={360}>
                {fields.map(wordsOf).join(', ') || '–'}
              </Text>
            ),
          },
          { title: 'Last confirmed', cell: ({ lastConfirmedAt }) => <Moment at={lastConfirmedAt} /> },
          {
            title: 'Actions',
            cell: (sender) => (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Forget ${sender.name}`}
                onClick={() => setAsked(sender)}
              >
                Forget
              </Button>
            ),
          },
        ]}
        empty={
          <Text c="dimmed" my="lg">
            Nothing is learned yet. Confirm a document in the review.
          </Text>
        }
      />
      {asked && (
        <Confirm
          title={`Forget ${asked.name}?`}
          action="Forget"
          done={`What was learned of ${asked.name} is forgotten.`}
          onConfirm={() => forget.mutateAsync({ params: { id: asked.id } })}
          onClose={() => setAsked(null)}
        >
          Its next document is read as if none of it had been confirmed. Documents stay as they are.
        </Confirm>
      )}
    </>
  );
}
