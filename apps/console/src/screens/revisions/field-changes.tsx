import { VisuallyHidden } from '@mantine/core';
import classes from './revisions.module.css';

/** A field that differs; its values are any JSON. */
interface FieldChange {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Fields before and after, by their paths; added and removed ones have one side only. */
export function FieldChanges(props: {
  readonly fields: readonly FieldChange[];
  readonly kind?: 'added' | 'removed' | 'changed';
}) {
  const { fields, kind } = props;
  return (
    <dl className={classes.fields}>
      {fields.map(({ path, before, after }) => (
        <div key={path} className={classes.field}>
          <dt>{path || 'everything'}</dt>
          <dd>
            {kind !== 'added' && <Value value={before} side="before" />}
            {kind !== 'removed' && <Value value={after} side="after" />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value, side }: { readonly value: unknown; readonly side: 'before' | 'after' }) {
  const text =
    value === null || value === undefined ? 'None' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <div className={classes.value} data-side={side}>
      <VisuallyHidden>{side === 'before' ? 'Before: ' : 'After: '}</VisuallyHidden>
      <span>{text === '' ? 'Empty' : text}</span>
    </div>
  );
}
