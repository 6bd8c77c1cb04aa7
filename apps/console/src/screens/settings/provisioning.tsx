import { Paper, Title } from '@mantine/core';
import { Loaded } from '@millrace/ui/page';
import { ProvisioningTokens } from '@millrace/ui/provisioning';
import { PermittedActions, RowActions } from '../../frame/actions.tsx';
import { bodyOf, useRead, useWrite } from '../../frame/api.ts';

const permission = 'identity-provider.write';

/** The tokens by which an identity provider provisions users and groups. */
export function Provisioning({ scimUrl }: { readonly scimUrl: string }) {
  const read = useRead('listScimTokens', { query: { pageSize: 100 } });
  const create = useWrite('createScimToken');
  const remove = useWrite('deleteScimToken');
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        Provisioning
      </Title>
      <Loaded read={read}>
        {({ tokens }) => (
          <ProvisioningTokens
            scimUrl={scimUrl}
            tokens={tokens}
            schema={bodyOf('createScimToken')}
            create={async (body) => (await create.mutateAsync({ body })).token}
            remove={(scimTokenId) => remove.mutateAsync({ params: { scimTokenId } })}
            renderActions={(actions, within) => {
              const permitted = actions.map((action) => ({ ...action, permission }));
              return within === 'row' ? <RowActions actions={permitted} /> : <PermittedActions actions={permitted} />;
            }}
          />
        )}
      </Loaded>
    </Paper>
  );
}
