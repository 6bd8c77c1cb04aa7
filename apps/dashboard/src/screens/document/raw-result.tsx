import { Code, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '@millrace/ui/copy-button';
import { Loaded, Section } from '@millrace/ui/page';
import { useRead } from '../../frame/api.ts';
import type { DocumentDetail } from './paths.ts';

/** The document as the API returns it, and the calls that fetch it. */
export function RawResult({ document }: { readonly document: DocumentDetail }) {
  const isRead = document.state !== 'processing';
  const result = useRead('getDocumentResult', { params: { id: document.id } }, { enabled: isRead });
  return (
    <Stack gap="xl">
      <Section title="API response">
        {isRead ? (
          <Loaded read={result}>
            {(answer) => {
              const text = JSON.stringify(answer, null, 2);
              return <Snippet label="Result as JSON" text={text} />;
            }}
          </Loaded>
        ) : (
          <Text>Extracting…</Text>
        )}
      </Section>
      <Section title="Fetch this document">
        <Snippet label="Command that fetches this document" text={document.curl.fetch} />
      </Section>
      <Section title="Send a document like this">
        <Snippet label="Command that sends a document like this" text={document.curl.extract} />
      </Section>
    </Stack>
  );
}

function Snippet({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <>
      <Group justify="flex-end" mb={4}>
        <CopyButton value={text} aria-label={`Copy: ${label}`} />
      </Group>
      <Code block tabIndex={0} aria-label={label} role="region" className="json" mah="60vh">
        {text}
      </Code>
    </>
  );
}
