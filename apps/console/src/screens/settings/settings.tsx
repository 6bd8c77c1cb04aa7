import { Checkbox, Group, NumberInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { Loaded, Page } from '@millrace/ui/page';
import { wordsOf } from '@millrace/ui/words';
import type { ReactNode } from 'react';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';

type SettingsData = DataOf<'getOrganizationSettings'>;

/** The settings of the organization. */
export function Settings() {
  const { organizationId, can } = useSession();
  const settings = useRead('getOrganizationSettings', { params: { organizationId } });
  return (
    <Page title="Settings" description="Of the whole organization: approvals, money, how long things are kept.">
      <Loaded read={settings}>
        {(data) => (
          <>
            {!can('organization.write') && (
              <Text mb="md">You need the permission organization.write to change them.</Text>
            )}
            <fieldset disabled={!can('organization.write')} className="plain-fieldset">
              <SettingsForm key={data.version} organizationId={organizationId} settings={data} />
            </fieldset>
          </>
        )}
      </Loaded>
    </Page>
  );
}

const approvalStages = ['approved', 'published', 'deprecated', 'retired'] as const;

function SettingsForm(props: { readonly organizationId: string; readonly settings: SettingsData }) {
  const { version, ...settings } = props.settings;
  const update = useWrite('updateOrganizationSettings');
  const form = useForm(settings, async (body) => {
    await update.mutateAsync({ params: { organizationId: props.organizationId }, body, version });
    showDone('The settings are saved.');
  });
  const { tax, invoiceNumbering, approval, retention, currency } = form.values;
  return (
    <Stack maw={640}>
      <FormBody form={form} submitLabel="Save" disabled={!form.changed}>
        <Part title="Approvals">
          <Checkbox.Group
            label="Moves that wait for somebody else’s approval"
            description="Deployment to production always needs one"
            value={approval.requiredFor}
            onChange={(requiredFor) =>
              form.set('approval', {
                ...approval,
                requiredFor: approvalStages.filter((stage) => requiredFor.includes(stage)),
              })
            }
            error={form.errorAt('approval')}
          >
            <Group mt="xs">
              {approvalStages.map((stage) => (
                <Checkbox key={stage} value={stage} label={wordsOf(stage)} />
              ))}
            </Group>
          </Checkbox.Group>
          <Checkbox
            label="Changes to production wait for somebody else’s approval"
            description="Target servers, variables, host names and products that callers of production use"
            checked={approval.productionChanges}
            onChange={(event) => form.set('approval', { ...approval, productionChanges: event.currentTarget.checked })}
          />
        </Part>
        <Part title="Money">
          <TextInput
            label="Currency"
            description="ISO 4217, such as EUR"
            w={160}
            value={currency}
            onChange={(event) => form.set('currency', event.currentTarget.value.toUpperCase())}
            error={form.errorAt('currency')}
          />
          <Group align="start">
            <TextInput
              label="Name of the tax"
              value={tax.name}
              onChange={(event) => form.set('tax', { ...tax, name: event.currentTarget.value })}
              error={form.errorAt('tax.name')}
            />
            <TextInput
              label="Rate in percent"
              inputMode="decimal"
              w={140}
              value={tax.ratePercent}
              onChange={(event) => form.set('tax', { ...tax, ratePercent: event.currentTarget.value })}
              error={form.errorAt('tax.ratePercent')}
            />
            <TextInput
              label="Tax registration"
              value={tax.registrationId ?? ''}
              onChange={(event) => form.set('tax', { ...tax, registrationId: event.currentTarget.value || null })}
              error={form.errorAt('tax.registrationId')}
            />
          </Group>
          <Group align="start">
            <TextInput
              label="Invoice numbers begin with"
              value={invoiceNumbering.prefix}
              onChange={(event) =>
                form.set('invoiceNumbering', { ...invoiceNumbering, prefix: event.currentTarget.value })
              }
              error={form.errorAt('invoiceNumbering.prefix')}
            />
            <NumberInput
              label="Next number"
              w={160}
              min={1}
              allowDecimal={false}
              value={invoiceNumbering.next}
              onChange={(next) => form.set('invoiceNumbering', { ...invoiceNumbering, next: Number(next) })}
              error={form.errorAt('invoiceNumbering.next')}
            />
          </Group>
        </Part>
        <Part title="How long things are kept">
          <Group align="start">
            <NumberInput
              label="Usage, in days"
              w={180}
              min={1}
              allowDecimal={false}
              value={retention.usageDays}
              onChange={(days) => form.set('retention', { ...retention, usageDays: Number(days) })}
              error={form.errorAt('retention.usageDays')}
            />
            <NumberInput
              label="Notifications, in days"
              w={180}
              min={1}
              allowDecimal={false}
              value={retention.notificationDays}
              onChange={(days) => form.set('retention', { ...retention, notificationDays: Number(days) })}
              error={form.errorAt('retention.notificationDays')}
            />
          </Group>
        </Part>
      </FormBody>
    </Stack>
  );
}

function Part(props: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {props.title}
      </Title>
      <Stack gap="sm">{props.children}</Stack>
    </section>
  );
}
