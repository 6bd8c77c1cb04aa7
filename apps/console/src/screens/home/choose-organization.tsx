import { Anchor, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Loaded, Section } from '@millrace/ui/page';
import { useState } from 'react';
import { addressOf, useRead } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';

/** Where a Super Admin begins, whose own organization has nothing: the others. */
export function ChooseOrganization() {
  const { organization } = useSession();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 250);
  const read = useRead('listOrganizations', { query: { search, pageSize: 100 } });
  return (
    <Section title="Choose an organization">
      <Stack>
        <Text>
          {organization.displayName} has no APIs of its own. Its Super Admins look after the other organizations.
        </Text>
        <TextInput
          label="Search"
          type="search"
          maw={320}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Loaded read={read}>
          {({ organizations, total }) => {
            const others = organizations.filter(({ id }) => id !== organization.id);
            if (others.length === 0) return <Text c="dimmed">There are no other organizations.</Text>;
            return (
              <>
                <Table aria-label="Organizations">
                  <Table.Tbody>
                    {others.map(({ id, displayName, state }) => (
                      <Table.Tr key={id}>
                        <Table.Td>
                          <Anchor href={addressOf(id, organization.id)}>{displayName}</Anchor>
                        </Table.Td>
                        <Table.Td>{state === 'suspended' ? 'Suspended' : ''}</Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
                {total > organizations.length && (
                  <Text size="sm">{total - organizations.length} more: search for them.</Text>
                )}
              </>
            );
          }}
        </Loaded>
      </Stack>
    </Section>
  );
}
