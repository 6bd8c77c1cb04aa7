import {
  Button,
  Group,
  Modal,
  MultiSelect,
  Radio,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { findPolicyKind } from '@millrace/policies';
import type { PolicyFlow, PolicyKind } from '@millrace/policies/kind';
import { type Form, showDone, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { InvalidInput } from '@millrace/ui/invalid-input';
import { Loaded } from '@millrace/ui/page';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { type ArgumentsOf, type DataOf, useRead, useWrite } from '../../../frame/api.ts';
import { useSession } from '../../../frame/session.tsx';
import classes from '../proxies.module.css';
import { useProxy } from '../proxy-context.tsx';
import { ConfigurationForm } from './configuration-form.tsx';
import { configurationFields } from './configuration-schema.ts';
import { kindTitle, type Policy } from './flows.ts';
import { readJsonObject } from './json-text.ts';

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
  const discarding = useDiscardQuestion();
  return (
    <FormDialog title={read.data ? kindTitle(read.data.kind) : 'Policy'} opened onClose={onClose} large>
      <Loaded read={read}>
        {(policy) => (
          <ChangeForm
            key={policy.id}
            policy={policy}
            routes={routes}
            discarding={discarding}
            onClose={onClose}
            onLeave={() => discarding.ask(onClose)}
          />
        )}
      </Loaded>
      {discarding.question}
    </FormDialog>
  );
}

interface PolicyValues {
  readonly name: string;
  readonly enabled: boolean;
  readonly routeIds: string[] | null;
  readonly configuration: Readonly<Record<string, unknown>>;
  /** The configuration as JSON that is typed; null where it is edited by its fields. */
  readonly written: string | null;
}

/** What is sent, or why the JSON that is typed cannot be. */
function bodyOf({ written, configuration, ...values }: PolicyValues) {
  const read = written === null ? { value: configuration } : readJsonObject(written);
  if ('fault' in read) throw new InvalidInput({ written: read.fault });
  // Held against the kind's schema by the server.
  return { ...values, configuration: read.value as Configuration };
}

/** JSON as it is written where the kind has no form. */
function firstWritten(kind: string, configuration: Readonly<Record<string, unknown>>): string | null {
  return findPolicyKind(kind) === null ? JSON.stringify(configuration, null, 2) : null;
}

/** Asks before JSON that cannot be saved is thrown away. */
export interface DiscardQuestion {
  /** Goes on at once where nothing is lost. */
  ask(goOn: () => void): void;
  setUnsaved(unsaved: boolean): void;
  readonly question: ReactNode;
}

export function useDiscardQuestion(): DiscardQuestion {
  const unsaved = useRef(false);
  const [pending, setPending] = useState<{ readonly goOn: () => void } | null>(null);
  const close = () => setPending(null);
  const discard = () => {
    close();
    unsaved.current = false;
    pending?.goOn();
  };
  return {
    ask: (goOn) => (unsaved.current ? setPending({ goOn }) : goOn()),
    setUnsaved: (value) => {
      unsaved.current = value;
    },
    question: pending && (
      <Modal
        opened
        onClose={close}
        title="Discard the JSON?"
        closeButtonProps={{ 'aria-label': 'Close' }}
        // Above the drawer that the form stands in.
        zIndex={300}
      >
        <Stack>
          <Text size="sm">It is not valid, so it could not be saved. What you typed is lost then.</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Keep editing
            </Button>
            <Button color="red.9" onClick={discard}>
              Discard
            </Button>
          </Group>
        </Stack>
      </Modal>
    ),
  };
}

function ChangeForm(props: {
  readonly policy: Policy;
  readonly routes: Routes;
  readonly discarding: DiscardQuestion;
  readonly onClose: () => void;
  readonly onLeave: () => void;
}) {
  const { policy, routes, onClose } = props;
  const { can } = useSession();
  const update = useWrite('updatePolicy');
  // That of the values which are edited: a change by somebody else in the meantime is refused, not written over.
  const [version] = useState(policy.version);
  const { name, enabled, routeIds, configuration } = policy;
  const written = firstWritten(policy.kind, configuration);
  const form = useForm<PolicyValues>({ name, enabled, routeIds, configuration, written }, async (values) => {
    const params = { proxyId: policy.proxyId, policyId: policy.id };
    await update.mutateAsync({ params, body: bodyOf(values), version });
    showDone(`${values.name} is saved.`);
    onClose();
  });
  return (
    <FormBody form={form} submitLabel="Save" onCancel={props.onLeave} disabled={!can('policy.write')}>
      <PolicyFields form={form} kind={policy.kind} routes={routes} discarding={props.discarding} />
    </FormBody>
  );
}

/** A policy that is about to be attached: what it is made from, and on which flow. */
export function AttachForm(props: {
  readonly flow: PolicyFlow;
  readonly kind: PolicyKind;
  readonly name: string;
  readonly configuration: Readonly<Record<string, unknown>>;
  /** The template that the configuration is of; null: none. */
  readonly templateId: string | null;
  readonly routes: Routes;
  readonly discarding: DiscardQuestion;
  readonly onBack: () => void;
  readonly onClose: () => void;
}) {
  const { flow, kind, routes, templateId, onClose } = props;
  const { proxy } = useProxy();
  const attach = useWrite('attachPolicy');
  const form = useForm<PolicyValues>(
    { name: props.name, enabled: true, routeIds: null, configuration: props.configuration, written: null },
    async (values) => {
      const { configuration, ...body } = { ...bodyOf(values), flow, kind: kind.kind };
      // A template as it is has its secrets copied by the server, which shows them to nobody.
      const asInTemplate = JSON.stringify(configuration) === JSON.stringify(props.configuration);
      const made = templateId !== null && asInTemplate ? { templateId } : { configuration };
      await attach.mutateAsync({ params: { proxyId: proxy.id }, body: { ...body, ...made } });
      showDone(`${values.name} is attached.`);
      onClose();
    },
  );
  return (
    <FormBody form={form} submitLabel="Attach" onCancel={() => props.discarding.ask(props.onBack)}>
      <PolicyFields form={form} kind={kind.kind} routes={routes} discarding={props.discarding} />
    </FormBody>
  );
}

function PolicyFields(props: {
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
