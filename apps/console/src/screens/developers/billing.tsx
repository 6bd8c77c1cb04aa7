import { showDone } from '@millrace/ui/form';
import { Loaded } from '@millrace/ui/page';
import { SchemaForm } from '@millrace/ui/schema-form';
import { useParams } from '@tanstack/react-router';
import { addressFields } from '../../frame/address-fields.ts';
import { bodyOf, type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { Writable } from '../settings/writable.tsx';

type Developer = DataOf<'getDeveloper'>;
type Billing = NonNullable<Developer['billing']>;

export const taxTreatments: Readonly<Record<Billing['taxTreatment'], string>> = {
  standard: 'Standard',
  reverse_charge: 'Reverse charge: the customer owes the tax',
  exempt: 'Exempt',
  export: 'Export outside the EU',
  outside: 'Not subject to VAT',
};

/** To whom and how a developer is billed. */
export function DeveloperBilling() {
  const { developerId } = useParams({ from: '/shell/developers/$developerId/billing' });
  const read = useRead('getDeveloper', { params: { developerId } });
  return (
    <Loaded read={read}>
      {(developer) => (
        <Writable permission="developer.write">
          <BillingForm key={developer.version} developer={developer} />
        </Writable>
      )}
    </Loaded>
  );
}

function BillingForm({ developer }: { readonly developer: Developer }) {
  const { id, name, company, email, billing, version } = developer;
  const update = useWrite('updateDeveloper');
  return (
    <SchemaForm
      schema={bodyOf('updateDeveloper').pick({ billing: true })}
      initial={{ billing: billing ?? { name: company || name, language: 'en', taxTreatment: 'standard' } }}
      fields={{
        billing: {
          label: billing === null ? 'Billing profile, needed to issue invoices' : 'Billing profile',
          fields: {
            name: { label: 'Company or person', help: null },
            contactName: { help: null, beside: true },
            address: { fields: addressFields },
            email: { label: 'Email for invoices', help: `Empty: ${email}`, beside: true },
            reference: {
              label: 'Buyer reference',
              help: 'Printed on invoices; for public buyers in Germany the Leitweg-ID',
            },
            language: {
              label: 'Language of invoices',
              help: null,
              options: [
                { value: 'en', label: 'English' },
                { value: 'de', label: 'German' },
              ],
            },
            taxTreatment: {
              label: 'Tax',
              help: null,
              beside: true,
              options: Object.entries(taxTreatments).map(([value, label]) => ({ value, label })),
            },
            vatId: { label: 'VAT number', help: 'With its country code, such as IE1234567T' },
          },
        },
      }}
      submitLabel="Save"
      send={async (body) => {
        await update.mutateAsync({ params: { developerId: id }, body, version });
        showDone('Billing profile saved.');
      }}
    />
  );
}
