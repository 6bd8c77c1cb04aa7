import { Code, Stack, Text } from '@mantine/core';
import { useNumbers } from '@millrace/ui/numbers';
import { Section } from '@millrace/ui/page';
import { Moment, Properties } from '@millrace/ui/values';
import { sourceNames, useDocTypeName } from '../../frame/document-words.ts';
import { type DocumentDetail, definitionOf } from './paths.ts';
import { textOf } from './value-text.ts';

/** A document's source, how it was extracted, and its corrections. */
export function Details({ document }: { readonly document: DocumentDetail }) {
  const numbers = useNumbers();
  const typeName = useDocTypeName();
  const { ai, classification, sender, webhooks } = document;
  const pages = document.pageCount === 1 ? 'page' : 'pages';
  return (
    <Stack gap="xl">
      <Section title="About this document">
        <Properties
          of={{
            Type: typeName(document.docType),
            'Detected type':
              classification &&
              `${typeName(classification.docType)}, confidence ${Math.floor(classification.confidence)}`,
            Source: sourceNames[document.source],
            Supplier: sender && `${sender.name}${sender.certain ? '' : ' (likely)'}`,
            Arrived: <Moment at={document.createdAt} />,
            Extracted: <Moment at={document.finishedAt} />,
            Confirmed: document.confirmedAt && (
              <>
                <Moment at={document.confirmedAt} />
                {document.confirmedBy && ` by ${document.confirmedBy.name}`}
              </>
            ),
            File: `${document.mediaType}, ${numbers.bytes(document.sizeBytes)}, ${document.pageCount ?? '–'} ${pages}`,
            'Extraction method': ai && `${ai.provider === 'millrace' ? 'Built-in engine' : ai.provider}, ${ai.model}`,
            'Extraction time': ai && `${numbers.count(ai.processTimeMs)} ms`,
            Tokens: ai !== null && ai.totalTokens > 0 && numbers.count(ai.totalTokens),
            'Webhook deliveries': `${webhooks.delivered} delivered, ${webhooks.pending} pending, ${webhooks.failed} failed`,
            'Document ID': <Code>{document.id}</Code>,
          }}
        />
      </Section>
      <Section title="Corrections">
        {document.corrections.length === 0 ? (
          <Text c="dimmed">No corrections.</Text>
        ) : (
          <Stack gap="xs" component="ul" className="navigation">
            {document.corrections.map((correction) => (
              <li key={correction.id}>
                <Text size="sm">{sentenceOf(document, correction)}</Text>
                <Text size="xs" c="dimmed">
                  <Moment at={correction.at} />
                  {correction.by && ` by ${correction.by.name}`}
                </Text>
              </li>
            ))}
          </Stack>
        )}
      </Section>
    </Stack>
  );
}

function sentenceOf(document: DocumentDetail, correction: DocumentDetail['corrections'][number]): string {
  const { kind, path, before, after } = correction;
  if (kind === 'add_row') return 'Row added.';
  if (kind === 'remove_row') return 'Row removed.';
  if (path === null) return 'Value set.';
  const column = 'field' in path ? undefined : document.rows?.columns.find(({ name }) => name === path.column);
  const definition = 'field' in path ? definitionOf(document, path.field) : column;
  const label = 'field' in path ? definition?.label : `Row ${path.row + 1}, ${column?.label ?? path.column}`;
  const shown = (value: typeof before) => textOf(value, definition?.kind ?? 'text') || 'nothing';
  if (shown(before) === shown(after)) return `${label}: ${shown(after)} confirmed.`;
  return `${label}: changed from ${shown(before)} to ${shown(after)}.`;
}
