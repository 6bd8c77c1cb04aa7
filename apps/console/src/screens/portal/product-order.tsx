import { Button, Fieldset, Select, Text } from '@mantine/core';
import type { RenderedField } from '@millrace/ui/schema-form';
import classes from './portal.module.css';

/** Puts API products in an order, by buttons. */
export function ProductOrder(props: {
  readonly field: RenderedField;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}) {
  const { field, options } = props;
  const ids = field.value as readonly string[];
  const nameOf = (id: string) => options.find(({ value }) => value === id)?.label ?? id;
  return (
    <Fieldset legend="First in the catalog">
      <Text size="xs" c="dimmed" mb="xs">
        The others follow by name
      </Text>
      <ol className={classes.order}>
        {ids.map((id, index) => (
          <li key={id}>
            <span>{nameOf(id)}</span>
            <Button
              size="compact-xs"
              variant="default"
              disabled={index === 0}
              aria-label={`Move ${nameOf(id)} up`}
              onClick={() => field.onChange(moved(ids, index, index - 1))}
            >
              Up
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              disabled={index === ids.length - 1}
              aria-label={`Move ${nameOf(id)} down`}
              onClick={() => field.onChange(moved(ids, index, index + 1))}
            >
              Down
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Remove ${nameOf(id)} from the order`}
              onClick={() => field.onChange(ids.filter((other) => other !== id))}
            >
              Remove
            </Button>
          </li>
        ))}
      </ol>
      <Select
        mt="xs"
        aria-label="Add an API product to the order"
        placeholder="Add an API product"
        data={options.filter(({ value }) => !ids.includes(value))}
        value={null}
        onChange={(id) => id && field.onChange([...ids, id])}
        error={field.error}
        searchable
      />
    </Fieldset>
  );
}

function moved(ids: readonly string[], from: number, to: number): string[] {
  const next = ids.toSpliced(from, 1);
  next.splice(to, 0, ids[from]!);
  return next;
}
