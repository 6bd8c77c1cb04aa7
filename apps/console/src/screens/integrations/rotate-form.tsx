import { PasswordInput, Text, Textarea } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { useWrite } from '../../frame/api.ts';
import { DurationField } from '../../frame/duration-field.tsx';
import { type Integration, kinds } from './kinds.tsx';

/** Replaces the secret: a webhook gets a new one, of other kinds it is given. */
export function RotateForm(props: {
  readonly integration: Integration;
  readonly onCancel: () => void;
  /** With the new secret of a webhook; null for other kinds. */
  readonly onRotated: (secret: string | null) => void;
}) {
  const { integration, onCancel, onRotated } = props;
  const { id, kind, version } = integration;
  const rotate = useWrite('rotateIntegration');
  const isWebhook = kind === 'webhook';
  const form = useForm<{ readonly secret: string; readonly graceSeconds: number | '' }>(
    { secret: '', graceSeconds: 86_400 },
    async ({ secret, graceSeconds }) => {
      const body = isWebhook ? (graceSeconds === '' ? {} : { graceSeconds }) : { secret };
      const rotated = await rotate.mutateAsync({ params: { integrationId: id }, body, version });
      showDone('Secret replaced.');
      onRotated(rotated.secret);
    },
  );
  const label = kinds[kind].secret ?? 'Secret';
  return (
    <FormBody form={form} submitLabel="Rotate" onCancel={onCancel}>
      {isWebhook ? (
        <>
          <Text size="sm">A new signing secret is generated and shown once.</Text>
          <DurationField
            label="Grace period"
            description="How long requests are also signed with the previous secret; 0 for not at all, 7 days at most"
            value={form.values.graceSeconds}
            onChange={(seconds) => form.set('graceSeconds', seconds)}
            error={form.errorAt('graceSeconds')}
          />
        </>
      ) : kind === 'siem' ? (
        <Textarea label={label} required autosize minRows={4} spellCheck={false} {...form.text('secret')} />
      ) : (
        <PasswordInput label={label} required autoComplete="new-password" {...form.text('secret')} />
      )}
    </FormBody>
  );
}
