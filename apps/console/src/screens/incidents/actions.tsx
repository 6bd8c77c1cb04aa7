import { Alert, Textarea } from '@mantine/core';
import type { Matcher } from '@millrace/alerting';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { IconCheck } from '@millrace/ui/icons';
import { counted } from '@millrace/ui/words';
import { PermittedActions } from '../../frame/actions.tsx';
import { useWrite } from '../../frame/api.ts';
import { SilenceForm } from '../silences/silence-form.tsx';
import type { Incident } from './marks.tsx';

/** What can be done about an incident. */
export function IncidentActions({ incident }: { readonly incident: Incident }) {
  const { id, state, version, visibility } = incident;
  const params = { incidentId: id };
  const acknowledge = useWrite('acknowledgeIncident');
  const monitor = useWrite('monitorIncident');
  const setVisibility = useWrite('setIncidentVisibility');
  const show = (to: Incident['visibility']) => setVisibility.mutateAsync({ params, body: { visibility: to }, version });
  const permission = 'incident.write';
  const isResolved = state === 'resolved';
  return (
    <PermittedActions
      actions={[
        {
          label: 'Acknowledge',
          icon: IconCheck,
          primary: true,
          permission,
          hidden: state !== 'open',
          run: () => acknowledge.mutateAsync({ params, version }),
          done: 'Acknowledged. You own it, and it no longer escalates.',
        },
        {
          label: 'Monitor',
          permission,
          hidden: isResolved || state === 'monitoring',
          run: () => monitor.mutateAsync({ params, version }),
          done: 'Monitored. It reopens if its rule fires again.',
        },
        {
          label: 'Resolve',
          primary: state !== 'open',
          permission,
          hidden: isResolved,
          form: { title: 'Resolve incident', body: (close) => <ResolveForm incident={incident} onClose={close} /> },
        },
        {
          label: 'Show on status page',
          permission,
          hidden: !canBeShown(incident) || visibility === 'public',
          run: () => show('public'),
          done: 'Shown on the developer portal’s status page, without figures.',
        },
        {
          label: 'Hide from status page',
          permission,
          hidden: !canBeShown(incident) || visibility === 'private',
          run: () => show('private'),
          done: 'Hidden from the developer portal’s status page.',
        },
        {
          label: 'Silence',
          permission: 'alert.write',
          hidden: isResolved,
          form: {
            title: 'Create silence',
            large: true,
            body: (close) => <SilenceForm matchers={matchersOf(incident)} onCancel={close} onSaved={close} />,
          },
        },
      ]}
    />
  );
}

/** Whether the status page of the developer portal can show it: callers notice it. */
function canBeShown({ metric, environment }: Incident): boolean {
  return environment?.production === true && (metric === 'error_rate' || metric.startsWith('latency_'));
}

/** Of all members of an incident, and of nothing else that can be named. */
function matchersOf({ rule, alerts }: Incident): readonly Matcher[] {
  const shared = (label: string) => {
    const [value, ...others] = new Set(alerts.map(({ labels }) => labels[label]));
    return value === undefined || others.length > 0 ? [] : [{ label, operator: '=' as const, value }];
  };
  return [{ label: 'rule', operator: '=', value: rule.name }, ...shared('environment'), ...shared('proxy')];
}

function ResolveForm({ incident, onClose }: { readonly incident: Incident; readonly onClose: () => void }) {
  const { id, firingMembers, version } = incident;
  const resolve = useWrite('resolveIncident');
  const form = useForm({ summary: '' }, async (body) => {
    const { warning } = await resolve.mutateAsync({ params: { incidentId: id }, body, version });
    showDone(warning === null ? 'Incident resolved.' : `Incident resolved. ${warning}`);
    onClose();
  });
  return (
    <FormBody form={form} submitLabel="Resolve" onCancel={onClose}>
      {firingMembers > 0 && (
        <Alert color="yellow" title={`Its rule still fires for ${counted(firingMembers, 'member')}`}>
          They open no other incident until they have recovered.
        </Alert>
      )}
      <Textarea
        label="Summary"
        description="What it was, and what ended it"
        required
        autosize
        minRows={3}
        data-autofocus
        {...form.text('summary')}
      />
    </FormBody>
  );
}
