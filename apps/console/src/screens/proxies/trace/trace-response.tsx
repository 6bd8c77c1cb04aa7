import { Alert, Code, Stack, Text } from '@mantine/core';
import { CopyButton } from '@millrace/ui/copy-button';
import { useNumbers } from '@millrace/ui/numbers';
import { Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import type { DataOf } from '../../../frame/api.ts';
import { StatusMark } from './status-mark.tsx';

/** What the caller of a traced request gets. */
export function TraceResponse({ response }: { readonly response: DataOf<'traceProxy'>['answer'] }) {
  const { status, headers, body, bodyBytes, truncated } = response;
  const numbers = useNumbers();
  return (
    <Section
      title="Response"
      description={
        <>
          <StatusMark status={status} /> {numbers.bytes(bodyBytes)}
        </>
      }
      actions={body !== '' && <CopyButton value={body} label="Copy body" />}
    >
      <Stack gap="sm">
        {truncated && <Alert color="yellow">The body is longer; only its beginning is shown.</Alert>}
        {body === '' ? (
          <Text c="dimmed" size="sm">
            No body.
          </Text>
        ) : (
          <Code block className="json" tabIndex={0} mah={480} style={{ overflow: 'auto' }}>
            {readable(body)}
          </Code>
        )}
        <RecordTable
          label="Table of response headers"
          // A header can come twice.
          rows={headers.map((header, index) => ({ ...header, id: `${index}` }))}
          columns={[
            { title: 'Header', cell: ({ name }) => <code>{name}</code> },
            { title: 'Value', cell: ({ value }) => <span style={{ overflowWrap: 'anywhere' }}>{value}</span> },
          ]}
        />
      </Stack>
    </Section>
  );
}

/** JSON indented; any other text unchanged. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
