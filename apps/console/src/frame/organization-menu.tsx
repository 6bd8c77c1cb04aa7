import { Button, Menu, ScrollArea, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconChevronDown } from '@millrace/ui/icons';
import { useState } from 'react';
import { addressOf, useRead } from './api.ts';
import { useSession } from './session.tsx';

/** The organization that is open. Super Admins can open another one here. */
export function OrganizationMenu() {
  const { organization, organizationId, superAdmin, can } = useSession();
  const foreign = organizationId !== organization.id;
  const chosen = useRead(
    'getOrganization',
    { params: { organizationId } },
    { enabled: foreign && can('organization.read') },
  );
  const name = foreign ? (chosen.data?.displayName ?? '…') : organization.displayName;
  if (!superAdmin) {
    return (
      <Text size="sm" fw={500} truncate>
        {name}
      </Text>
    );
  }
  return (
    <Menu position="bottom-start" width={300}>
      <Menu.Target>
        <Button
          variant={foreign ? 'filled' : 'subtle'}
          color={foreign ? 'grape.9' : 'gray'}
          c={foreign ? undefined : 'var(--mantine-color-text)'}
          size="xs"
          maw={220}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={`Organization ${name}: choose another`}
        >
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Organizations />
      </Menu.Dropdown>
    </Menu>
  );
}

function Organizations() {
  const { organization, organizationId } = useSession();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 250);
  const list = useRead('listOrganizations', { query: { search, pageSize: 20 } });
  return (
    <>
      <TextInput
        aria-label="Search organizations"
        placeholder="Search organizations"
        type="search"
        size="xs"
        m="xs"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => event.stopPropagation()}
      />
      <ScrollArea.Autosize mah={320}>
        {list.data?.organizations.map(({ id, displayName, state }) => (
          <Menu.Item
            key={id}
            component="a"
            href={addressOf(id, organization.id)}
            aria-current={id === organizationId ? 'true' : undefined}
            rightSection={state === 'suspended' ? <Text size="xs">suspended</Text> : null}
          >
            {displayName}
          </Menu.Item>
        ))}
      </ScrollArea.Autosize>
    </>
  );
}
