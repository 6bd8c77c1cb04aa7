import { NumberInput, Stack, Text, Title } from '@mantine/core';
import type { PlanTerms } from '@millrace/pricing';
import { useState } from 'react';
import { PriceCurve, priceOfPeriod } from './price-curve.tsx';
import { PriceLines } from './price-lines.tsx';
import classes from './rate-plans.module.css';
import { exampleQuantity } from './texts.ts';

/** What a plan that is being edited costs, computed as it is typed. */
export function PricePreview(props: {
  /** Null until they were complete once. */
  readonly terms: PlanTerms | null;
  /** Whether what is typed is complete, and these are it. */
  readonly isCurrent: boolean;
}) {
  const { terms, isCurrent } = props;
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const charges = terms?.charges ?? [];
  const usage = Object.fromEntries(
    charges.map((charge) => [charge.name, typed[charge.name] ?? String(exampleQuantity(charge))]),
  );
  const priced = terms && priceOfPeriod(terms, usage);
  return (
    <section className={classes.panel} aria-label="Price preview">
      <Title order={2} size="h4" mb="xs">
        Price preview
      </Title>
      {!isCurrent && (
        <Text size="xs" c="dimmed" mb="xs">
          {terms === null ? 'Shown once every price is filled in.' : 'Updates once the terms are complete.'}
        </Text>
      )}
      {terms && (
        <Stack>
          <PriceCurve terms={terms} usage={usage} />
          <UsageFields
            terms={terms}
            usage={usage}
            onChange={(name, quantity) => setTyped({ ...typed, [name]: quantity })}
          />
          {priced ? <PriceLines priced={priced} /> : <Text size="sm">The amount is too large to be exact.</Text>}
        </Stack>
      )}
    </section>
  );
}

/** A quantity for each charge. */
export function UsageFields(props: {
  readonly terms: Pick<PlanTerms, 'charges'>;
  readonly usage: Readonly<Record<string, string>>;
  readonly onChange: (name: string, quantity: string) => void;
}) {
  const { terms, usage, onChange } = props;
  return (
    <div className={classes.line}>
      {terms.charges.map(({ name }) => (
        <NumberInput
          key={name}
          label={`Usage of ${name}`}
          min={0}
          max={1e15}
          thousandSeparator
          hideControls
          value={usage[name] ?? '0'}
          onChange={(quantity) => onChange(name, String(quantity === '' ? 0 : quantity))}
        />
      ))}
    </div>
  );
}
