import { Text } from '@mantine/core';
import { SchemaForm } from '@millrace/ui/schema-form';
import { ShownOnce } from '@millrace/ui/shown-once';
import { Moment } from '@millrace/ui/values';
import { type AnswerOf, bodyOf, useWrite } from '../../frame/api.ts';

export type Rotated = AnswerOf<'rotateWebhookSecret'>;

/** Rotates a signing secret: that of an endpoint, or with `primary` as its id that of every `callback_url`. */
export function RotationForm(props: {
  readonly id: string;
  readonly onClose: () => void;
  readonly onRotated: (answer: Rotated) => void;
}) {
  const { id, onClose, onRotated } = props;
  const rotate = useWrite('rotateWebhookSecret');
  return (
    <SchemaForm
      schema={bodyOf('rotateWebhookSecret')}
      fields={{
        overlapHours: {
          label: 'Overlap in hours',
          help: '0 to 168. With 0, the old secret stops working immediately.',
        },
      }}
      submitLabel="Rotate"
      onCancel={onClose}
      send={async (body) => {
        onRotated(await rotate.mutateAsync({ params: { id }, body }));
        onClose();
      }}
    >
      <Text size="sm">
        During the overlap every delivery carries two signatures, one per secret, so that your receiver can accept
        either.
      </Text>
    </SchemaForm>
  );
}

/** The new secret, shown once. */
export function NewSecret({ rotated, onClose }: { readonly rotated: Rotated; readonly onClose: () => void }) {
  return (
    <ShownOnce
      title="New signing secret"
      explanation="Add it to your receiver next to the old one. It won’t be shown again."
      secret={rotated.secret}
      onClose={onClose}
    >
      <Text size="sm">
        Deliveries are signed with both until <Moment at={rotated.previousExpiresAt} />.
      </Text>
    </ShownOnce>
  );
}
