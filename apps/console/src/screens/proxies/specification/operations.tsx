import { Accordion, Code, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { Loaded } from '@millrace/ui/page';
import { useMemo, useState } from 'react';
import { type DataOf, useRead, useWrite } from '../../../frame/api.ts';
import { PermittedButton } from '../../../frame/can.tsx';
import { useOpened } from '../opened.ts';
import { MethodBadge, PathText } from '../route-text.tsx';
import { operationDetails } from './document-reading.ts';
import { useDocumentText } from './document-text.tsx';
import classes from './specification.module.css';

type Operation = DataOf<'listSpecificationOperations'>['operations'][number];

/** The operations of the document, as a reader of the reference sees them; their words can be edited here. */
export function Operations({ specification }: { readonly specification: DataOf<'getSpecification'> }) {
  const params = { specificationId: specification.id };
  const read = useRead('listSpecificationOperations', { params, query: { pageSize: 100 } });
  const text = useDocumentText(specification.id, 'json');
  const details = useMemo(() => operationDetails(text.data), [text.data]);
  const [opened, open] = useOpened('operation');
  return (
    <Loaded read={read}>
      {({ operations, total }) => (
        <>
          <Accordion variant="separated" chevronPosition="left" multiple>
            {operations.map((operation) => (
              <Accordion.Item key={operation.operationId} value={operation.operationId}>
                <Accordion.Control>
                  <Group gap="sm">
                    <MethodBadge method={operation.method} />
                    <PathText path={operation.path} />
                    <Text size="sm" {...(operation.summary ? {} : { c: 'var(--mantine-color-error)' })}>
                      {operation.summary || 'No summary'}
                    </Text>
                  </Group>
                </Accordion.Control>
                <Accordion.Panel>
                  <Stack gap="sm">
                    {operation.description !== '' && (
                      <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
                        {operation.description}
                      </Text>
                    )}
                    <Details parts={details.get(`${operation.method} ${operation.path}`) ?? []} />
                    <PermittedButton
                      size="xs"
                      variant="default"
                      permission="specification.write"
                      onClick={() => open(operation.operationId)}
                      style={{ alignSelf: 'start' }}
                      aria-label={`Edit summary and description of ${operation.method} ${operation.path}`}
                    >
                      Edit summary and description
                    </PermittedButton>
                  </Stack>
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
          {total > operations.length && (
            <Text size="sm" c="dimmed">
              The first {operations.length} of {total} operations.
            </Text>
          )}
          {opened !== null && (
            <EditOperation
              specification={specification}
              operation={operations.find(
                ({ operationId, method, path }) => operationId === opened || `${method} ${path}` === opened,
              )}
              onClose={() => open(null)}
            />
          )}
        </>
      )}
    </Loaded>
  );
}

function Details(props: {
  readonly parts: ReturnType<typeof operationDetails> extends Map<string, infer Parts> ? Parts : never;
}) {
  return props.parts.map(({ title, items }) => (
    <section key={title}>
      <Text size="sm" fw={600}>
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
  ));
}

function EditOperation(props: {
  readonly specification: DataOf<'getSpecification'>;
  readonly operation: Operation | undefined;
  readonly onClose: () => void;
}) {
  const { operation, onClose } = props;
  if (operation === undefined) return null;
  return (
    <FormDialog title={`${operation.method} ${operation.path}`} opened onClose={onClose} large>
      <OperationForm specification={props.specification} operation={operation} onClose={onClose} />
    </FormDialog>
  );
}

function OperationForm(props: {
  readonly specification: DataOf<'getSpecification'>;
  readonly operation: Operation;
  readonly onClose: () => void;
}) {
  const { specification, operation, onClose } = props;
  const update = useWrite('updateSpecificationOperation');
  // That of the values which are edited: a change by somebody else in the meantime is refused, not written over.
  const [version] = useState(specification.version);
  const form = useForm({ summary: operation.summary, description: operation.description }, async (body) => {
    const params = { specificationId: specification.id, operationId: operation.operationId };
    await update.mutateAsync({ params, body, version });
    showDone('Saved. It stays when the specification is generated again.');
    onClose();
  });
  return (
    <FormBody form={form} submitLabel="Save" onCancel={onClose}>
      <TextInput
        label="Summary"
        description="What the call does, in a few words."
        {...form.text('summary')}
        data-autofocus
      />
      <Textarea label="Description" autosize minRows={4} maxRows={16} {...form.text('description')} />
    </FormBody>
  );
}
