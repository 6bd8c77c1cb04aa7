import { Anchor, Button, Select, Text } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { useNumbers } from '@millrace/ui/numbers';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type AnswerOf, type ArgumentsOf, useWrite } from '../../frame/api.ts';
import { useAskedTypeOptions } from '../../frame/document-words.ts';
import { ExportMenu } from '../../frame/export-menu.tsx';

type Listed = AnswerOf<'listDocuments'>['items'][number];
type Filter = Omit<NonNullable<ArgumentsOf<'exportDocumentsCsv'>['query']>, 'rows' | 'ids'>;
type AskedType = NonNullable<NonNullable<ArgumentsOf<'retryDocuments'>['body']>['docType']>;

/** Limit of one action. */
const mostDocuments = 10_000;

/** Actions on the selected documents, or on all that match the filter. */
export function BulkBar(props: {
  readonly selected: readonly Listed[];
  /** Documents of this page, and of all pages; null where they are too many to count. */
  readonly pageSize: number;
  readonly total: number | null;
  readonly filter: Filter;
  readonly onStarted: () => void;
}) {
  const { selected, pageSize, total, filter } = props;
  const [wantsAll, setWantsAll] = useState(false);
  const [asked, setAsked] = useState<'delete' | 'retry' | 'confirm' | null>(null);
  const typeOptions = useAskedTypeOptions();
  const [docType, setDocType] = useState<AskedType | null>(null);
  const numbers = useNumbers();
  const navigate = useNavigate();
  const remove = useWrite('deleteDocuments');
  const retry = useWrite('retryDocuments');
  const confirm = useWrite('confirmDocuments');

  const isAll = wantsAll && selected.length === pageSize;
  const canBeAll = selected.length === pageSize && total !== null && total > pageSize && total <= mostDocuments;
  const count = isAll ? (total ?? 0) : selected.length;
  const words = count === 1 ? '1 document' : `${numbers.count(count)} documents`;
  const documentIds = selected.map(({ id }) => id);
  const selection = isAll ? { filter } : { documentIds };
  const start = async (sent: Promise<{ readonly id: string }>) => {
    const { id } = await sent;
    await navigate({ to: '.', search: (search: object) => ({ ...search, action: id }), replace: true } as never);
    props.onStarted();
  };
  const close = () => setAsked(null);

  return (
    <>
      {isAll && <Text size="sm">All {words} that match are selected.</Text>}
      {!isAll && canBeAll && (
        <Anchor component="button" size="sm" onClick={() => setWantsAll(true)}>
          Select all {numbers.count(total)} that match
        </Anchor>
      )}
      <Button variant="default" size="xs" onClick={() => setAsked('confirm')}>
        Confirm
      </Button>
      <Button variant="default" size="xs" onClick={() => setAsked('retry')}>
        Extract again
      </Button>
      <ExportMenu size="xs" label="Export selected" query={isAll ? filter : { ids: documentIds.join(',') }} />
      <Button variant="default" size="xs" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      {asked === 'delete' && (
        <Confirm
          title={`Delete ${words}?`}
          action="Delete"
          done={`Deleting ${words}.`}
          onConfirm={() => start(remove.mutateAsync({ body: { selection } }))}
          onClose={close}
        >
          The files and their results are permanently deleted, with their corrections and what they taught about their
          suppliers.
        </Confirm>
      )}
      {asked === 'confirm' && (
        <Confirm
          title={`Confirm ${words}?`}
          action="Confirm"
          danger={false}
          done={`Confirming ${words}.`}
          onConfirm={() => start(confirm.mutateAsync({ body: { selection } }))}
          onClose={close}
        >
          Every value is marked as correct, including those with low confidence. Documents without a result are skipped.
        </Confirm>
      )}
      {asked === 'retry' && (
        <Confirm
          title={`Extract ${words} again?`}
          action="Extract again"
          danger={false}
          done={`Extracting ${words} again.`}
          onConfirm={() => start(retry.mutateAsync({ body: { selection, ...(docType === null ? {} : { docType }) } }))}
          onClose={close}
        >
          New results from the stored files replace the current ones. Corrected and confirmed documents are skipped.
          <Select
            mt="sm"
            label="Type"
            placeholder="Same type as before"
            data={typeOptions}
            value={docType}
            onChange={(value) => setDocType(value as AskedType | null)}
            clearable
            searchable
          />
        </Confirm>
      )}
    </>
  );
}
