import { Group, Stack, Text } from '@mantine/core';
import { Loaded } from '@millrace/ui/page';
import { useState } from 'react';
import { AdministratorActions } from '../../frame/administrator-actions.tsx';
import { type AnswerOf, useRead, useWrite } from '../../frame/api.ts';
import { AdministratorFields } from './administrator-fields.tsx';
import { ProviderForm } from './provider-form.tsx';

/** The extraction method: the engine, or a provider's model. */
export function ProviderTab() {
  const provider = useRead('getProvider');
  const [resets, setResets] = useState(0);
  return (
    <Loaded read={provider}>
      {(data) => (
        <Stack maw={640}>
          <Origin provider={data} onReset={() => setResets(resets + 1)} />
          <AdministratorFields>
            <ProviderForm key={resets} provider={data} />
          </AdministratorFields>
        </Stack>
      )}
    </Loaded>
  );
}

/** Whether the settings are the account's own or the service's. */
function Origin(props: { readonly provider: AnswerOf<'getProvider'>; readonly onReset: () => void }) {
  const remove = useWrite('removeProvider');
  if (props.provider.isBySettings) {
    return (
      <Text size="sm" c="dimmed">
        These are the service’s default settings, set by its operator.
      </Text>
    );
  }
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed">
        These are this account’s own settings.
      </Text>
      <AdministratorActions
        actions={[
          {
            label: 'Reset to default',
            run: async () => {
              await remove.mutateAsync({});
              props.onReset();
            },
            done: 'Reset to the service’s default settings.',
            confirm: {
              title: 'Reset to the service’s default settings?',
              text: 'This account’s own settings are deleted, including the API key.',
            },
          },
        ]}
      />
    </Group>
  );
}
