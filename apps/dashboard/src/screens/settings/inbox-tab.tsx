import { Alert, Checkbox, Code, Group, Select, SimpleGrid, Stack, Switch, Text, Textarea } from '@mantine/core';
import { docTypes } from '@millrace/document-model';
import { Confirm } from '@millrace/ui/confirm';
import { CopyButton } from '@millrace/ui/copy-button';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded, Section } from '@millrace/ui/page';
import { Fact } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useState } from 'react';
import { AdministratorButton } from '../../frame/administrator-button.tsx';
import { type AnswerOf, useRead, useWrite } from '../../frame/api.ts';
import { AdministratorFields } from './administrator-fields.tsx';
import { InboxMessages } from './inbox-messages.tsx';

type Inbox = AnswerOf<'getInbox'>;

/** The address that takes documents by e-mail, who may send there, and what came in. */
export function InboxTab() {
  const inbox = useRead('getInbox');
  const numbers = useNumbers();
  return (
    <Loaded read={inbox}>
      {(data) => (
        <Stack gap="xl">
          {!data.isRunning && (
            <Alert color="yellow" title="No mail is taken">
              The operator of the service has not switched on its inbox. What you set here holds once it is.
            </Alert>
          )}
          <Address inbox={data} />
          <Section title="What is taken">
            <Stack maw={640}>
              <AdministratorFields>
                <InboxForm inbox={data} />
              </AdministratorFields>
            </Stack>
          </Section>
          <Section title="Limits of the service">
            <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
              <Fact label="Largest message">{numbers.bytes(data.limits.messageSizeBytes)}</Fact>
              <Fact label="Largest file">{numbers.bytes(data.limits.fileSizeBytes)}</Fact>
              <Fact label="Files of a message">{numbers.count(data.limits.filesPerMessage)}</Fact>
              <Fact label="Messages an hour">{numbers.count(data.limits.messagesPerHour)}</Fact>
            </SimpleGrid>
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
  const [asked, setAsked] = useState(false);
  const rotate = useWrite('rotateInboxAddress');
  return (
    <Section title="Address">
      <Stack gap="sm">
        <Text size="sm" maw={640}>
          Every PDF, PNG and JPG that is mailed to this address becomes a document, those in forwarded messages
          included.
        </Text>
        <Group>
          <Code style={{ overflowWrap: 'anywhere' }}>{inbox.address}</Code>
          <CopyButton value={inbox.address} label="Copy the address" />
          <AdministratorButton variant="default" size="xs" onClick={() => setAsked(true)}>
            Replace the address
          </AdministratorButton>
        </Group>
      </Stack>
      {asked && (
        <Confirm
          title="Replace the address?"
          action="Replace"
          done="The inbox has a new address."
          onConfirm={() => rotate.mutateAsync({})}
          onClose={() => setAsked(false)}
        >
          Mail to the present address is refused from then on. Whoever sends has to be told the new one.
        </Confirm>
      )}
    </Section>
  );
}

function InboxForm({ inbox }: { readonly inbox: Inbox }) {
  const update = useWrite('updateInbox');
  const form = useForm(valuesOf(inbox), async ({ allowList, ...rest }) => {
    // As it is kept: addresses in lower case, each once.
    form.reset(valuesOf(await update.mutateAsync({ body: { ...rest, allowList: linesOf(allowList) } })));
    showDone('It holds from the next message on.');
  });
  const { values } = form;
  const wrongLine = linesOf(values.allowList).findIndex((_line, index) => form.errorAt(`allowList.${index}`));
  return (
    <FormBody form={form} submitLabel="Save" disabled={!form.changed}>
      <Switch
        label="Take mail for this account"
        checked={values.isActive}
        onChange={(event) => form.set('isActive', event.currentTarget.checked)}
      />
      <Select
        label="Type of the documents"
        placeholder="Told by their content"
        data={docTypes.map((value) => ({ value, label: wordsOf(value) }))}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Clear the type' }}
        value={values.docType}
        onChange={(chosen) => form.set('docType', docTypes.find((type) => type === chosen) ?? null)}
        error={form.errorAt('docType')}
      />
      <Textarea
        label="Who may send"
        description="One on each line: an e-mail address, or @ and a domain for everybody there. Empty: everybody who knows the address."
        autosize
        minRows={3}
        maxRows={12}
        spellCheck={false}
        placeholder={'anna@supplier.example\n@harbour-books.example'}
        {...form.text('allowList')}
        error={
          wrongLine === -1
            ? form.errorAt('allowList')
            : `“${linesOf(values.allowList)[wrongLine]}”: ${form.errorAt(`allowList.${wrongLine}`)}`
        }
      />
      <Checkbox
        label="Take mail of proven senders alone"
        description={
          inbox.hasTrustedRelay
            ? 'Whose sender the receiving relay found to be no forgery, by SPF or DKIM.'
            : 'The operator of the service has named no relay that checks senders, so none is proven.'
        }
        disabled={!inbox.hasTrustedRelay && !values.requireAuthentication}
        checked={values.requireAuthentication}
        onChange={(event) => form.set('requireAuthentication', event.currentTarget.checked)}
        error={form.errorAt('requireAuthentication')}
      />
    </FormBody>
  );
}

/** What can be set of an inbox, as its form has it. */
function valuesOf({ isActive, docType, requireAuthentication, allowList }: Inbox) {
  return { isActive, docType, requireAuthentication, allowList: allowList.join('\n') };
}

function linesOf(text: string): string[] {
  return text
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
