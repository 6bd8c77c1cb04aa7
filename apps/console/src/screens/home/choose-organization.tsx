import { Anchor, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@millrace/ui/icons';
import { Loaded, Section } from '@millrace/ui/page';
import { RecordTable } from '@millrace/ui/record-table';
import { useState } from 'react';
import { addressOf, useRead } from '../../frame/api.ts';
import { useSession } from '../../frame/session.tsx';
import { ActiveMark } from '../../frame/state-mark.tsx';

/** Where a Super Admin whose own organization is empty begins: the other organizations. */
export function ChooseOrganization() {
  const { organization } = useSession();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 250);
  const read = useRead('listOrganizations', { query: { search, pageSize: 100 } });
  return (
    <Section
      title="Choose an organization"
      description={`${organization.displayName} has no APIs of its own: its Super Admins manage the other organizations.`}
    >
      <Stack gap="xs">
        <TextInput
          aria-label="Search organizations"
          placeholder="Search organizations"
          type="search"
          maw={240}
          leftSection={<IconSearch size={15} aria-hidden />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Loaded read={read}>
          {({ organizations, total }) => {
            const others = organizations.filter(({ id }) => id !== organization.id);
            if (others.length === 0) return <Text c="dimmed">No other organizations.</Text>;
            return (
              <>
                <RecordTable
                  label="Table of organizations"
                  rows={others}
                  columns={[
                    {
                      title: 'Name',
                      cell: ({ id, displayName }) => (
                        <Anchor href={addressOf(id, organization.id)}>{displayName}</Anchor>
                      ),
                    },
                    { title: 'State', cell: ({ state }) => <ActiveMark state={state} /> },
                  ]}
                />
                {total > organizations.length && (
                  <Text size="sm" c="dimmed">
                    {total - organizations.length} more: search to find them.
                  </Text>
                )}
              </>
            );
          }}
        </Loaded>
      </Stack>
    </Section>
  );
}
