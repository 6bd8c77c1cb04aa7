import { Select, Text, Textarea, TextInput } from '@mantine/core';
import { findPolicyKind, policyKinds } from '@millrace/policies';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { type DataOf, useWrite, type WriteOf } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import { ConfigurationForm } from '../proxies/policies/configuration-form.tsx';
import { configurationFields } from '../proxies/policies/configuration-schema.ts';

type PolicyTemplate = DataOf<'getPolicyTemplate'>;
type Configuration = WriteOf<'createPolicyTemplate'>['body']['configuration'];

/** Creates a policy template, or edits the given one, whose kind is fixed. */
export function PolicyTemplateForm(props: {
  readonly template?: PolicyTemplate;
  readonly onCancel?: () => void;
  readonly onSaved: (template: PolicyTemplate) => void;
}) {
  const { template } = props;
  const { can } = useSession();
  const create = useWrite('createPolicyTemplate');
  const update = useWrite('updatePolicyTemplate');
  const form = useForm(
    {
      name: template?.name ?? '',
      description: template?.description ?? '',
      kind: template?.kind ?? '',
      configuration: (template?.configuration ?? {}) as Readonly<Record<string, unknown>>,
    },
    async ({ kind, configuration, ...values }) => {
      // The server checks it against the kind's schema.
      const body = { ...values, configuration: configuration as Configuration };
      const saved = template
        ? await update.mutateAsync({ params: { templateId: template.id }, body, version: template.version })
        : await create.mutateAsync({ body: { ...body, kind } });
      showDone(template ? 'Policy template saved.' : 'Policy template created.');
      props.onSaved(saved);
    },
  );
  const kind = findPolicyKind(form.values.kind);
  return (
    <FormBody
      form={form}
      submitLabel={template ? 'Save' : 'Create'}
      onCancel={props.onCancel}
      disabled={!can('policy.write')}
    >
      {template === undefined && (
        <Select
          label="Policy"
          required
          data-autofocus
          searchable
          data={policyKinds.map((known) => ({ value: known.kind, label: known.title }))}
          value={form.values.kind || null}
          onChange={(value) => {
            form.set('kind', value ?? '');
            form.set('configuration', findPolicyKind(value ?? '')?.defaultConfiguration ?? {});
          }}
          error={form.errorAt('kind')}
        />
      )}
      {kind && (
        <Text size="sm" c="dimmed">
          {kind.description}
        </Text>
      )}
      <TextInput label="Name" description="Lower-case letters, digits and hyphens" required {...form.text('name')} />
      <Textarea label="Description" autosize minRows={1} {...form.text('description')} />
      {kind && (
        <ConfigurationForm
          key={kind.kind}
          fields={configurationFields(kind)}
          value={form.values.configuration}
          onChange={(configuration) => form.set('configuration', configuration)}
          path="configuration"
          errorAt={form.errorAt}
        />
      )}
    </FormBody>
  );
}
