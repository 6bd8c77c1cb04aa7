import { Alert, Button, Checkbox, Group, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { Confirm } from '@millrace/ui/confirm';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { useNumbers } from '@millrace/ui/numbers';
import { Loaded } from '@millrace/ui/page';
import { PasswordField } from '@millrace/ui/password-field';
import { useState } from 'react';
import { AdministratorButton } from '../../frame/administrator-button.tsx';
import { type AnswerOf, type ArgumentsOf, useRead, useWrite } from '../../frame/api.ts';
import { AdministratorFields } from './administrator-fields.tsx';

type Provider = AnswerOf<'getProvider'>;
type Choice = ArgumentsOf<'updateProvider'>['body'];
type Mode = Provider['mode'];
type Kind = NonNullable<Provider['kind']>;

const modes: readonly { readonly value: Mode; readonly label: string; readonly description: string }[] = [
  {
    value: 'engine',
    label: 'The built-in engine',
    description: 'Documents never leave this service.',
  },
  {
    value: 'escalate',
    label: 'The engine, and a model where the engine doubts',
    description: 'A model is asked for the doubtful fields alone, which costs fewer tokens.',
  },
  {
    value: 'provider',
    label: 'A model for every field',
    description: 'Every document is sent to the provider.',
  },
];

const kinds: readonly { readonly value: Kind; readonly label: string }[] = [
  { value: 'openai', label: 'OpenAI' },
  { value: 'openai-compatible', label: 'A server that speaks OpenAI’s protocol' },
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'google', label: 'Google' },
  { value: 'ollama', label: 'Ollama' },
];

/** Who extracts the account's documents: the engine, or a model of a provider. */
export function ProviderTab() {
  const provider = useRead('getProvider');
  const [timesForgotten, setTimesForgotten] = useState(0);
  return (
    <Loaded read={provider}>
      {(data) => (
        <Stack maw={640}>
          <Origin provider={data} onForgotten={() => setTimesForgotten(timesForgotten + 1)} />
          <AdministratorFields>
            <ProviderForm key={timesForgotten} provider={data} />
          </AdministratorFields>
        </Stack>
      )}
    </Loaded>
  );
}

/** Whose choice holds, with the way back to the service's own. */
function Origin(props: { readonly provider: Provider; readonly onForgotten: () => void }) {
  const { provider, onForgotten } = props;
  const [asked, setAsked] = useState(false);
  const remove = useWrite('removeProvider');
  if (provider.isBySettings) {
    return (
      <Text size="sm">What holds now is set by the operator of the service. What you choose here goes before it.</Text>
    );
  }
  return (
    <Group justify="space-between">
      <Text size="sm">The account has made its own choice.</Text>
      <AdministratorButton variant="default" size="xs" onClick={() => setAsked(true)}>
        Go back to the service’s settings
      </AdministratorButton>
      {asked && (
        <Confirm
          title="Go back to the service’s settings?"
          action="Go back"
          done="The service’s settings hold."
          onConfirm={() => remove.mutateAsync({})}
          onClose={() => setAsked(false)}
          onDone={() => {
            setAsked(false);
            onForgotten();
          }}
        >
          What the account chose is forgotten, its API key included.
        </Confirm>
      )}
    </Group>
  );
}

function ProviderForm({ provider }: { readonly provider: Provider }) {
  const { mode, kind, model, baseUrl, hasKey, sendsPictures, onFailure } = provider;
  const update = useWrite('updateProvider');
  const test = useWrite('testProvider');
  const [tested, setTested] = useState<AnswerOf<'testProvider'> | null>(null);
  const form = useForm(
    { mode, kind, model: model ?? '', baseUrl: baseUrl ?? '', apiKey: '', forgetKey: false, sendsPictures, onFailure },
    async (values) => {
      await update.mutateAsync({ body: choiceOf(values) });
      form.reset({ ...values, apiKey: '', forgetKey: false });
      showDone('It holds from the next document on.');
    },
  );
  const { values } = form;
  const tryIt = async () => {
    setTested(null);
    try {
      setTested(await test.mutateAsync({ body: choiceOf(values) }));
    } catch (error) {
      form.refuse(error);
    }
  };
  const named = kinds.find(({ value }) => value === values.kind)?.label ?? 'the provider';
  return (
    <FormBody form={form} submitLabel="Save" disabled={!form.changed}>
      <Radio.Group
        label="Who extracts"
        value={values.mode}
        onChange={(chosen) => form.set('mode', modes.find(({ value }) => value === chosen)?.value ?? mode)}
        error={form.errorAt('mode')}
      >
        <Stack gap="sm" mt="xs">
          {modes.map((choice) => (
            <Radio key={choice.value} {...choice} />
          ))}
        </Stack>
      </Radio.Group>
      {values.mode !== 'engine' && (
        <>
          <Select
            label="Provider"
            placeholder="Choose one"
            data={kinds}
            value={values.kind}
            onChange={(chosen) => form.set('kind', kinds.find(({ value }) => value === chosen)?.value ?? null)}
            error={form.errorAt('kind')}
          />
          <TextInput
            label="Model"
            description="As the provider writes its name"
            spellCheck={false}
            {...form.text('model')}
          />
          <TextInput
            label="Address"
            description="Empty: the provider’s own. A server of your own needs one."
            type="url"
            placeholder="https://"
            spellCheck={false}
            {...form.text('baseUrl')}
          />
          <PasswordField
            label="API key"
            description={
              hasKey
                ? 'One is stored, encrypted. Empty: it stays, as long as provider and host do.'
                : 'Stored encrypted, and never shown again'
            }
            autoComplete="off"
            disabled={values.forgetKey}
            {...form.text('apiKey')}
          />
          {hasKey && (
            <Checkbox
              label="Forget the stored key"
              checked={values.forgetKey}
              onChange={(event) => form.set('forgetKey', event.currentTarget.checked)}
            />
          )}
          <Checkbox
            label="Send pictures of scanned pages too"
            description="For models that see"
            checked={values.sendsPictures}
            onChange={(event) => form.set('sendsPictures', event.currentTarget.checked)}
            error={form.errorAt('sendsPictures')}
          />
          <Radio.Group
            label="When the provider fails"
            value={values.onFailure}
            onChange={(chosen) => form.set('onFailure', chosen === 'error' ? 'error' : 'engine')}
            error={form.errorAt('onFailure')}
          >
            <Stack gap="sm" mt="xs">
              <Radio value="engine" label="The document gets the engine’s result" />
              <Radio value="error" label="The document gets the error provider_error" />
            </Stack>
          </Radio.Group>
          <Text size="sm" c="dimmed">
            The text of your documents is sent to {named}, whose terms hold for it.
          </Text>
          <Group>
            <Button variant="default" onClick={tryIt} loading={test.isPending}>
              Try it
            </Button>
          </Group>
          <div aria-live="polite">{tested && <TestResult tested={tested} />}</div>
        </>
      )}
    </FormBody>
  );
}

/** What came of one small call. */
function TestResult({ tested }: { readonly tested: AnswerOf<'testProvider'> }) {
  const numbers = useNumbers();
  const { ok, message, model, latencyMs, totalTokens } = tested;
  return (
    <Alert color={ok ? 'teal' : 'red'} title={ok ? 'It works' : 'It does not work'}>
      {message}
      {ok && ` ${model ?? 'It'} took ${numbers.count(latencyMs)} ms and ${numbers.count(totalTokens)} tokens.`}
    </Alert>
  );
}

interface ProviderValues {
  readonly mode: Mode;
  readonly kind: Kind | null;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly forgetKey: boolean;
  readonly sendsPictures: boolean;
  readonly onFailure: Provider['onFailure'];
}

/** The values as the service takes them: what is empty is none, and an empty key is the one that is stored. */
function choiceOf(values: ProviderValues): Choice {
  const { mode, kind, model, baseUrl, apiKey, forgetKey, sendsPictures, onFailure } = values;
  const key = forgetKey ? { apiKey: null } : apiKey === '' ? {} : { apiKey };
  return { mode, kind, model: model.trim() || null, baseUrl: baseUrl.trim() || null, ...key, sendsPictures, onFailure };
}
