import { Button, Checkbox, Fieldset, Group, MultiSelect, Select, Stack, Text, TextInput } from '@mantine/core';
import { type Meter, modelsOfType, type PlanType } from '@millrace/pricing';
import { IconPlus, IconTrash } from '@millrace/ui/icons';
import { type RenderedField, unitSection } from '@millrace/ui/schema-form';
import type * as z from 'zod';
import { useRead } from '../../frame/api.ts';
import classes from './rate-plans.module.css';
import { meterNames } from './texts.ts';
import { TierFields, type TypedTier } from './tier-fields.tsx';

type Model = (typeof modelsOfType)[z.infer<typeof PlanType>][number];

/** A charge as it is typed: fields of every model may be there, so that none is lost by trying another. */
export interface TypedCharge {
  readonly name: string;
  readonly meter: z.infer<typeof Meter>;
  readonly statusClasses: readonly number[];
  readonly proxyIds: readonly string[] | null;
  readonly allowance: string;
  readonly model: Model;
  readonly unitPrice?: string;
  readonly package?: { readonly size: string; readonly price: string };
  readonly tiers?: readonly TypedTier[];
}

const modelNames: Readonly<Record<Model, string>> = {
  per_unit: 'Price per unit',
  package: 'Price per package',
  graduated: 'Graduated tiers',
  volume: 'Volume tiers',
};

const modelHelp: Readonly<Record<Model, string>> = {
  per_unit: 'Every unit beyond the allowance has the same price',
  package: 'Every package begun has the same price',
  graduated: 'The units of each tier have that tier’s price',
  volume: 'All units have the price of the tier that the total reaches',
};

const firstTiers: readonly TypedTier[] = [
  { upTo: '1000', unitPrice: '', flatFee: '0' },
  { upTo: null, unitPrice: '', flatFee: '0' },
];

/** What a new plan of a type charges at first. */
export function firstCharge(type: z.infer<typeof PlanType>, name: string): TypedCharge {
  const common = { name, meter: 'requests', statusClasses: [2, 3], proxyIds: null, allowance: '0' } as const;
  return type === 'tiered'
    ? { ...common, model: 'graduated', tiers: firstTiers }
    : { ...common, model: 'per_unit', unitPrice: '' };
}

/** The charge as it is sent: without the fields of other models. */
export function sentCharge({ unitPrice, package: packaged, tiers, ...charge }: TypedCharge, isPrepaid: boolean) {
  return {
    ...charge,
    ...(isPrepaid && { allowance: '0' }),
    ...(charge.model === 'per_unit' && { unitPrice }),
    ...(charge.model === 'package' && { package: packaged }),
    ...((charge.model === 'graduated' || charge.model === 'volume') && { tiers }),
  };
}

/** The charges of a plan: each with its meter, its model and prices. */
export function ChargeFields({ field, productId }: { readonly field: RenderedField; readonly productId: string }) {
  const charges = field.value as readonly TypedCharge[];
  const type = field.values.type as z.infer<typeof PlanType>;
  return (
    <Stack gap="sm" role="group" aria-label={field.label}>
      {charges.map((charge, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its place is what identifies a charge, also in errors.
        <Fieldset key={index} legend={`Charge ${index + 1}`}>
          <ChargeBody
            charge={charge}
            type={type}
            currency={String(field.values.currency)}
            productId={productId}
            setAt={(path, value) => field.setAt(`${index}.${path}`, value)}
            errorAt={(path) => field.errorAt(`${index}.${path}`)}
          />
          <Group justify="end" mt="xs">
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              leftSection={<IconTrash size={14} aria-hidden />}
              onClick={() => field.onChange(charges.filter((_charge, place) => place !== index))}
            >
              Remove charge {index + 1}
            </Button>
          </Group>
        </Fieldset>
      ))}
      {charges.length === 0 && field.error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {field.error}
        </Text>
      )}
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => field.onChange([...charges, firstCharge(type, freeName(charges))])}
          disabled={charges.length >= 50}
        >
          Add charge
        </Button>
      </Group>
    </Stack>
  );
}

function freeName(charges: readonly TypedCharge[]): string {
  const names = new Set(charges.map(({ name }) => name));
  let number = charges.length + 1;
  while (names.has(`charge-${number}`)) number += 1;
  return charges.length === 0 ? 'requests' : `charge-${number}`;
}

function ChargeBody(props: {
  readonly charge: TypedCharge;
  readonly type: z.infer<typeof PlanType>;
  readonly currency: string;
  readonly productId: string;
  readonly setAt: (path: string, value: unknown) => void;
  readonly errorAt: (path: string) => string | undefined;
}) {
  const { charge, type, currency, productId, setAt, errorAt } = props;
  const { model } = charge;
  const models: readonly Model[] = modelsOfType[type];
  const shown = models.includes(model) ? models : [...models, model];
  const text = (path: string, value: string | undefined) => ({
    value: value ?? '',
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      setAt(path, event.currentTarget.value.trim()),
    error: errorAt(path),
    autoComplete: 'off',
    required: true,
  });
  const chooseModel = (next: Model) => {
    if (next === 'package' && !charge.package) setAt('package', { size: '100', price: '' });
    if ((next === 'graduated' || next === 'volume') && !charge.tiers) setAt('tiers', firstTiers);
    if (next === 'per_unit' && charge.unitPrice === undefined) setAt('unitPrice', '');
    setAt('model', next);
  };
  return (
    <Stack gap="sm">
      <div className={classes.line}>
        <TextInput label="Name" {...text('name', charge.name)} />
        <Select
          label="Meter"
          data={Object.entries(meterNames).map(([value, label]) => ({ value, label }))}
          value={charge.meter}
          onChange={(meter) => setAt('meter', meter)}
          error={errorAt('meter')}
          allowDeselect={false}
        />
        <Select
          label="Model"
          data={shown.map((value) => ({ value, label: modelNames[value] }))}
          value={model}
          onChange={(next) => chooseModel(next as Model)}
          error={errorAt('model')}
          allowDeselect={false}
        />
      </div>
      <Text size="xs" c="dimmed">
        {modelHelp[model]}
      </Text>
      <div className={classes.line}>
        {type !== 'prepaid' && <TextInput label="Included per period" {...text('allowance', charge.allowance)} />}
        {model === 'per_unit' && (
          <TextInput label="Price per unit" {...unitSection(currency)} {...text('unitPrice', charge.unitPrice)} />
        )}
        {model === 'package' && (
          <>
            <TextInput label="Units per package" {...text('package.size', charge.package?.size)} />
            <TextInput
              label="Price per package"
              {...unitSection(currency)}
              {...text('package.price', charge.package?.price)}
            />
          </>
        )}
      </div>
      {(model === 'graduated' || model === 'volume') && (
        <TierFields
          tiers={charge.tiers ?? []}
          currency={currency}
          onChange={(tiers) => setAt('tiers', tiers)}
          setAt={(path, value) => setAt(`tiers.${path}`, value)}
          errorAt={(path) => errorAt(`tiers.${path}`)}
        />
      )}
      <Checkbox.Group
        label="Billed responses"
        description="Requests that the gateway rejects are never billed"
        value={charge.statusClasses.map(String)}
        onChange={(classes) => setAt('statusClasses', classes.map(Number).sort())}
        error={errorAt('statusClasses')}
      >
        <Group gap="md" mt={6}>
          {[2, 3, 4, 5].map((statusClass) => (
            <Checkbox key={statusClass} value={String(statusClass)} label={`${statusClass}xx`} />
          ))}
        </Group>
      </Checkbox.Group>
      <ProxyChoice
        productId={productId}
        chosen={charge.proxyIds}
        onChange={(ids) => setAt('proxyIds', ids)}
        error={errorAt('proxyIds')}
      />
    </Stack>
  );
}

/** The product's API proxies whose usage is billed; none chosen for all of them. */
function ProxyChoice(props: {
  readonly productId: string;
  readonly chosen: readonly string[] | null;
  readonly onChange: (proxyIds: readonly string[] | null) => void;
  readonly error: string | undefined;
}) {
  const { productId, chosen, onChange, error } = props;
  const product = useRead('getProduct', { params: { productId } }, { enabled: productId !== '' });
  const proxies = product.data?.proxies ?? [];
  if (proxies.length < 2 && chosen === null) return null;
  return (
    <MultiSelect
      label="API proxies"
      placeholder={chosen === null ? 'All of the API product' : ''}
      data={proxies.map(({ proxyId, proxyDisplayName }) => ({ value: proxyId, label: proxyDisplayName }))}
      value={[...(chosen ?? [])]}
      onChange={(ids) => onChange(ids.length === 0 ? null : ids)}
      error={error}
    />
  );
}
