import { Button, Group, Stack, Text } from '@mantine/core';
import { CopiedValue } from '@millrace/ui/copied-value';
import { SchemaForm } from '@millrace/ui/schema-form';
import { useState } from 'react';
import { bodyOf, type DataOf, useWrite } from '../../frame/api.ts';

type Domain = DataOf<'createPortalDomain'>;

/** Adds a domain, then shows the DNS record that verifies it. */
export function AddDomain({ onClose }: { readonly onClose: () => void }) {
  const create = useWrite('createPortalDomain');
  const [added, setAdded] = useState<Domain | null>(null);
  if (added !== null) {
    return (
      <Stack>
        <DomainRecord domain={added} />
        <Group justify="flex-end">
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <SchemaForm
      schema={bodyOf('createPortalDomain')}
      fields={{ hostName: { placeholder: 'developers.example.com', help: 'Its DNS has to point at this server' } }}
      submitLabel="Add"
      onCancel={onClose}
      send={async (body) => setAdded(await create.mutateAsync({ body }))}
    />
  );
}

/** The DNS record that proves who owns a domain, to be copied. */
export function DomainRecord({ domain }: { readonly domain: Pick<Domain, 'recordName' | 'recordValue'> }) {
  return (
    <Stack>
      <Text size="sm">Add this TXT record to the DNS of the domain, then verify it.</Text>
      <CopiedValue label="Name" value={domain.recordName} />
      <CopiedValue label="Value" value={domain.recordValue} />
    </Stack>
  );
}
