import { Checkbox, Code, Group, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { type AnswerOf, useWrite } from '../../frame/api.ts';
import type { Webhook } from './webhook-marks.tsx';

/** The address of an endpoint, and its events. */
export function WebhookForm(props: {
  /** Absent to add a new one. */
  readonly webhook?: Webhook;
  readonly eventKinds: AnswerOf<'listWebhooks'>['eventKinds'];
  readonly onClose: () => void;
  readonly onCreated?: (answer: AnswerOf<'createWebhook'>) => void;
}) {
  const { webhook, eventKinds, onClose, onCreated } = props;
  const create = useWrite('createWebhook');
  const update = useWrite('updateWebhook');
  const { url, events } = webhook ?? { url: '', events: eventKinds };
  const form = useForm({ url, events }, async (body) => {
    if (webhook === undefined) onCreated?.(await create.mutateAsync({ body }));
    else {
      await update.mutateAsync({ params: { id: webhook.id }, body });
      showDone('Endpoint saved.');
      onClose();
    }
  });
  return (
    <FormBody form={form} submitLabel={webhook === undefined ? 'Add' : 'Save'} onCancel={onClose}>
      <TextInput
        label="Address"
        description="A public HTTPS address that answers with a status of 2xx within 15 seconds"
        type="url"
        placeholder="https://"
        required
        spellCheck={false}
        data-autofocus
        {...form.text('url')}
      />
      <Checkbox.Group
        label="Events"
        value={form.values.events}
        onChange={(chosen) =>
          form.set(
            'events',
            eventKinds.filter((kind) => chosen.includes(kind)),
          )
        }
        error={form.errorAt('events')}
      >
        <Group mt="xs">
          {eventKinds.map((kind) => (
            <Checkbox key={kind} value={kind} label={<Code>{kind}</Code>} />
          ))}
        </Group>
      </Checkbox.Group>
    </FormBody>
  );
}
