import { Accordion, Code, Group, Stack, Text } from '@mantine/core';
import { showDone } from '@millrace/ui/form';
import { FormDialog } from '@millrace/ui/form-dialog';
import { Loaded } from '@millrace/ui/page';
import { SchemaForm } from '@millrace/ui/schema-form';
import { useMemo, useState } from 'react';
import { bodyOf, type DataOf, useRead, useWrite } from '../../../frame/api.ts';
import { PermittedButton } from '../../../frame/can.tsx';
import { useOpened } from '../opened.ts';
import { MethodBadge, PathText } from '../route-text.tsx';
import { type OperationPart, operationDetails } from './document-reading.ts';
import { useDocumentText } from './document-text.tsx';
import classes from './specification.module.css';

type Operation = DataOf<'listSpecificationOperations'>['operations'][number];

/** The operations of a document as in an API reference; their summaries and descriptions can be edited. */
export function Operations({ specification }: { readonly specification: DataOf<'getSpecification'> }) {
  const params = { specificationId: specification.id };
  const read = useRead('listSpecificationOperations', { params, query: { pageSize: 100 } });
  const text = useDocumentText(specification.id, 'json');
  const details = useMemo(() => operationDetails(text.data), [text.data]);
  const [opened, open] = useOpened('operation');
  // Links from findings name an operation by its method and path.
  const edited = read.data?.operations.find((each) => each.operationId === opened || nameOf(each) === opened);
  return (
    <Loaded read={read}>
      {({ operations, total }) => (
        <>
          <Accordion variant="contained" chevronPosition="left" multiple>
            {operations.map((operation) => (
              <OperationItem
                key={operation.operationId}
                operation={operation}
                parts={details.get(nameOf(operation)) ?? []}
                onEdit={() => open(operation.operationId)}
              />
            ))}
          </Accordion>
          {total > operations.length && (
            <Text size="sm" c="dimmed">
              The first {operations.length} of {total} operations.
            </Text>
          )}
          {edited && (
            <FormDialog title={nameOf(edited)} opened onClose={() => open(null)} large>
              <EditOperation specification={specification} operation={edited} onClose={() => open(null)} />
            </FormDialog>
          )}
        </>
      )}
    </Loaded>
  );
}

function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

function OperationItem(props: {
  readonly operation: Operation;
  readonly parts: readonly OperationPart[];
  readonly onEdit: () => void;
}) {
  const { operation, parts, onEdit } = props;
  const { operationId, method, path, summary, description } = operation;
  return (
    <Accordion.Item value={operationId}>
      <Accordion.Control>
        <Group gap="sm">
          <span className={classes.methodColumn}>
            <MethodBadge method={method} />
          </span>
          <PathText path={path} />
          <Text size="sm" c={summary ? undefined : 'var(--mantine-color-error)'}>
            {summary || 'No summary'}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm" align="start">
          {description !== '' && (
            <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
              {description}
            </Text>
          )}
          {parts.map(({ title, items }) => (
            <section key={title}>
              <Text size="sm" fw={500}>
                {title}
              </Text>
              <ul className={classes.parts}>
                {items.map(({ name, text }) => (
                  <li key={`${name} ${text}`}>
                    <Code>{name}</Code> {text}
                  </li>
                ))}
              </ul>
            </section>
          ))}
          <PermittedButton
            size="xs"
            variant="default"
            permission="specification.write"
            onClick={onEdit}
            aria-label={`Edit ${nameOf(operation)}`}
          >
            Edit
          </PermittedButton>
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function EditOperation(props: {
  readonly specification: DataOf<'getSpecification'>;
  readonly operation: Operation;
  readonly onClose: () => void;
}) {
  const { specification, operation, onClose } = props;
  const update = useWrite('updateSpecificationOperation');
  // The version of the values in the form: a change by somebody else in the meantime is refused, not overwritten.
  const [version] = useState(specification.version);
  return (
    <SchemaForm
      schema={bodyOf('updateSpecificationOperation')}
      initial={operation}
      omit={['examples']}
      fields={{ summary: { help: 'What the call does, in a few words' } }}
      submitLabel="Save"
      onCancel={onClose}
      send={async (body) => {
        const params = { specificationId: specification.id, operationId: operation.operationId };
        await update.mutateAsync({ params, body, version });
        showDone('Operation saved. It is kept when the specification is generated again.');
        onClose();
      }}
    />
  );
}
