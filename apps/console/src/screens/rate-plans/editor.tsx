import { Radio, Text } from '@mantine/core';
import { absentOfType, currencyCodes, PlanTerms, type PlanType } from '@millrace/pricing';
import { showDone } from '@millrace/ui/form';
import { useLocale } from '@millrace/ui/locale';
import { Page } from '@millrace/ui/page';
import { type FieldOptions, type RenderedField, SchemaForm } from '@millrace/ui/schema-form';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { memo, useCallback, useState } from 'react';
import type * as z from 'zod';
import { type ArgumentsOf, bodyOf, type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { creditExpiryField } from '../../frame/credit-expiry.tsx';
import { ProductField } from '../../frame/entity-fields.tsx';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import { ChargeFields, firstCharge, sentCharge, type TypedCharge } from './charge-fields.tsx';
import { PricePreview } from './price-preview.tsx';
import classes from './rate-plans.module.css';
import { termsOf, typeNames } from './texts.ts';

type Body = NonNullable<ArgumentsOf<'createRatePlan'>['body']>;
type Type = z.infer<typeof PlanType>;

/** Drafts a rate plan. */
export function NewRatePlan() {
  const { productId: given } = useSearch({ from: '/shell/rate-plans/new' });
  const productId = typeof given === 'string' ? given : undefined;
  const navigate = useNavigate();
  const create = useWrite('createRatePlan');
  return (
    <Page
      title="Create rate plan"
      description="A draft, which nobody can subscribe to until it is published."
      crumbs={[{ label: 'Rate plans', to: '/rate-plans' }]}
    >
      <Editor
        preset={{
          productId: productId ?? '',
          type: 'pay_as_you_go',
          currency: 'EUR',
          charges: [firstCharge('pay_as_you_go', 'requests')] as Body['charges'],
        }}
        productId={productId}
        submitLabel="Create draft"
        onCancel={() => navigate({ to: '/rate-plans' })}
        send={async (body) => {
          const { id, displayName } = await create.mutateAsync({ body });
          showDone(`${displayName} drafted. Publish it once its price is right.`);
          await navigate({ to: '/rate-plans/$ratePlanId', params: { ratePlanId: id } });
        }}
      />
    </Page>
  );
}

/** Edits a draft, or the next version of a published plan. */
export function EditRatePlan() {
  const { ratePlanId } = useParams({ from: '/shell/rate-plans/$ratePlanId/edit' });
  const read = useRead('getRatePlan', { params: { ratePlanId } });
  const navigate = useNavigate();
  const update = useWrite('updateRatePlan');
  const back = () => navigate({ to: '/rate-plans/$ratePlanId', params: { ratePlanId } });
  return (
    <EntityScreen read={read}>
      {(plan) => (
        <Page
          title={titleOf(plan)}
          description={
            plan.state === 'draft' ? undefined : 'Published versions stay as they are: this edits the next one.'
          }
          crumbs={[
            { label: 'Rate plans', to: '/rate-plans' },
            { label: plan.displayName, to: '/rate-plans/$ratePlanId', params: { ratePlanId } },
          ]}
        >
          <Editor
            key={plan.version}
            plan={plan}
            productId={plan.productId}
            submitLabel="Save draft"
            onCancel={back}
            send={async ({ productId: _product, ...body }) => {
              await update.mutateAsync({ params: { ratePlanId }, body, version: plan.version });
              showDone('Draft saved.');
              await back();
            }}
          />
        </Page>
      )}
    </EntityScreen>
  );
}

function titleOf({ state, displayName, draft, planVersion }: DataOf<'getRatePlan'>): string {
  return state === 'draft'
    ? `Edit ${displayName}`
    : `Version ${draft?.planVersion ?? planVersion + 1} of ${displayName}`;
}

interface PlanFormProps {
  readonly plan?: DataOf<'getRatePlan'>;
  readonly preset?: Partial<Body>;
  /** Of a plan whose product is given. */
  readonly productId: string | undefined;
  readonly submitLabel: string;
  readonly onCancel: () => void;
  readonly send: (body: Body) => Promise<unknown>;
}

/** The form of a plan with its price beside it. */
function Editor(props: PlanFormProps) {
  const [typed, setTyped] = useState<Body | null>(null);
  // Half-typed terms have no price: until they are complete again, the last one stays.
  const [terms, setTerms] = useState<PlanTerms | null>(null);
  const note = useCallback((body: Body) => {
    const sent = sentBody(body);
    setTyped(sent);
    const parsed = PlanTerms.safeParse(termsOf(sent));
    if (parsed.success) setTerms(parsed.data);
  }, []);
  return (
    <div className={classes.columns}>
      <PlanForm {...props} onValues={note} />
      <div className={classes.beside}>
        <PricePreview terms={terms} isCurrent={typed !== null && PlanTerms.safeParse(termsOf(typed)).success} />
      </div>
    </div>
  );
}

/** Not drawn again with the price. */
const PlanForm = memo(function PlanForm(props: PlanFormProps & { readonly onValues: (body: Body) => void }) {
  const { plan, preset, productId, submitLabel, onCancel, onValues, send } = props;
  const { language } = useLocale();
  const published = plan !== undefined && plan.state !== 'draft';
  const currencyNames = new Intl.DisplayNames(language, { type: 'currency' });
  const feeOf = (name: (typeof feeFields)[number], label: string, more: FieldOptions = {}): FieldOptions => ({
    label,
    unit: ({ currency }) => String(currency),
    when: ({ type }) => !(absentOfType[type as Type] as readonly string[]).includes(name),
    ...more,
  });
  return (
    <SchemaForm
      schema={bodyOf('createRatePlan')}
      {...(plan ? { initial: { ...plan, ...plan.draft } } : { preset: preset ?? {} })}
      order={[
        'productId',
        'displayName',
        'name',
        'description',
        'type',
        'currency',
        'recurringFee',
        'feeTiming',
        'setupFee',
        'trialDays',
        'charges',
        'creditExpiry',
        'proration',
        'minimumSpend',
        'maximumSpend',
      ]}
      omit={plan ? ['productId'] : []}
      fields={{
        productId: { label: 'API product', render: (field) => <ProductChoice field={field} /> },
        displayName: { placeholder: 'Standard' },
        name: {
          help: 'Lower-case letters, digits and hyphens, for pipelines and the audit trail',
          nameOf: 'displayName',
          locked: published ? 'A published plan keeps its name' : undefined,
        },
        description: { help: 'Shown with the plan in the portal' },
        type: { heading: 'Price', render: (field) => <TypeChoice field={field} /> },
        currency: {
          help: null,
          widthPx: 320,
          options: currencyCodes.map((code) => ({ value: code, label: `${code} – ${currencyNames.of(code)}` })),
          locked: published ? 'A published plan keeps its currency' : undefined,
        },
        recurringFee: feeOf('recurringFee', 'Recurring fee', { help: 'Per billing period; empty for none' }),
        feeTiming: {
          label: 'Billed',
          help: 'Which invoice the fee is on',
          beside: true,
          options: [
            { value: 'arrears', label: 'After the period' },
            { value: 'advance', label: 'Before the period' },
          ],
          when: ({ type, recurringFee }) =>
            !(absentOfType[type as Type] as readonly string[]).includes('recurringFee') && recurringFee !== '',
        },
        setupFee: feeOf('setupFee', 'Setup fee', { help: 'Once, with the first period; empty for none' }),
        trialDays: {
          label: 'Free trial, in days',
          help: 'From the subscription on; 0 for none',
          beside: true,
          when: ({ type }) => type !== 'prepaid',
        },
        charges: {
          heading: 'Charges for usage',
          render: (field) => (
            <ChargeFields field={field} productId={productId ?? String(field.values.productId ?? '')} />
          ),
        },
        creditExpiry: creditExpiryField,
        minimumSpend: feeOf('minimumSpend', 'Minimum spend', {
          help: 'Fee and usage per period; empty for none',
        }),
        maximumSpend: feeOf('maximumSpend', 'Maximum spend', {
          help: 'Fee and usage per period; empty for none',
          beside: true,
        }),
        proration: {
          heading: 'Proration and limits',
          help: 'Where only a part of a period is billed',
          options: [
            { value: 'second', label: 'By the second' },
            { value: 'day', label: 'By the day begun' },
            { value: 'none', label: 'None: a part costs as much as the whole' },
          ],
          when: ({ type }) => type !== 'prepaid',
        },
      }}
      submitLabel={submitLabel}
      onCancel={onCancel}
      onValues={onValues}
      send={(body) => send(sentBody(body))}
    />
  );
});

const feeFields = ['recurringFee', 'setupFee', 'minimumSpend', 'maximumSpend'] as const;

/** What is sent: without what the type can’t have, though it may have been typed before. */
function sentBody(body: Body): Body {
  const absent: readonly string[] = absentOfType[body.type];
  const fees = Object.fromEntries(feeFields.map((name) => [name, absent.includes(name) ? null : body[name]]));
  const isPrepaid = body.type === 'prepaid';
  const charges = (body.charges as readonly TypedCharge[]).map((charge) => sentCharge(charge, isPrepaid));
  return {
    ...body,
    ...fees,
    ...(isPrepaid ? { trialDays: 0 } : { creditExpiry: null }),
    charges: charges as Body['charges'],
  };
}

function ProductChoice({ field }: { readonly field: RenderedField }) {
  return <ProductField unpublished value={String(field.value)} onChange={field.onChange} error={field.error} />;
}

const typeHelp: Readonly<Record<Type, string>> = {
  pay_as_you_go: 'Only for what is used',
  flat: 'A fee per period, and usage beyond what it includes',
  tiered: 'Prices that depend on how much is used',
  prepaid: 'Usage is deducted from a balance at once',
};

function TypeChoice({ field }: { readonly field: RenderedField }) {
  return (
    <Radio.Group label="Type" value={String(field.value)} onChange={field.onChange} error={field.error}>
      <div className={classes.types}>
        {Object.entries(typeNames).map(([type, label]) => (
          <Radio.Card key={type} value={type} className={classes.type!}>
            <Text size="sm" fw={500}>
              {label}
            </Text>
            <Text size="xs" c="dimmed">
              {typeHelp[type as Type]}
            </Text>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}
