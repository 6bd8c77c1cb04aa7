import { Text } from '@mantine/core';
import { ActionBar } from '@millrace/ui/action-bar';
import { EmptyList } from '@millrace/ui/list';
import type { ListSearch } from '@millrace/ui/list-search';
import { useNumbers } from '@millrace/ui/numbers';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useSearch } from '@tanstack/react-router';
import { type AnswerOf, useRead, useWrite } from '../../frame/api.ts';
import { CursorList } from '../../frame/cursor-list.tsx';
import { useDocTypeName } from '../../frame/document-words.ts';

type Supplier = AnswerOf<'getSenders'>['items'][number];

const marks: Readonly<Record<Supplier['recognisedBy'][number], string>> = {
  tax_id: 'tax number',
  iban: 'IBAN',
  name: 'name',
};

/** Fields that a row names; hovering shows all. */
const shownFields = 4;

/** What confirmed documents taught about their suppliers. */
export function SuppliersTab() {
  const { cursor } = useSearch({ strict: false }) as ListSearch;
  const suppliers = useRead('getSenders', { query: { cursor } });
  const numbers = useNumbers();
  const typeName = useDocTypeName();
  return (
    <>
      <Text mb="md" size="sm" c="dimmed" maw={720}>
        Every confirmed document teaches Millrace where its supplier puts each value. The supplier’s next documents are
        extracted with that knowledge, in this account only.
      </Text>
      <CursorList
        noun="suppliers"
        read={suppliers}
        columns={[
          { title: 'Supplier', cell: ({ name }) => name },
          { title: 'Document type', cell: ({ docType }) => typeName(docType) },
          { title: 'Learned from', align: 'end', cell: ({ documentCount }) => numbers.count(documentCount) },
          { title: 'Recognized by', cell: ({ recognisedBy }) => recognisedBy.map((by) => marks[by]).join(', ') || '–' },
          {
            title: 'Fields',
            cell: ({ fields }) => (
              <Text size="sm" maw={360} title={fields.map(wordsOf).join(', ')}>
                {fields.slice(0, shownFields).map(wordsOf).join(', ') || '–'}
                {fields.length > shownFields && ` and ${fields.length - shownFields} more`}
              </Text>
            ),
          },
          { title: 'Last confirmed', cell: ({ lastConfirmedAt }) => <Ago at={lastConfirmedAt} /> },
          { title: 'Actions', cell: (supplier) => <SupplierActions supplier={supplier} /> },
        ]}
        empty={<EmptyList>Nothing learned yet. Confirm a document in the review.</EmptyList>}
      />
    </>
  );
}

function SupplierActions({ supplier: { id, name } }: { readonly supplier: Supplier }) {
  const forget = useWrite('forgetSender');
  return (
    <ActionBar
      size="compact-xs"
      actions={[
        {
          label: 'Forget',
          name: `Forget ${name}`,
          danger: true,
          run: () => forget.mutateAsync({ params: { id } }),
          done: `${name} forgotten.`,
          confirm: {
            title: `Forget ${name}?`,
            text: 'Its next document is extracted as if none had been confirmed. Existing documents don’t change.',
          },
        },
      ]}
    />
  );
}
