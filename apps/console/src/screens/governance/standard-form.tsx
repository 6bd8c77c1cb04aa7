import { Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { optionsOf } from '@millrace/ui/list';
import { type DataOf, useWrite } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import { severities } from './severity-mark.tsx';

type Standard = DataOf<'getGovernanceStandard'>;

const firstRuleset = JSON.stringify(
  {
    rules: {
      'contact-is-named': {
        given: '$.info',
        severity: 'warn',
        // biome-ignore lint/suspicious/noThenProperty: the key is Spectral's.
        then: { field: 'contact', function: 'truthy' },
      },
    },
  },
  null,
  2,
);

/** Adds a rule of one's own, or changes a rule: of a built-in one severity and effect alone. */
export function StandardForm(props: {
  readonly standard?: Standard;
  readonly onCancel?: () => void;
  readonly onSaved: (standard: Standard) => void;
}) {
  const { standard } = props;
  const { can } = useSession();
  const create = useWrite('createGovernanceStandard');
  const update = useWrite('updateGovernanceStandard');
  const own = standard === undefined || standard.kind === 'custom';
  const form = useForm(
    {
      code: standard?.code ?? '',
      name: standard?.name ?? '',
      description: standard?.description ?? '',
      severity: standard?.severity ?? ('warning' as const),
      blocking: standard?.blocking ?? false,
      enabled: standard?.enabled ?? true,
      ruleset: standard?.ruleset ? JSON.stringify(standard.ruleset, null, 2) : firstRuleset,
    },
    async ({ code, severity, blocking, enabled, ...words }) => {
      const effect = { severity, blocking, enabled };
      const saved = standard
        ? await update.mutateAsync({
            params: { code },
            body: own ? { ...effect, ...words } : effect,
            version: standard.version,
          })
        : await create.mutateAsync({ body: { code, ...effect, ...words } });
      showDone(standard ? `${code} is changed.` : `${code} is added.`);
      props.onSaved(saved);
    },
  );
  return (
    <FormBody
      form={form}
      submitLabel={standard ? 'Save' : 'Add'}
      onCancel={props.onCancel}
      disabled={!can('governance.write')}
    >
      {standard === undefined && (
        <TextInput label="Code" description="Such as CUS-001" required data-autofocus {...form.text('code')} />
      )}
      {own && (
        <>
          <TextInput label="Name" required {...form.text('name')} />
          <Textarea label="Description" autosize minRows={1} {...form.text('description')} />
        </>
      )}
      <Select
        label="Severity"
        data={optionsOf(severities)}
        allowDeselect={false}
        value={form.values.severity}
        onChange={(value) => form.set('severity', severities.find((known) => known === value) ?? 'warning')}
        error={form.errorAt('severity')}
      />
      <Checkbox
        label="Blocking"
        description="A finding of it stops an API proxy’s move to the next stage"
        checked={form.values.blocking}
        onChange={(event) => form.set('blocking', event.currentTarget.checked)}
        error={form.errorAt('blocking')}
      />
      <Checkbox
        label="Switched on"
        checked={form.values.enabled}
        onChange={(event) => form.set('enabled', event.currentTarget.checked)}
        error={form.errorAt('enabled')}
      />
      {own && (
        <Textarea
          label="Spectral ruleset"
          description="JSON or YAML. Only spectral:oas can be extended; no functions of its own."
          required
          autosize
          minRows={10}
          maxRows={24}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...form.text('ruleset')}
        />
      )}
    </FormBody>
  );
}
