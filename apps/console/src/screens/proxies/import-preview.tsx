import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { Mark } from '@millrace/ui/mark';
import { Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { Properties } from '@millrace/ui/values';
import { counted } from '@millrace/ui/words';
import type { DataOf } from '../../frame/api.ts';
import { SeverityMark } from '../governance/severity-mark.tsx';
import { authSchemeNames } from './names.ts';
import { MethodBadge, PathText } from './route-text.tsx';

export type Preview = DataOf<'previewProxyImport'>;

const fieldNames: Readonly<Record<string, string>> = {
  name: 'Name',
  basePath: 'Base path',
  targetServer: 'Target server',
  document: 'OpenAPI document',
};

/** What an import would create; nothing is written yet. */
export function ImportPreview(props: {
  readonly preview: Preview;
  readonly importing: boolean;
  readonly onImport: () => void;
  readonly onBack: () => void;
}) {
  const { preview, importing, onImport, onBack } = props;
  const { conflicts, warnings, specification } = preview;
  return (
    <Stack maw={960} gap="lg">
      {conflicts.length > 0 && (
        <Alert color="red" role="alert" title="This can’t be imported yet">
          <Lines texts={conflicts.map(({ field, message }) => `${fieldNames[field] ?? field}: ${message}`)} />
        </Alert>
      )}
      {warnings.length > 0 && (
        <Alert color="yellow" title="Left out or changed">
          <Lines texts={warnings} />
        </Alert>
      )}
      <Section title="API proxy" description="Nothing has been created yet.">
        <Properties
          of={{
            'Display name': preview.displayName,
            Name: preview.name ?? 'None yet',
            'Base path': <code>{preview.basePath}</code>,
            Authentication: authSchemeNames[preview.authScheme],
            Specification: `${specification.title} ${specification.apiVersion}, as a draft`,
            Policies: 'None; attach them after the import',
          }}
        />
      </Section>
      <Section title={counted(preview.routes.length, 'route')}>
        <Routes routes={preview.routes} />
      </Section>
      <Section title="Governance">
        <Findings findings={preview.findings} />
      </Section>
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
        <Button onClick={onImport} loading={importing} disabled={conflicts.length > 0}>
          Import
        </Button>
      </Group>
    </Stack>
  );
}

function Lines({ texts }: { readonly texts: readonly string[] }) {
  return (
    <List size="sm" spacing={4}>
      {texts.map((text) => (
        <List.Item key={text}>{text}</List.Item>
      ))}
    </List>
  );
}

function Routes({ routes }: Pick<Preview, 'routes'>) {
  return (
    <RecordTable
      label="Table of routes"
      rows={routes.map((route) => ({ ...route, id: `${route.method} ${route.pathPattern}` }))}
      columns={[
        { title: 'Method', cell: ({ method }) => <MethodBadge method={method} /> },
        { title: 'Path', cell: ({ pathPattern }) => <PathText path={pathPattern} /> },
        { title: 'Summary', cell: ({ summary }) => summary || '–' },
        { title: 'Target server', cell: ({ targetServer }) => targetServer },
        {
          title: 'Path at the target',
          cell: ({ targetPath }) => (targetPath === null ? 'As called' : <PathText path={targetPath} />),
        },
      ]}
    />
  );
}

function Findings({ findings }: Pick<Preview, 'findings'>) {
  if (findings.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No findings.
      </Text>
    );
  }
  return (
    <RecordTable
      label="Table of findings"
      rows={findings.map((finding) => ({ ...finding, id: `${finding.code} ${finding.location}` }))}
      columns={[
        { title: 'Rule', cell: ({ code }) => <code>{code}</code> },
        {
          title: 'Severity',
          cell: ({ severity, blocking }) => (
            <>
              <SeverityMark severity={severity} /> {blocking && <Mark tone="bad">Blocking</Mark>}
            </>
          ),
        },
        { title: 'Finding', cell: ({ message }) => message },
        { title: 'Where', cell: ({ location }) => location },
      ]}
    />
  );
}
