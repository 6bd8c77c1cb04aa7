import { Alert, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Mark } from '@millrace/ui/mark';
import type { DataOf } from '../../frame/api.ts';
import { FieldChanges } from './field-changes.tsx';

type Change = DataOf<'diffRevision'>['changes'][number];

/** What differs between two contents, in the words of the product. */
export interface Diff {
  readonly changes: readonly Change[];
  readonly breaking: boolean;
}

const areas: readonly (readonly [Change['area'], string])[] = [
  ['proxy', 'API proxy'],
  ['route', 'Routes'],
  ['target', 'Targets'],
  ['policy', 'Policies'],
  ['specification', 'Specification'],
];
const kindTones = { added: 'good', removed: 'warning', changed: 'active' } as const;

/**
 * A diff by what it is about, breaking changes first and marked.
 *
 * @param props.same what to say where nothing differs
 */
export function DiffView(props: { readonly diff: Diff; readonly same?: string; readonly level?: 2 | 3 | 4 }) {
  const { diff, same = 'Nothing differs.', level = 3 } = props;
  if (diff.changes.length === 0) return <Text c="dimmed">{same}</Text>;
  const breaking = diff.changes.filter((change) => change.breaking).length;
  return (
    <Stack>
      {breaking > 0 && (
        <Alert color="red" title={`${breaking} breaking ${breaking === 1 ? 'change' : 'changes'}`}>
          Callers that are right today may fail afterwards.
        </Alert>
      )}
      {areas.map(([area, name]) => {
        const changes = diff.changes
          .filter((change) => change.area === area)
          .sort((one, other) => Number(other.breaking) - Number(one.breaking));
        if (changes.length === 0) return null;
        return (
          <section key={area}>
            <Title order={level} size="h5" mb="xs">
              {name}
            </Title>
            <Stack gap="xs">
              {changes.map((change, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two changes may be about one thing.
                <ChangeCard key={`${change.key} ${index}`} change={change} />
              ))}
            </Stack>
          </section>
        );
      })}
    </Stack>
  );
}

function ChangeCard({ change }: { readonly change: Change }) {
  return (
    <Card withBorder padding="sm">
      <Group gap="xs">
        <Mark tone={kindTones[change.kind]}>{change.kind}</Mark>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {change.key}
        </Text>
        {change.breaking && <Mark tone="bad">breaking</Mark>}
      </Group>
      <Text size="sm" c="dimmed" mt={4}>
        {change.reason}
      </Text>
      {change.fields.length > 0 && (
        <Stack mt="xs">
          <FieldChanges fields={change.fields} kind={change.kind} />
        </Stack>
      )}
    </Card>
  );
}
