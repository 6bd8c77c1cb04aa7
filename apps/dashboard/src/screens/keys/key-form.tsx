import { NumberInput, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { type AnswerOf, useWrite } from '../../frame/api.ts';

/** What can be said of an API key: its name, and how many calls a minute it may make. */
export function KeyForm(props: {
  /** Without it, a new one is created. */
  readonly apiKey?: AnswerOf<'listKeys'>['items'][number];
  /** Calls a minute of a key without a limit of its own. */
  readonly usualLimit: number | undefined;
  readonly onClose: () => void;
  readonly onCreated?: (answer: AnswerOf<'createKey'>) => void;
}) {
  const { apiKey, usualLimit, onClose, onCreated } = props;
  const create = useWrite('createKey');
  const update = useWrite('updateKey');
  const { name, rateLimitPerMinute } = apiKey ?? { name: '', rateLimitPerMinute: null };
  const form = useForm({ name, rateLimitPerMinute }, async (body) => {
    if (apiKey === undefined) onCreated?.(await create.mutateAsync({ body }));
    else {
      await update.mutateAsync({ params: { id: apiKey.id }, body });
      showDone(`${body.name} is changed.`);
      onClose();
    }
  });
  return (
    <FormBody form={form} submitLabel={apiKey === undefined ? 'Create' : 'Save'} onCancel={onClose}>
      <TextInput
        label="Name"
        description="What the key is for, such as the program that uses it"
        required
        data-autofocus
        {...form.text('name')}
      />
      <NumberInput
        label="Calls a minute"
        description={`Empty: the usual limit${usualLimit === undefined ? '' : ` of ${usualLimit}`}`}
        min={1}
        allowDecimal={false}
        clampBehavior="none"
        value={form.values.rateLimitPerMinute ?? ''}
        onChange={(limit) => form.set('rateLimitPerMinute', limit === '' ? null : Number(limit))}
        error={form.errorAt('rateLimitPerMinute')}
      />
    </FormBody>
  );
}
