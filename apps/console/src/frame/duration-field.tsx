import { Group, Input, NumberInput, Select } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';

const lengths = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const;
type Unit = keyof typeof lengths;
const units = Object.keys(lengths) as Unit[];

/** A duration: a number, and its unit beside it. */
export function DurationField(props: {
  readonly label: string;
  readonly description?: ReactNode;
  /** In seconds; empty while nothing is typed. */
  readonly value: number | '';
  readonly onChange: (seconds: number | '') => void;
  readonly error: string | undefined;
  /** The smallest that can be chosen; seconds if it is left out. */
  readonly smallest?: Unit;
}) {
  const { label, description, value, onChange, error, smallest = 'seconds' } = props;
  const offered = units.slice(units.indexOf(smallest));
  const [unit, setUnit] = useState<Unit>(() => unitOf(value, smallest));
  const id = useId();
  return (
    <Input.Wrapper label={label} labelProps={{ htmlFor: id }} description={description} error={error}>
      <Group gap={6} wrap="nowrap" mt={description === undefined ? 0 : 5}>
        <NumberInput
          id={id}
          value={value === '' ? '' : value / lengths[unit]}
          onChange={(typed) => onChange(typed === '' ? '' : Math.round(Number(typed) * lengths[unit]))}
          error={error !== undefined}
          min={0}
          clampBehavior="none"
          hideControls
          w={90}
        />
        <Select
          aria-label={`Unit of ${label.charAt(0).toLowerCase()}${label.slice(1)}`}
          data={offered}
          value={unit}
          onChange={(chosen) => {
            const next = (chosen ?? unit) as Unit;
            setUnit(next);
            if (value !== '') onChange(Math.round((value / lengths[unit]) * lengths[next]));
          }}
          allowDeselect={false}
          w={110}
        />
      </Group>
    </Input.Wrapper>
  );
}

/** The largest unit that gives a whole number. */
function unitOf(seconds: number | '', smallest: Unit): Unit {
  if (seconds === '' || seconds === 0) return smallest;
  return units.findLast((unit) => seconds % lengths[unit] === 0 && lengths[unit] >= lengths[smallest]) ?? smallest;
}
