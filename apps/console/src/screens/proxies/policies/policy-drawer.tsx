import { MultiSelect, Radio, SegmentedControl, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { type Form, showDone, useForm } from '@millrace/interface/form';
import { FormBody, FormDialog } from '@millrace/interface/form-dialog';
import { Loaded } from '@millrace/interface/page';
import { findPolicyKind, type PolicyFlow, type PolicyKind } from '@millrace/policies';
import { useMemo, useState } from 'react';
import { type ArgumentsOf, type DataOf, useRead, useWrite } from '../../../frame/api.ts';
import { useSession } from '../../../frame/session.tsx';
import classes from '../proxies.module.css';
import { useProxy } from '../proxy-context.tsx';
import { ConfigurationForm, parsedJson } from './configuration-form.tsx';
import { configurationFields } from './configuration-schema.ts';
import { kindTitle, type Policy } from './flows.ts';

type Routes = DataOf<'listRoutes'>['routes'];
type Configuration = NonNullable<ArgumentsOf<'attachPolicy'>['body']['configuration']>;

/** The configuration of an attached policy, beside the lanes. */
export function PolicyDrawer(props: {
  readonly policyId: string;
  readonly routes: Routes;
  readonly onClose: () => void;
}) {
  const { policyId, routes, onClose } = props;
  const { proxy } = useProxy();
  const params = { proxyId: proxy.id, policyId };
  const read = useRead('getPolicy', { params });
  return (
    <FormDialog title={read.data ? kindTitle(read.data.kind) : 'Policy'} opened onClose={onClose} large>
      <Loaded read={read}>
        {(policy) => <ChangeForm key={policy.id} policy={policy} routes={routes} onClose={onClose} />}
      </Loaded>
    </FormDialog>
  );
}

interface PolicyValues {
  readonly name: string;
  readonly enabled: boolean;
  readonly routeIds: string[] | null;
  readonly configuration: Readonly<Record<string, unknown>>;
}

function ChangeForm(props: { readonly policy: Policy; readonly routes: Routes; readonly onClose: () => void }) {
  const { policy, routes, onClose } = props;
  const { can } = useSession();
  const update = useWrite('updatePolicy');
  // That of the values which are edited: a change by somebody else in the meantime is refused, not written over.
  const [version] = useState(policy.version);
  const { name, enabled, routeIds, configuration } = policy;
  const form = useForm<PolicyValues>({ name, enabled, routeIds, configuration }, async (values) => {
    await update.mutateAsync({
      params: { proxyId: policy.proxyId, policyId: policy.id },
      // Held against the kind's schema by the server.
      body: { ...values, configuration: values.configuration as Configuration },
      version,
    });
    showDone(`${values.name} is saved.`);
    onClose();
  });
  return (
    <FormBody form={form} submitLabel="Save" onCancel={onClose} disabled={!can('policy.write')}>
      <PolicyFields form={form} kind={policy.kind} routes={routes} />
    </FormBody>
  );
}

/** A policy that is about to be attached: what it is made from, and on which flow. */
export function AttachForm(props: {
  readonly flow: PolicyFlow;
  readonly kind: PolicyKind;
  readonly name: string;
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly routes: Routes;
  readonly onBack: () => void;
  readonly onClose: () => void;
}) {
  const { flow, kind, routes, onClose } = props;
  const { proxy } = useProxy();
  const attach = useWrite('attachPolicy');
  const form = useForm<PolicyValues>(
    { name: props.name, enabled: true, routeIds: null, configuration: props.configuration },
    async (values) => {
      const body = { ...values, flow, kind: kind.kind, configuration: values.configuration as Configuration };
      await attach.mutateAsync({ params: { proxyId: proxy.id }, body });
      showDone(`${values.name} is attached.`);
      onClose();
    },
  );
  return (
    <FormBody form={form} submitLabel="Attach" onCancel={props.onBack}>
      <PolicyFields form={form} kind={kind.kind} routes={routes} />
    </FormBody>
  );
}

function PolicyFields(props: { readonly form: Form<PolicyValues>; readonly kind: string; readonly routes: Routes }) {
  const { form, routes } = props;
  const kind = findPolicyKind(props.kind);
  const { routeIds } = form.values;
  return (
    <>
      {kind && (
        <Text size="sm" c="dimmed">
          {kind.description}
        </Text>
      )}
      <TextInput label="Name" required {...form.text('name')} data-autofocus />
      <Switch
        label="Switched on"
        description="Switched off, it is kept but does nothing."
        checked={form.values.enabled}
        onChange={(event) => form.set('enabled', event.currentTarget.checked)}
      />
      <Radio.Group
        label="Applies to"
        value={routeIds === null ? 'all' : 'some'}
        onChange={(value) => form.set('routeIds', value === 'all' ? null : [])}
      >
        <Stack gap={6} mt={6}>
          <Radio value="all" label="All routes" />
          <Radio value="some" label="Some routes" disabled={routes.length === 0} />
        </Stack>
      </Radio.Group>
      {routeIds !== null && (
        <MultiSelect
          label="Routes"
          data={routes.map(({ id, method, pathPattern }) => ({ value: id, label: `${method} ${pathPattern}` }))}
          value={routeIds}
          onChange={(ids) => form.set('routeIds', ids)}
          error={form.errorAt('routeIds')}
          searchable
        />
      )}
      <ConfigurationFields form={form} kind={kind} />
    </>
  );
}

/** The configuration by its fields, or as JSON. */
function ConfigurationFields(props: { readonly form: Form<PolicyValues>; readonly kind: PolicyKind | null }) {
  const { form, kind } = props;
  const [written, setWritten] = useState<string | null>(
    kind === null ? JSON.stringify(form.values.configuration, null, 2) : null,
  );
  const fields = useMemo(() => (kind ? configurationFields(kind) : []), [kind]);
  const invalid = written !== null && !isObject(parsedJson(written));
  return (
    <Stack gap="md">
      {kind !== null && (
        <SegmentedControl
          aria-label="Configuration as"
          data={[
            { value: 'form', label: 'Form' },
            { value: 'json', label: 'JSON' },
          ]}
          value={written === null ? 'form' : 'json'}
          onChange={(view) => setWritten(view === 'form' ? null : JSON.stringify(form.values.configuration, null, 2))}
          style={{ alignSelf: 'start' }}
        />
      )}
      {written === null ? (
        <ConfigurationForm
          fields={fields}
          value={form.values.configuration}
          onChange={(configuration) => form.set('configuration', configuration)}
          path="configuration"
          errorAt={form.errorAt}
          disabled={false}
        />
      ) : (
        <Textarea
          label="Configuration"
          autosize
          minRows={10}
          maxRows={30}
          classNames={{ input: classes.codeInput! }}
          spellCheck={false}
          value={written}
          onChange={(event) => {
            const text = event.currentTarget.value;
            setWritten(text);
            const parsed = parsedJson(text);
            if (isObject(parsed)) form.set('configuration', parsed);
          }}
          error={
            invalid ? 'This is not a JSON object. What was valid last would be saved.' : form.errorAt('configuration')
          }
        />
      )}
    </Stack>
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
