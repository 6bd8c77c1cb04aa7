import { Radio, Stack } from '@mantine/core';
import type { DataOf } from '../../frame/api.ts';

/** What a canary and the stable deployment share. */
export type Split = DataOf<'getDeployment'>['split'];

/** Whether the weights are shares of the requests or of the callers. */
export function SplitField(props: {
  readonly value: Split;
  readonly onChange: (split: Split) => void;
  readonly error: string | undefined;
}) {
  const { value, onChange, error } = props;
  return (
    <Radio.Group label="Split by" value={value} onChange={(split) => onChange(split as Split)} error={error}>
      <Stack gap={6} mt={6}>
        <Radio value="requests" label="Requests" description="Every caller reaches both revisions" />
        <Radio
          value="callers"
          label="Callers"
          description="Each caller stays with one revision, by its key; few callers can deviate a lot from the weights"
        />
      </Stack>
    </Radio.Group>
  );
}
