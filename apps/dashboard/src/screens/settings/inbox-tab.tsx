import { Alert, Code, Group, Stack } from '@mantine/core';
import { CopyButton } from '@millrace/ui/copy-button';
import { showDone } from '@millrace/ui/form';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Section } from '@millrace/ui/page';
import { SchemaForm } from '@millrace/ui/schema-form';
import { Properties } from '@millrace/ui/values';
import { AdministratorActions } from '../../frame/administrator-actions.tsx';
import { type AnswerOf, bodyOf, useRead, useWrite } from '../../frame/api.ts';
import { useDocTypeOptions } from '../../frame/document-words.ts';
import { AdministratorFields } from './administrator-fields.tsx';
import { InboxMessages } from './inbox-messages.tsx';

type Inbox = AnswerOf<'getInbox'>;

/** The e-mail address that accepts documents, its allowed senders, and the messages that arrived. */
export function InboxTab() {
  const inbox = useRead('getInbox');
  const numbers = useNumbers();
  return (
    <Loaded read={inbox}>
      {(data) => (
        <Stack gap="xl">
          {!data.isRunning && (
            <Alert color="yellow" title="The inbox is turned off">
              This service doesn’t accept e-mail. These settings apply once its operator turns the inbox on.
            </Alert>
          )}
          <Address inbox={data} />
          <Section title="Rules">
            <Stack maw={640}>
              <AdministratorFields>
                <InboxForm inbox={data} />
              </AdministratorFields>
            </Stack>
          </Section>
          <Section title="Service limits">
            <Properties
              of={{
                'Message size': numbers.bytes(data.limits.messageSizeBytes),
                'File size': numbers.bytes(data.limits.fileSizeBytes),
                'Files per message': numbers.count(data.limits.filesPerMessage),
                'Messages per hour': numbers.count(data.limits.messagesPerHour),
              }}
            />
          </Section>
          <Section title="Messages">
            <InboxMessages />
          </Section>
        </Stack>
      )}
    </Loaded>
  );
}

function Address({ inbox }: { readonly inbox: Inbox }) {
  const rotate = useWrite('rotateInboxAddress');
  return (
    <Section
      title="Address"
      description="PDF, PNG, JPG and TIFF files sent to this address become documents, including those in forwarded messages."
    >
      <Group>
        <Code style={{ overflowWrap: 'anywhere' }}>{inbox.address}</Code>
        <CopyButton value={inbox.address} label="Copy address" size="sm" />
        <AdministratorActions
          actions={[
            {
              label: 'Replace address',
              run: () => rotate.mutateAsync({}),
              done: 'The inbox has a new address.',
              confirm: {
                title: 'Replace address?',
                text: 'Mail to the current address is rejected immediately. Give the new address to everyone who sends documents.',
              },
            },
          ]}
        />
      </Group>
    </Section>
  );
}

function InboxForm({ inbox }: { readonly inbox: Inbox }) {
  const update = useWrite('updateInbox');
  return (
    <SchemaForm
      schema={bodyOf('updateInbox')}
      initial={inbox}
      fields={{
        isActive: { label: 'Accept mail for this account' },
        docType: {
          label: 'Document type',
          help: null,
          placeholder: 'Detect type automatically',
          options: useDocTypeOptions(),
        },
        allowList: {
          label: 'Allowed senders',
          help: 'One per line: an e-mail address, or @ and a domain. Empty allows everyone who knows the address.',
          kind: 'lines',
          placeholder: 'anna@supplier.example\n@harbour-books.example',
        },
        requireAuthentication: {
          label: 'Only accept authenticated senders',
          help: 'The mail relay must have authenticated the sender with SPF or DKIM',
          locked:
            inbox.hasTrustedRelay || inbox.requireAuthentication
              ? undefined
              : 'This service has no trusted mail relay, so no sender is authenticated',
        },
      }}
      submitLabel="Save"
      send={async (body) => {
        await update.mutateAsync({ body });
        showDone('Saved. Applies from the next message on.');
      }}
    />
  );
}
