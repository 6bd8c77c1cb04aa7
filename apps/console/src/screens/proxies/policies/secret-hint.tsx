import { MultiSelect, Stack, Text, TextInput } from '@mantine/core';
import { isCredentialHeader, isCredentialLiteral, redactedSecret } from '@millrace/policies/secrets';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { FormDialog } from '@millrace/ui/form-dialog';
import { InvalidInput } from '@millrace/ui/invalid-input';
import { useState } from 'react';
import { call, useWrite } from '../../../frame/api.ts';
import { PermittedButton } from '../../../frame/can.tsx';
import { useEnvironments } from '../../../frame/environments.ts';

/** Below a header with a literal credential: what happens to it, and where it is better stored. */
export function SecretHint(props: {
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { name, value } = props;
  const [storing, setStoring] = useState(false);
  if (value === redactedSecret) {
    return (
      <Text size="xs" c="dimmed" mt="xs">
        The stored value is hidden. Leave [secret] to keep it, or enter a new one.
      </Text>
    );
  }
  if (!isCredentialLiteral(name, value)) return null;
  return (
    <Stack gap={6} mt="xs" align="start">
      <Text size="xs">
        {isCredentialHeader(name) ? `${name} contains a credential.` : 'This looks like a credential.'} Entered here, it
        is the same in every environment and hidden once saved. A secret variable can differ per environment, and can be
        changed without a new revision.
      </Text>
      <PermittedButton
        size="compact-sm"
        variant="default"
        permission="environment.write"
        onClick={() => setStoring(true)}
      >
        Store as secret variable
      </PermittedButton>
      {storing && (
        <StoreDialog
          header={name}
          value={value}
          onClose={() => setStoring(false)}
          onStored={(text) => {
            setStoring(false);
            props.onChange(text);
          }}
        />
      )}
    </Stack>
  );
}

/** Creates the variable in the chosen environments. */
function StoreDialog(props: {
  readonly header: string;
  readonly value: string;
  readonly onClose: () => void;
  readonly onStored: (text: string) => void;
}) {
  const { environments, options } = useEnvironments();
  const set = useWrite('setEnvironmentVariable');
  // The scheme stays readable.
  const [, scheme = '', secret = props.value] = /^((?:bearer|basic|token|apikey) +)(.+)$/i.exec(props.value) ?? [];
  const form = useForm(
    { name: variableName(props.header), environmentIds: [] as string[] },
    async ({ name, environmentIds }) => {
      if (environmentIds.length === 0) {
        throw new InvalidInput({ environmentIds: 'Choose at least one environment.' });
      }
      const named = (id: string) => environments.find((environment) => environment.id === id)?.displayName ?? id;
      for (const environmentId of environmentIds) {
        const { variables } = await call('listEnvironmentVariables', {
          params: { environmentId },
          query: { search: name, pageSize: 100 },
        });
        if (variables.some((variable) => variable.name === name)) {
          throw new InvalidInput({
            name: `${named(environmentId)} already has a variable with this name. Choose another name.`,
          });
        }
      }
      for (const environmentId of environmentIds) {
        await set.mutateAsync({ params: { environmentId, name }, body: { value: secret, secret: true } });
      }
      showDone(`${name} stored in ${environmentIds.map(named).join(', ')}. Save the policy to use it.`);
      props.onStored(`${scheme}{{variables.${name}}}`);
    },
  );
  return (
    <FormDialog title="Store as secret variable" opened onClose={props.onClose}>
      {/* It is inside the form of the policy, which it must not submit. */}
      <div onSubmit={(event) => event.stopPropagation()}>
        <FormBody form={form} submitLabel="Store" onCancel={props.onClose} passing>
          <TextInput
            label="Variable"
            description="The header refers to it as {{variables.NAME}}"
            required
            spellCheck={false}
            {...form.text('name')}
          />
          <MultiSelect
            label="Environments"
            description="Include every environment that the API proxy is deployed to"
            required
            data={options}
            value={form.values.environmentIds}
            onChange={(ids) => form.set('environmentIds', ids)}
            error={form.errorAt('environmentIds')}
            searchable
          />
          <Text size="xs" c="dimmed">
            The value is copied from the header, stored encrypted and never shown again.
          </Text>
        </FormBody>
      </div>
    </FormDialog>
  );
}

/** `X-Acme-Token` becomes `X_ACME_TOKEN`. */
function variableName(header: string): string {
  const name = header
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return /^[A-Z]/.test(name) ? name.slice(0, 63) : `SECRET_${name}`.slice(0, 63);
}
