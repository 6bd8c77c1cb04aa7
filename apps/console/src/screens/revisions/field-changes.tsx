import { Code } from '@mantine/core';
import classes from './revisions.module.css';

/** A field that differs; its values are any JSON. */
interface FieldChange {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Fields before and after, each by its path. */
export function FieldChanges(props: { readonly fields: readonly FieldChange[] }) {
  return (
    <dl className={classes.fields}>
      {props.fields.map(({ path, before, after }) => (
        <div key={path} className={classes.field}>
          <dt>
            <Code>{path || 'all of it'}</Code>
          </dt>
          <dd className={classes.values}>
            <Value value={before} className={classes.before!} label="before" />
            <Value value={after} className={classes.after!} label="after" />
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
