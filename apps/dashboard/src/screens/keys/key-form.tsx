import { Select } from '@mantine/core';
import { scopes, scopeTexts } from '@millrace/extraction/dashboard-contracts';
import { showDone } from '@millrace/ui/form';
import { type RenderedField, SchemaForm } from '@millrace/ui/schema-form';
import { useState } from 'react';
import { type AnswerOf, bodyOf, useWrite } from '../../frame/api.ts';

type ApiKey = AnswerOf<'listKeys'>['items'][number];

/** Creates or edits an API key. */
export function KeyForm(props: {
  /** Absent to create one. */
  readonly apiKey?: ApiKey;
  /** Calls per minute of a key without its own limit. */
  readonly defaultLimit: number | undefined;
  readonly onClose: () => void;
  readonly onCreated?: (answer: AnswerOf<'createKey'>) => void;
}) {
  const { apiKey, defaultLimit, onClose, onCreated } = props;
  const create = useWrite('createKey');
  const update = useWrite('updateKey');
  return (
    <SchemaForm
      schema={bodyOf('createKey')}
      initial={apiKey}
      fields={{
        name: { help: 'What the key is for, such as the program that uses it' },
        scopes: {
          help: 'What the key can do',
          kind: 'checkboxes',
          options: scopes.map((scope) => ({ value: scope, label: scope, help: scopeTexts[scope] })),
        },
        expiresAt: { render: (field) => <Expiry field={field} current={apiKey?.expiresAt} /> },
        rateLimitPerMinute: {
          label: 'Calls per minute',
          help: `Default${defaultLimit === undefined ? '' : `: ${defaultLimit}`}`,
        },
      }}
      order={['name', 'scopes', 'expiresAt', 'rateLimitPerMinute']}
      submitLabel={apiKey ? 'Save' : 'Create'}
      onCancel={onClose}
      send={async (body) => {
        if (apiKey === undefined) onCreated?.(await create.mutateAsync({ body }));
        else {
          const { expiresAt, ...others } = body;
          // The service rejects a time in the past, also one that stays as it is.
          const changes = expiresAt === apiKey.expiresAt ? others : body;
          await update.mutateAsync({ params: { id: apiKey.id }, body: changes });
          showDone(`${body.name} saved.`);
        }
        onClose();
      }}
    />
  );
}

const lifetimes = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
];

/** Chooses when a key expires, in days from now. */
function Expiry(props: { readonly field: RenderedField; readonly current: string | null | undefined }) {
  const { field, current } = props;
  const [chosen, setChosen] = useState(current ? 'unchanged' : 'never');
  const change = (lifetime: string) => {
    setChosen(lifetime);
    if (lifetime === 'unchanged') field.onChange(current);
    else if (lifetime === 'never') field.onChange(null);
    else field.onChange(new Date(Date.now() + Number(lifetime) * 86_400_000).toISOString());
  };
  return (
    <Select
      label="Expires"
      description="After that, calls with the key are rejected"
      data={current ? [{ value: 'unchanged', label: 'Unchanged' }, ...lifetimes] : lifetimes}
      allowDeselect={false}
      value={chosen}
      onChange={(lifetime) => change(lifetime ?? 'never')}
      error={field.error}
    />
  );
}
