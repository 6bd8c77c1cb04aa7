import { MultiSelect, Radio, SegmentedControl, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { findPolicyKind } from '@millrace/policies';
import type { PolicyKind } from '@millrace/policies/kind';
import type { Form } from '@millrace/ui/form';
import { InvalidInput } from '@millrace/ui/invalid-input';
import { useEffect, useMemo } from 'react';
import type { ArgumentsOf, DataOf } from '../../../frame/api.ts';
import classes from '../proxies.module.css';
import { ConfigurationForm } from './configuration-form.tsx';
import { configurationFields } from './configuration-schema.ts';
import type { DiscardQuestion } from './discard-question.tsx';
import { readJsonObject } from './json-text.ts';

export type Routes = DataOf<'listRoutes'>['routes'];
type Configuration = NonNullable<ArgumentsOf<'attachPolicy'>['body']['configuration']>;

export interface PolicyValues {
  readonly name: string;
  readonly enabled: boolean;
  readonly routeIds: string[] | null;
  readonly configuration: Readonly<Record<string, unknown>>;
  /** The configuration as JSON text; null while it is edited by its fields. */
  readonly written: string | null;
}

/** What is sent. Throws if the JSON isn’t valid. */
export function bodyOf({ written, configuration, ...values }: PolicyValues) {
  const read = written === null ? { value: configuration } : readJsonObject(written);
  if ('fault' in read) throw new InvalidInput({ written: read.fault });
  // The server checks it against the kind's schema.
  return { ...values, configuration: read.value as Configuration };
}

/** The fields of a policy that is attached or edited. */
export function PolicyFields(props: {
  readonly form: Form<PolicyValues>;
  readonly kind: string;
  readonly routes: Routes;
  readonly discarding: DiscardQuestion;
}) {
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
        label="Enabled"
        description="A disabled policy keeps its configuration but does nothing"
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
      <ConfigurationFields form={form} kind={kind} discarding={props.discarding} />
    </>
  );
}

/** The configuration by its fields, or as JSON. */
function ConfigurationFields(props: {
  readonly form: Form<PolicyValues>;
  readonly kind: PolicyKind | null;
  readonly discarding: DiscardQuestion;
}) {
  const { form, kind, discarding } = props;
  const { written, configuration } = form.values;
  const fields = useMemo(() => (kind ? configurationFields(kind) : []), [kind]);
  const read = written === null ? null : readJsonObject(written);
  const fault = read !== null && 'fault' in read ? read.fault : null;
  const { setUnsaved } = discarding;
  useEffect(() => {
    setUnsaved(fault !== null);
    return () => setUnsaved(false);
  }, [setUnsaved, fault]);
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
          onChange={(view) => {
            if (view === 'json') form.set('written', JSON.stringify(configuration, null, 2));
            else discarding.ask(() => form.set('written', null));
          }}
          style={{ alignSelf: 'start' }}
        />
      )}
      {written === null ? (
        <ConfigurationForm
          fields={fields}
          value={configuration}
          onChange={(next) => form.set('configuration', next)}
          path="configuration"
          errorAt={form.errorAt}
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
            form.set('written', text);
            const next = readJsonObject(text);
            if ('value' in next) form.set('configuration', next.value);
          }}
          error={fault ?? form.errorAt('written') ?? form.errorAt('configuration')}
        />
      )}
    </Stack>
  );
}
