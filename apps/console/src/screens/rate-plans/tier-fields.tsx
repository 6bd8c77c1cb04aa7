import { Button, Group, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@millrace/ui/icons';
import { unitSection } from '@millrace/ui/schema-form';
import classes from './rate-plans.module.css';

export interface TypedTier {
  readonly upTo: string | null;
  readonly unitPrice: string;
  readonly flatFee: string;
}

/** The tiers of a charge, a line each; each begins where the one before ends, and the last is open. */
export function TierFields(props: {
  readonly tiers: readonly TypedTier[];
  readonly currency: string;
  readonly onChange: (tiers: readonly TypedTier[]) => void;
  readonly setAt: (path: string, value: string) => void;
  readonly errorAt: (path: string) => string | undefined;
}) {
  const { tiers, currency, onChange, setAt, errorAt } = props;
  const last = tiers.length - 1;
  const field = (index: number, name: keyof TypedTier, label: string) => ({
    label,
    'aria-label': `${label} of tier ${index + 1}`,
    value: tiers[index]![name] ?? '',
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      setAt(`${index}.${name}`, event.currentTarget.value.trim()),
    error: errorAt(`${index}.${name}`),
    autoComplete: 'off',
    inputMode: 'decimal' as const,
  });
  const remove = (index: number) => {
    const rest = tiers.filter((_tier, place) => place !== index);
    onChange(rest.map((tier, place) => (place === rest.length - 1 ? { ...tier, upTo: null } : tier)));
  };
  const add = () => onChange([...tiers.slice(0, -1), { ...tiers[last]!, upTo: '' }, tiers[last]!]);
  return (
    <fieldset className={classes.tiers} aria-label="Tiers">
      <div className={classes.tierHead} aria-hidden>
        <span>Above</span>
        <span>Up to</span>
        <span>Price per unit</span>
        <span>Flat fee</span>
      </div>
      {tiers.map((_tier, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its place is what identifies a tier, also in errors.
        <div key={index} className={classes.tier}>
          <Text className={classes.from!} aria-hidden>
            {index === 0 ? '0' : tiers[index - 1]!.upTo || '…'}
          </Text>
          {index === last ? (
            <TextInput
              label="Up to"
              aria-label={`Up to of tier ${index + 1}`}
              value="∞"
              disabled
              error={errorAt(`${index}.upTo`)}
            />
          ) : (
            <TextInput {...field(index, 'upTo', 'Up to')} />
          )}
          <TextInput {...unitSection(currency)} {...field(index, 'unitPrice', 'Price per unit')} />
          <TextInput {...unitSection(currency)} {...field(index, 'flatFee', 'Flat fee')} />
          <Button
            variant="subtle"
            color="gray"
            px={8}
            aria-label={`Remove tier ${index + 1}`}
            disabled={tiers.length === 1}
            onClick={() => remove(index)}
          >
            <IconTrash size={16} aria-hidden />
          </Button>
        </div>
      ))}
      <Group>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={add}
          disabled={tiers.length >= 100}
        >
          Add tier
        </Button>
      </Group>
    </fieldset>
  );
}
