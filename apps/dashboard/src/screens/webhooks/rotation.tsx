import { NumberInput, Text } from '@mantine/core';
import { useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { ShownOnce } from '@millrace/ui/shown-once';
import { Moment } from '@millrace/ui/values';
import { useState } from 'react';
import { AdministratorButton } from '../../frame/administrator-button.tsx';
import { type AnswerOf, useWrite } from '../../frame/api.ts';

/** Rotates a signing secret. For a while every delivery is signed with both, so that receivers can switch over. */
export function RotateSecret({ id }: { readonly id: string }) {
  const [opened, setOpened] = useState(false);
  const [rotated, setRotated] = useState<AnswerOf<'rotateWebhookSecret'> | null>(null);
  const close = () => setOpened(false);
  return (
    <>
      <AdministratorButton variant="default" onClick={() => setOpened(true)}>
        Rotate secret
      </AdministratorButton>
      <FormDialog title="Rotate signing secret" opened={opened} onClose={close}>
        <RotationForm
          id={id}
          onClose={close}
          onRotated={(answer) => {
            close();
            setRotated(answer);
          }}
        />
      </FormDialog>
      {rotated && (
        <ShownOnce
          title="New signing secret"
          explanation="Add it to your receiver next to the old one. It won’t be shown again."
          secret={rotated.secret}
          onClose={() => setRotated(null)}
        >
          <Text size="sm">
            Deliveries are signed with both until <Moment at={rotated.previousExpiresAt} />.
          </Text>
        </ShownOnce>
      )}
    </>
  );
}

function RotationForm(props: {
  readonly id: string;
  readonly onClose: () => void;
  readonly onRotated: (answer: AnswerOf<'rotateWebhookSecret'>) => void;
}) {
  const { id, onClose, onRotated } = props;
  const rotate = useWrite('rotateWebhookSecret');
  const form = useForm({ overlapHours: 24 as number | '' }, async ({ overlapHours }) =>
    onRotated(await rotate.mutateAsync({ params: { id }, body: { overlapHours: Number(overlapHours) } })),
  );
  return (
    <FormBody form={form} submitLabel="Rotate" onCancel={onClose} disabled={form.values.overlapHours === ''}>
      <Text size="sm">
        During the overlap every delivery carries two signatures, one per secret, so that your receiver can accept
        either.
      </Text>
      <NumberInput
        label="Overlap in hours"
        description="0 to 168. With 0, the old secret stops working immediately."
        min={0}
        max={168}
        allowDecimal={false}
        clampBehavior="none"
        data-autofocus
        value={form.values.overlapHours}
        onChange={(hours) => form.set('overlapHours', hours === '' ? '' : Number(hours))}
        error={form.errorAt('overlapHours')}
      />
    </FormBody>
  );
}
