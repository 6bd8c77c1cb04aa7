import { Checkbox, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { type Scope, scopes, scopeTexts } from '@millrace/extraction/dashboard-contracts';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { type AnswerOf, useWrite } from '../../frame/api.ts';

const lifetimes = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

/** What is set of an API key: its name, what it may do, until when, and how many calls a minute. */
export function KeyForm(props: {
  /** Without it, a new one is created. */
  readonly apiKey?: AnswerOf<'listKeys'>['items'][number];
  /** Calls a minute of a key without a limit of its own. */
  readonly usualLimit: number | undefined;
  readonly onClose: () => void;
  readonly onCreated?: (answer: AnswerOf<'createKey'>) => void;
}) {
  const { apiKey, usualLimit, onClose, onCreated } = props;
  const create = useWrite('createKey');
  const update = useWrite('updateKey');
  const first = {
    name: apiKey?.name ?? '',
    scopes: apiKey?.scopes ?? [...scopes],
    rateLimitPerMinute: apiKey?.rateLimitPerMinute ?? null,
    expiresAt: apiKey === undefined ? 'never' : 'unchanged',
  };
  const form = useForm(first, async ({ expiresAt: lifetime, ...set }) => {
    const body = { ...set, ...expiryOf(lifetime) };
    if (apiKey === undefined) onCreated?.(await create.mutateAsync({ body }));
    else {
      await update.mutateAsync({ params: { id: apiKey.id }, body });
      showDone(`${body.name} is changed.`);
      onClose();
    }
  });
  return (
    <FormBody form={form} submitLabel={apiKey === undefined ? 'Create' : 'Save'} onCancel={onClose}>
      <TextInput
        label="Name"
        description="What the key is for, such as the program that uses it"
        required
        data-autofocus
        {...form.text('name')}
      />
      <Checkbox.Group
        label="Scopes"
        description="What the key may do"
        value={form.values.scopes}
        onChange={(chosen) => form.set('scopes', chosen as Scope[])}
        error={form.errorAt('scopes')}
      >
        <Stack gap="xs" mt="xs">
          {scopes.map((scope) => (
            <Checkbox key={scope} value={scope} label={scope} description={scopeTexts[scope]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label="Expires"
        description="From then on, calls with the key are refused"
        data={apiKey === undefined ? lifetimes : [{ value: 'unchanged', label: 'Leave as it is' }, ...lifetimes]}
        allowDeselect={false}
        value={form.values.expiresAt}
        onChange={(value) => form.set('expiresAt', value ?? 'never')}
        error={form.errorAt('expiresAt')}
      />
      <NumberInput
        label="Calls a minute"
        description={`Empty: the usual limit${usualLimit === undefined ? '' : ` of ${usualLimit}`}`}
        min={1}
        allowDecimal={false}
        clampBehavior="none"
        value={form.values.rateLimitPerMinute ?? ''}
        onChange={(limit) => form.set('rateLimitPerMinute', limit === '' ? null : Number(limit))}
        error={form.errorAt('rateLimitPerMinute')}
      />
    </FormBody>
  );
}

/** The expiry that was chosen, in days from now; nothing where it stays as it is. */
function expiryOf(lifetime: string): { readonly expiresAt?: string | null } {
  if (lifetime === 'unchanged') return {};
  if (lifetime === 'never') return { expiresAt: null };
  return { expiresAt: new Date(Date.now() + Number(lifetime) * 86_400_000).toISOString() };
}
