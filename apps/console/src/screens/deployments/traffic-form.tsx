import { Button, Group, NumberInput, Slider, Stack, Text } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { type DataOf, useWrite } from '../../frame/api.ts';
import { SplitField } from './split-field.tsx';

/** Splits the calls among a proxy’s live deployments in one environment: 100 percent together. */
export function TrafficForm(props: {
  readonly deploymentId: string;
  readonly live: DataOf<'listServingDeployments'>['deployments'];
  readonly onClose: () => void;
}) {
  const { deploymentId, live, onClose } = props;
  const setTraffic = useWrite('setDeploymentTraffic');
  const form = useForm(
    {
      split: live[0]?.split ?? 'requests',
      weights: live.map(({ id, revision, weight }) => ({ deploymentId: id, revision, weight })),
    },
    async ({ weights, split }) => {
      await setTraffic.mutateAsync({
        params: { deploymentId },
        body: { weights: weights.map(({ deploymentId: id, weight }) => ({ deploymentId: id, weight })), split },
      });
      showDone('Traffic split saved.');
      onClose();
    },
  );
  const { weights } = form.values;
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  const set = (id: string, weight: number) =>
    form.set(
      'weights',
      weights.map((other) => (other.deploymentId === id ? { ...other, weight } : other)),
    );
  return (
    <FormBody form={form} submitLabel="Save" onCancel={onClose} disabled={total !== 100}>
      {weights.map(({ deploymentId: id, revision, weight }, index) => (
        <Share
          key={id}
          revision={revision}
          weight={weight}
          lack={100 - total}
          onChange={(next) => set(id, next)}
          error={form.errorAt(`weights.${index}`)}
        />
      ))}
      <SplitField
        value={form.values.split}
        onChange={(split) => form.set('split', split)}
        error={form.errorAt('split')}
      />
      <Text size="sm" role="status" c={total === 100 ? undefined : 'var(--mantine-color-error)'}>
        {total === 100 ? 'Total: 100 %' : `Total: ${total} %. It has to be 100 %.`}
      </Text>
    </FormBody>
  );
}

function Share(props: {
  readonly revision: number;
  readonly weight: number;
  /** What is missing to 100 percent in all; negative if it is too much. */
  readonly lack: number;
  readonly onChange: (weight: number) => void;
  readonly error: string | undefined;
}) {
  const { revision, weight, lack, onChange, error } = props;
  const filled = weight + lack;
  const fills = lack !== 0 && filled >= 0 && filled <= 100;
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Text fw={600} size="sm">
          Revision {revision}
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => onChange(filled)}
          // It keeps its place, so that the sliders don’t move below the pointer.
          style={{ visibility: fills ? 'visible' : 'hidden' }}
        >
          Set to {filled} %
        </Button>
      </Group>
      <Group wrap="nowrap" align="center">
        <Slider
          style={{ flex: 1 }}
          thumbLabel={`Revision ${revision}`}
          thumbValueText={(value) => `${value} %`}
          min={0}
          max={100}
          step={1}
          value={weight}
          onChange={onChange}
          label={(value) => `${value} %`}
        />
        <NumberInput
          aria-label={`Revision ${revision}, in percent`}
          w={90}
          min={0}
          max={100}
          suffix=" %"
          allowDecimal={false}
          value={weight}
          onChange={(next) => onChange(Number(next))}
          error={error}
        />
      </Group>
    </Stack>
  );
}
