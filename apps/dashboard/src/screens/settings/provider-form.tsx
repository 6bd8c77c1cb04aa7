import { Alert, Button, Checkbox, Group, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { useNumbers } from '@millrace/ui/numbers';
import { PasswordField } from '@millrace/ui/password-field';
import { useState } from 'react';
import { type AnswerOf, type ArgumentsOf, useWrite } from '../../frame/api.ts';

type Provider = AnswerOf<'getProvider'>;
type Choice = ArgumentsOf<'updateProvider'>['body'];
type Mode = Provider['mode'];
type Kind = NonNullable<Provider['kind']>;

const modes: readonly { readonly value: Mode; readonly label: string; readonly description: string }[] = [
  {
    value: 'engine',
    label: 'Built-in engine',
    description: 'Documents never leave this service.',
  },
  {
    value: 'escalate',
    label: 'Engine, with a model for low-confidence fields',
    description: 'Only low-confidence fields are sent to the model, which takes fewer tokens.',
  },
  {
    value: 'provider',
    label: 'Model for every field',
    description: 'Every document is sent to the provider.',
  },
];

const kinds: readonly { readonly value: Kind; readonly label: string }[] = [
  { value: 'openai', label: 'OpenAI' },
  { value: 'openai-compatible', label: 'OpenAI-compatible server' },
  { value: 'anthropic', label: 'Anthropic' },
  { value: 'google', label: 'Google' },
  { value: 'ollama', label: 'Ollama' },
];

/** Chooses and tests the extraction method. By hand: a test sends what is entered, saved or not. */
export function ProviderForm({ provider }: { readonly provider: Provider }) {
  const { mode, kind, model, baseUrl, hasKey, sendsPictures, onFailure } = provider;
  const update = useWrite('updateProvider');
  const test = useWrite('testProvider');
  const [tested, setTested] = useState<AnswerOf<'testProvider'> | null>(null);
  const form = useForm(
    { mode, kind, model: model ?? '', baseUrl: baseUrl ?? '', apiKey: '', forgetKey: false, sendsPictures, onFailure },
    async (values) => {
      await update.mutateAsync({ body: choiceOf(values) });
      form.reset({ ...values, apiKey: '', forgetKey: false });
      showDone('Saved. Applies from the next document on.');
    },
  );
  const { values } = form;
  const runTest = async () => {
    setTested(null);
    try {
      setTested(await test.mutateAsync({ body: choiceOf(values) }));
    } catch (error) {
      form.refuse(error);
    }
  };
  const providerName = kinds.find(({ value }) => value === values.kind)?.label ?? 'the provider';
  return (
    <FormBody form={form} submitLabel="Save" disabled={!form.changed}>
      <Radio.Group
        label="Extraction method"
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
            description="The provider’s name for it"
            spellCheck={false}
            {...form.text('model')}
          />
          <TextInput
            label="Base URL"
            description="Empty uses the provider’s own. Required for your own server"
            type="url"
            placeholder="https://"
            spellCheck={false}
            {...form.text('baseUrl')}
          />
          <PasswordField
            label="API key"
            description={
              hasKey
                ? 'A key is stored, encrypted. Leave empty to keep it; a new provider or host needs its own.'
                : 'Stored encrypted and never shown again'
            }
            autoComplete="off"
            disabled={values.forgetKey}
            {...form.text('apiKey')}
          />
          {hasKey && (
            <Checkbox
              label="Delete the stored key"
              checked={values.forgetKey}
              onChange={(event) => form.set('forgetKey', event.currentTarget.checked)}
            />
          )}
          <Checkbox
            label="Send images of scanned pages"
            description="Vision models only"
            checked={values.sendsPictures}
            onChange={(event) => form.set('sendsPictures', event.currentTarget.checked)}
            error={form.errorAt('sendsPictures')}
          />
          <Radio.Group
            label="If the provider fails"
            value={values.onFailure}
            onChange={(chosen) => form.set('onFailure', chosen === 'error' ? 'error' : 'engine')}
            error={form.errorAt('onFailure')}
          >
            <Stack gap="sm" mt="xs">
              <Radio value="engine" label="Use the engine’s result" />
              <Radio value="error" label="Fail the document with provider_error" />
            </Stack>
          </Radio.Group>
          <Text size="sm" c="dimmed">
            The text of your documents is sent to {providerName}, under its terms.
          </Text>
          <Group>
            <Button variant="default" onClick={runTest} loading={test.isPending}>
              Test provider
            </Button>
          </Group>
          <div aria-live="polite">{tested && <TestResult tested={tested} />}</div>
        </>
      )}
    </FormBody>
  );
}

/** The outcome of a test. */
function TestResult({ tested }: { readonly tested: AnswerOf<'testProvider'> }) {
  const numbers = useNumbers();
  const { ok, message, model, latencyMs, totalTokens } = tested;
  return (
    <Alert color={ok ? 'teal' : 'red'} title={ok ? 'Test passed' : 'Test failed'}>
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

/** The values as the service takes them: an empty text is null, an empty key keeps the stored one. */
function choiceOf(values: ProviderValues): Choice {
  const { mode, kind, model, baseUrl, apiKey, forgetKey, sendsPictures, onFailure } = values;
  const key = forgetKey ? { apiKey: null } : apiKey === '' ? {} : { apiKey };
  return { mode, kind, model: model.trim() || null, baseUrl: baseUrl.trim() || null, ...key, sendsPictures, onFailure };
}
