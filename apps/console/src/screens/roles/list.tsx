import { Anchor, Text } from '@mantine/core';
import { FormDialog } from '@millrace/ui/form-dialog';
import { Mark } from '@millrace/ui/mark';
import { Page } from '@millrace/ui/page';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { listQueryOf, useRead } from '../../frame/api.ts';
import { PermittedButton } from '../../frame/can.tsx';
import { ResourceList } from '../../frame/resource-list.tsx';
import { RoleForm } from './role-form.tsx';

/** The built-in and the custom roles. */
export function RoleList() {
  const search = useSearch({ from: '/shell/roles' });
  const list = useRead('listRoles', { query: listQueryOf(search) });
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title="Roles"
      description="Sets of permissions that users have. The built-in ones never change."
      actions={
        <PermittedButton permission="role.write" onClick={() => setCreating(true)}>
          Make a role
        </PermittedButton>
      }
    >
      <ResourceList
        noun="roles"
        rows={list.data?.roles}
        total={list.data?.total}
        loading={list.isFetching}
        error={list.error}
        columns={[
          {
            title: 'Name',
            sort: 'name',
            cell: ({ id, name, description }) => (
              <>
                <Anchor renderRoot={(root) => <Link {...root} to="/roles/$roleId" params={{ roleId: id }} />}>
                  {name}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {description}
                </Text>
              </>
            ),
          },
          {
            title: 'Kind',
            cell: ({ builtIn }) => <Mark tone={builtIn ? 'neutral' : 'accent'}>{builtIn ? 'Built-in' : 'Custom'}</Mark>,
          },
          { title: 'Permissions', cell: ({ permissions }) => permissions.length },
          { title: 'Users', cell: ({ users }) => users },
        ]}
        filters={[
          {
            name: 'builtIn',
            label: 'Kind',
            options: [
              { value: 'true', label: 'Built-in' },
              { value: 'false', label: 'Custom' },
            ],
          },
        ]}
      />
      <FormDialog title="Make a role" opened={creating} onClose={() => setCreating(false)} large>
        <RoleForm
          onCancel={() => setCreating(false)}
          onSaved={({ id }) => navigate({ to: '/roles/$roleId', params: { roleId: id } })}
        />
      </FormDialog>
    </Page>
  );
}
