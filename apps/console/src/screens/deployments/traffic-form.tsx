import { Group, NumberInput, Text } from '@mantine/core';
import { type DataOf, useWrite } from '../../frame/api.ts';
import { showDone, useForm } from '../../frame/form.ts';
import { FormBody } from '../../frame/form-dialog.tsx';

/** Splits the calls among the revisions of a proxy that serve in one environment: 100 percent together. */
export function TrafficForm(props: {
  readonly deploymentId: string;
  readonly serving: DataOf<'listServingDeployments'>['deployments'];
  readonly onClose: () => void;
}) {
  const { deploymentId, serving, onClose } = props;
  const split = useWrite('setDeploymentTraffic');
  const form = useForm(
    { weights: serving.map(({ id, revision, weight }) => ({ deploymentId: id, revision, weight })) },
    async ({ weights }) => {
      await split.mutateAsync({
        params: { deploymentId },
        body: { weights: weights.map(({ deploymentId: id, weight }) => ({ deploymentId: id, weight })) },
      });
      showDone('The traffic is split.');
      onClose();
    },
  );
  const { weights } = form.values;
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  return (
    <FormBody form={form} submitLabel="Split" onCancel={onClose} disabled={total !== 100}>
      {weights.map(({ deploymentId: id, revision, weight }, index) => (
        <Group key={id}>
          <NumberInput
            label={`Revision ${revision}, in percent`}
            min={0}
            max={100}
            allowDecimal={false}
            value={weight}
            onChange={(next) =>
              form.set(
                'weights',
                weights.map((other, at) => (at === index ? { ...other, weight: Number(next) } : other)),
              )
            }
            error={form.errorAt(`weights.${index}`)}
          />
        </Group>
      ))}
      <Text size="sm" role="status" c={total === 100 ? undefined : 'var(--mantine-color-error)'}>
        {total === 100 ? 'Together 100 percent.' : `Together ${total} percent: it has to be 100.`}
      </Text>
    </FormBody>
  );
}
