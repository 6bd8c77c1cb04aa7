import { Code } from '@mantine/core';
import classes from './revisions.module.css';

/** A field that differs; its values are any JSON. */
interface FieldChange {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Fields before and after, each by its path; of what is added or removed, the one side that there is. */
export function FieldChanges(props: {
  readonly fields: readonly FieldChange[];
  readonly kind?: 'added' | 'removed' | 'changed';
}) {
  return (
    <dl className={classes.fields}>
      {props.fields.map(({ path, before, after }) => (
        <div key={path} className={classes.field}>
          <dt>
            <Code>{path || 'all of it'}</Code>
          </dt>
          <dd className={classes.values}>
            {props.kind !== 'added' && <Value value={before} className={classes.before!} label="before" />}
            {props.kind !== 'removed' && (
              <Value value={after} className={classes.after!} label={props.kind === 'added' ? 'added' : 'after'} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value(props: { readonly value: unknown; readonly className: string; readonly label: string }) {
  const { value } = props;
  const text =
    value === null || value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <span className={props.className}>
      <span className={classes.side}>{props.label}</span>
      <span className={classes.value}>{text === '' ? '(empty)' : text}</span>
    </span>
  );
}
