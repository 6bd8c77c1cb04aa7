import { showDone } from '@millrace/ui/form';
import { SchemaForm } from '@millrace/ui/schema-form';
import { type AnswerOf, bodyOf, useWrite } from '../../frame/api.ts';
import type { Webhook } from './webhook-mark.tsx';

/** Adds or edits an endpoint. */
export function WebhookForm(props: {
  /** Absent to add one. */
  readonly webhook?: Webhook;
  readonly eventKinds: AnswerOf<'listWebhooks'>['eventKinds'];
  readonly onClose: () => void;
  readonly onCreated?: (answer: AnswerOf<'createWebhook'>) => void;
}) {
  const { webhook, eventKinds, onClose, onCreated } = props;
  const create = useWrite('createWebhook');
  const update = useWrite('updateWebhook');
  return (
    <SchemaForm
      schema={bodyOf('createWebhook')}
      initial={webhook}
      preset={{ events: eventKinds }}
      fields={{
        url: {
          label: 'URL',
          help: 'A public HTTPS URL that returns a 2xx status within 15 seconds',
          placeholder: 'https://',
        },
        events: { help: null, kind: 'checkboxes', options: eventKinds.map((kind) => ({ value: kind, label: kind })) },
      }}
      submitLabel={webhook ? 'Save' : 'Add'}
      onCancel={onClose}
      send={async (body) => {
        if (webhook === undefined) onCreated?.(await create.mutateAsync({ body }));
        else {
          await update.mutateAsync({ params: { id: webhook.id }, body });
          showDone('Endpoint saved.');
        }
        onClose();
      }}
    />
  );
}
