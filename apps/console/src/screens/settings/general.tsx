import { showDone } from '@millrace/ui/form';
import { optionsOf } from '@millrace/ui/list';
import { Loaded } from '@millrace/ui/page';
import { SchemaForm } from '@millrace/ui/schema-form';
import { bodyOf, type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import { Writable } from './writable.tsx';

/** Approvals, currency, taxes, invoice numbers and retention of the whole organization. */
export function GeneralSettings() {
  const { organizationId } = useSession();
  const settings = useRead('getOrganizationSettings', { params: { organizationId } });
  return (
    <Loaded read={settings}>
      {(data) => (
        <Writable permission="organization.write">
          <SettingsForm key={data.version} organizationId={organizationId} settings={data} />
        </Writable>
      )}
    </Loaded>
  );
}

function SettingsForm(props: {
  readonly organizationId: string;
  readonly settings: DataOf<'getOrganizationSettings'>;
}) {
  const { organizationId, settings } = props;
  const update = useWrite('updateOrganizationSettings');
  return (
    <SchemaForm
      schema={bodyOf('updateOrganizationSettings')}
      initial={settings}
      order={['approval', 'currency', 'tax', 'invoiceNumbering', 'retention']}
      fields={{
        approval: {
          label: 'Approvals',
          fields: {
            requiredFor: {
              label: 'Lifecycle moves that need approval',
              help: 'By another person. Deployment to production always needs one',
              options: optionsOf(['approved', 'published', 'deprecated', 'retired']),
            },
            productionChanges: {
              label: 'Production changes need approval',
              help: 'By another person: target servers, variables, host names and API products that production callers use',
            },
          },
        },
        currency: {
          help: 'ISO 4217, such as EUR',
          widthPx: 160,
          onChange: (value, form) => form.setAt('currency', String(value).toUpperCase()),
        },
        tax: {
          fields: {
            ratePercent: { label: 'Rate in percent', help: null, beside: true, widthPx: 160 },
            registrationId: { label: 'Tax registration', beside: true },
          },
        },
        invoiceNumbering: {
          label: 'Invoice numbers',
          fields: { next: { label: 'Next number', beside: true, widthPx: 160 } },
        },
        retention: {
          fields: {
            usageDays: { label: 'Usage, in days' },
            notificationDays: { label: 'Notifications, in days', beside: true },
          },
        },
      }}
      submitLabel="Save"
      send={async (body) => {
        await update.mutateAsync({ params: { organizationId }, body, version: settings.version });
        showDone('Settings saved.');
      }}
    />
  );
}
