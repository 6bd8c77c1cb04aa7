import { Paper } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-dialog';
import { Page } from '@millrace/ui/page';
import { useNavigate } from '@tanstack/react-router';
import { useWrite } from '../../frame/api.ts';
import { NameFields } from '../../frame/name-fields.tsx';
import { BasePathInput, ProxyDetails, type ProxyValues } from './proxy-fields.tsx';

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
          <NameFields form={form} placeholder="Orders" named={false} />
          <BasePathInput form={form} />
          <ProxyDetails form={form} />
        </FormBody>
      </Paper>
    </Page>
  );
}
