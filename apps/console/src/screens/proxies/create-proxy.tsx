import { Paper, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite } from '../../frame/api.ts';
import { showDone, useForm } from '../../frame/form.ts';
import { FormBody } from '../../frame/form-dialog.tsx';
import { Page } from '../../frame/page.tsx';
import { BasePathInput, ProxyDetails, type ProxyValues } from './proxy-fields.tsx';
import { nameOfTitle } from './version-segment.ts';

const emptyProxy: ProxyValues = {
  displayName: '',
  name: '',
  basePath: '',
  description: '',
  protocol: 'rest',
  authScheme: 'api_key',
  tags: [],
};

/** Makes an empty proxy; its routes come next. */
export function CreateProxy() {
  const navigate = useNavigate();
  const create = useWrite('createProxy');
  const [named, setNamed] = useState(false);
  const form = useForm<ProxyValues>(emptyProxy, async (values) => {
    const proxy = await create.mutateAsync({ body: values });
    showDone(`${proxy.displayName} is there. Add its routes next.`);
    await navigate({ to: '/proxies/$proxyId/routes', params: { proxyId: proxy.id } });
  });
  return (
    <Page
      title="New API proxy"
      description="Begins as a draft: nothing of it is served until a revision is deployed."
      crumbs={[{ label: 'API proxies', to: '/proxies' }]}
    >
      <Paper withBorder p="lg" maw={640}>
        <FormBody form={form} submitLabel="Create" onCancel={() => navigate({ to: '/proxies' })}>
          <TextInput
            label="Display name"
            placeholder="Orders"
            required
            {...form.text('displayName')}
            onChange={(event) => {
              const displayName = event.currentTarget.value;
              form.set('displayName', displayName);
              if (!named) form.set('name', nameOfTitle(displayName));
            }}
          />
          <TextInput
            label="Name"
            description="Lower-case letters, digits and hyphens; for pipelines and the audit trail."
            required
            {...form.text('name')}
            onChange={(event) => {
              setNamed(true);
              form.set('name', event.currentTarget.value);
            }}
            spellCheck={false}
          />
          <BasePathInput form={form} />
          <ProxyDetails form={form} />
        </FormBody>
      </Paper>
    </Page>
  );
}
