import { Stack, TagsInput } from '@mantine/core';
import { showDone } from '@millrace/ui/form';
import { InvalidInput } from '@millrace/ui/invalid-input';
import { amountMinorOf, decimalOf } from '@millrace/ui/money';
import { Loaded, Section } from '@millrace/ui/page';
import { type RenderedField, SchemaForm } from '@millrace/ui/schema-form';
import { addressFields } from '../../frame/address-fields.ts';
import { bodyOf, type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import { InvoiceLogo } from './invoice-logo.tsx';
import { Writable } from './writable.tsx';

type Settings = DataOf<'getBillingSettings'>;
type Seller = NonNullable<Settings['seller']>;

const taxCategories: Readonly<Record<Settings['tax']['category'], string>> = {
  S: 'Standard rate of the organization',
  Z: 'Zero rate',
  E: 'Exempt',
  AE: 'Reverse charge',
  G: 'Export outside the EU',
  O: 'Not subject to VAT',
  K: 'Supply within the EU',
};

/** How the organization bills: its periods, who issues invoices, taxes, numbers, reminders and approvals. */
export function BillingSettings() {
  const { organizationId } = useSession();
  const settings = useRead('getBillingSettings');
  const organization = useRead('getOrganizationSettings', { params: { organizationId } });
  return (
    <Loaded read={settings}>
      {(data) => (
        <Loaded read={organization}>
          {({ currency }) => (
            <Writable permission="billing.write">
              <Stack gap="lg" pt="md">
                <SettingsForm key={data.version} settings={data} currency={currency} />
                <Section title="Logo on invoices" description="A PNG file of at most 200 KB">
                  <InvoiceLogo settings={data} />
                </Section>
              </Stack>
            </Writable>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

function SettingsForm({ settings, currency }: { readonly settings: Settings; readonly currency: string }) {
  const update = useWrite('updateBillingSettings');
  const { approvalAboveMinor: above } = settings;
  return (
    <SchemaForm
      schema={bodyOf('updateBillingSettings')}
      initial={{
        ...settings,
        approvalAboveMinor: above === null ? '' : decimalOf({ amountMinor: above, currency }),
      }}
      order={['period', 'timeZone', 'graceHours', 'paymentTermDays', 'reminders', 'autoIssue', 'approvalAboveMinor']}
      fields={{
        period: { heading: 'Billing periods', label: 'Length', help: 'Applies from the next period' },
        timeZone: {
          help: 'Where periods begin at midnight; applies from the next period',
          beside: true,
          suggestions: Intl.supportedValuesOf('timeZone'),
        },
        graceHours: {
          label: 'Grace time, in hours',
          help: 'How long closing waits for usage that gateway nodes report late',
        },
        paymentTermDays: {
          heading: 'Invoices',
          label: 'Payment term, in days',
          help: 'From the date of an invoice until it is due',
        },
        reminders: {
          label: 'Reminders, in days after the due date',
          render: (field) => <ReminderDays field={field} />,
        },
        autoIssue: { label: 'Issue invoices when a period is closed', help: 'Otherwise they stay drafts' },
        approvalAboveMinor: {
          label: 'Approval above',
          kind: 'text',
          unit: () => currency,
          widthPx: 320,
          help: 'Credit notes and top-ups above this amount wait for another person; empty for none',
        },
        tax: {
          label: 'Taxes',
          fields: {
            category: {
              label: 'Category',
              help: 'Of customers without a treatment of their own',
              options: Object.entries(taxCategories).map(([value, label]) => ({ value, label: `${value} – ${label}` })),
            },
            exemptionReason: {
              label: 'Reason for the exemption',
              help: 'Stated on the invoice',
              when: ({ tax }) => (tax as Settings['tax']).category === 'E',
            },
          },
        },
        creditNoteNumbering: {
          label: 'Numbers of credit notes',
          fields: { next: { label: 'Next number', beside: true, widthPx: 160 } },
        },
        seller: {
          label: 'Seller',
          fields: {
            name: { label: 'Company', help: null },
            contactName: { help: null, beside: true },
            email: { help: null },
            phone: { help: null, beside: true },
            registration: { label: 'Company registration', help: null },
            vatId: { label: 'VAT number', beside: true },
            taxNumber: { label: 'National tax number', help: null, beside: true },
            address: { fields: addressFields },
            bank: {
              label: 'Bank account',
              fields: {
                iban: { label: 'IBAN', help: null },
                bic: { label: 'BIC', help: null, beside: true },
                accountName: { label: 'Account holder', help: null },
              },
            },
          },
        },
      }}
      submitLabel="Save"
      send={async ({ approvalAboveMinor, seller, ...body }) => {
        await update.mutateAsync({
          body: {
            ...body,
            seller: sentSeller(seller as Seller),
            approvalAboveMinor: limitOf(approvalAboveMinor, currency),
          },
          version: settings.version,
        });
        showDone('Billing settings saved.');
      }}
    />
  );
}

/** What is typed of the limit, in minor units. */
function limitOf(typed: unknown, currency: string): number | null {
  if (typed === null) return null;
  const amountMinor = amountMinorOf(String(typed), currency);
  if (amountMinor === null) throw new InvalidInput({ approvalAboveMinor: 'Enter an amount such as 500.00.' });
  return amountMinor;
}

/** Nothing where nothing is filled in; the bank account likewise. */
function sentSeller(seller: Seller): Seller | null {
  const bank = isBlank(seller.bank) ? null : seller.bank;
  return isBlank(seller) ? null : { ...seller, bank };
}

function isBlank(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.values(value).every(isBlank);
}

function ReminderDays({ field }: { readonly field: RenderedField }) {
  return (
    <TagsInput
      label={field.label}
      description="Press Enter after each; none for no reminders"
      value={(field.value as readonly number[]).map(String)}
      onChange={(days) => field.onChange(days.map(Number).sort((one, other) => one - other))}
      error={field.error}
      acceptValueOnBlur
    />
  );
}
