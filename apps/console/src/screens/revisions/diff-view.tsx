import { Alert, Stack, Text } from '@mantine/core';
import { Mark } from '@millrace/ui/mark';
import { counted, wordsOf } from '@millrace/ui/words';
import type { DataOf } from '../../frame/api.ts';
import { FieldChanges } from './field-changes.tsx';
import classes from './revisions.module.css';

type Change = DataOf<'diffRevision'>['changes'][number];

/** What differs between two contents, in the product's terms. */
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
 * A diff by subject, breaking changes first.
 *
 * @param props.same what to say if nothing differs
 */
export function DiffView(props: { readonly diff: Diff; readonly same?: string }) {
  const { diff, same = 'No changes.' } = props;
  if (diff.changes.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {same}
      </Text>
    );
  }
  const breaking = diff.changes.filter((change) => change.breaking).length;
  return (
    <Stack gap="sm">
      {breaking > 0 && (
        <Alert color="red" title={counted(breaking, 'breaking change')}>
          Callers that work today can fail afterwards.
        </Alert>
      )}
      {areas.map(([area, name]) => {
        const changes = diff.changes
          .filter((change) => change.area === area)
          .sort((one, other) => Number(other.breaking) - Number(one.breaking));
        if (changes.length === 0) return null;
        return (
          <section key={area} className={classes.area}>
            <h3 className={classes.areaTitle}>{name}</h3>
            {changes.map((change, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two changes may be about the same object.
              <ChangeEntry key={`${change.key} ${index}`} change={change} />
            ))}
          </section>
        );
      })}
    </Stack>
  );
}

function ChangeEntry({ change }: { readonly change: Change }) {
  const { kind, key, breaking, reason, fields } = change;
  return (
    <div className={classes.change}>
      <div className={classes.changeTitle}>
        <Mark tone={kindTones[kind]}>{wordsOf(kind)}</Mark>
        <span className={classes.key}>{key}</span>
        {breaking && <Mark tone="bad">Breaking</Mark>}
        <span className={classes.reason}>{reason}</span>
      </div>
      {fields.length > 0 && <FieldChanges fields={fields} kind={kind} />}
    </div>
  );
}
