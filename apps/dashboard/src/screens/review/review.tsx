import { Text } from '@mantine/core';
import { EmptyList } from '@millrace/ui/list';
import type { ListSearch } from '@millrace/ui/list-search';
import { Page } from '@millrace/ui/page';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { useSearch } from '@tanstack/react-router';
import { type ArgumentsOf, useRead } from '../../frame/api.ts';
import { ConfidenceMark, useReviewThreshold } from '../../frame/confidence.tsx';
import { CursorList } from '../../frame/cursor-list.tsx';
import { sourceNames, useDocTypeName, useDocTypeOptions } from '../../frame/document-words.ts';
import { LinkButton } from './link-button.tsx';

/** The documents with values to check, oldest first. */
export function ReviewScreen() {
  const search = useSearch({ strict: false }) as ListSearch;
  const queue = useRead('listReview', { query: search as NonNullable<ArgumentsOf<'listReview'>['query']> });
  const threshold = useReviewThreshold();
  const typeName = useDocTypeName();
  const first = queue.data?.items[0];
  return (
    <Page
      title="Review"
      description={`Documents with a confidence below ${threshold}, or without a required value.`}
      actions={
        first && (
          <LinkButton to="/review/$documentId" params={{ documentId: first.id }}>
            Start review
          </LinkButton>
        )
      }
    >
      <CursorList
        noun="documents"
        read={queue}
        filters={[{ name: 'type', label: 'Type', options: useDocTypeOptions() }]}
        columns={[
          {
            title: 'Document',
            cell: ({ id, fileName, reference }) => (
              <>
                <TextLink to="/review/$documentId" params={{ documentId: id }} className="file-name">
                  {fileName}
                </TextLink>
                <Text size="xs" c="dimmed">
                  {reference}
                </Text>
              </>
            ),
          },
          { title: 'Type', cell: ({ docType }) => typeName(docType) },
          {
            title: 'To check',
            cell: ({ doubtful, doubtfulCount }) => (
              <Text size="sm" maw={320}>
                {doubtful
                  .slice(0, 3)
                  .map(({ label }) => label)
                  .join(', ')}
                {doubtfulCount > 3 && ` and ${doubtfulCount - 3} more`}
              </Text>
            ),
          },
          {
            title: 'Confidence',
            cell: ({ lowestConfidence }) =>
              lowestConfidence === null ? '–' : <ConfidenceMark confidence={lowestConfidence} threshold={threshold} />,
          },
          { title: 'Source', cell: ({ source }) => sourceNames[source] },
          { title: 'Arrived', cell: ({ createdAt }) => <Ago at={createdAt} /> },
        ]}
        empty={<EmptyList>Nothing to review.</EmptyList>}
      />
    </Page>
  );
}
