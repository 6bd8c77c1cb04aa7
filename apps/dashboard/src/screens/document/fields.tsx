import { Select } from '@mantine/core';
import { Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useState } from 'react';
import { ConfidenceMark } from '../../frame/confidence.tsx';
import { type DocumentDetail, definitionOf, type FieldDefinition, keyOf, type ShownValue } from './paths.ts';
import { type Editing, ValueInput } from './value-input.tsx';
import { textOf } from './value-text.ts';
import classes from './workspace.module.css';

/** The names of the fields that are shown: those that the document has, and missing required ones. */
export function fieldsOf(document: DocumentDetail): readonly string[] {
  const doubtful = new Set(document.doubtful.map((path) => ('field' in path ? path.field : '')));
  const known = document.fieldDefinitions
    .map(({ name }) => name)
    .filter((name) => name in document.fields || doubtful.has(name));
  return [...known, ...Object.keys(document.fields).filter((name) => !known.includes(name))];
}

/** Fields with editable values. */
export function Fields(props: {
  readonly document: DocumentDetail;
  readonly names: readonly string[];
  readonly selected: string | null;
  readonly editing: Editing;
}) {
  const { document, names, selected, editing } = props;
  const doubtful = new Set(document.doubtful.map(keyOf));
  return (
    <div className={classes.fields}>
      {names.map((name) => (
        <Field
          key={name}
          definition={definitionOf(document, name)}
          shown={document.fields[name]}
          threshold={document.reviewThreshold}
          doubtful={doubtful.has(keyOf({ field: name }))}
          selected={selected === keyOf({ field: name })}
          editing={editing}
        />
      ))}
    </div>
  );
}

function Field(props: {
  readonly definition: FieldDefinition;
  readonly shown: ShownValue | undefined;
  readonly threshold: number;
  readonly doubtful: boolean;
  readonly selected: boolean;
  readonly editing: Editing;
}) {
  const { definition, shown, threshold, doubtful, selected, editing } = props;
  const path = { field: definition.name };
  const key = keyOf(path);
  return (
    <div className={classes.field} data-doubtful={doubtful || undefined} data-selected={selected || undefined}>
      <label htmlFor={key} className={classes.label} title={definition.description || undefined}>
        {definition.label}
      </label>
      <div className={classes.entry}>
        <ValueInput {...{ path, definition, shown, editing, doubtful }} describedBy={`${key}-standing ${key}-notes`} />
      </div>
      <div className={classes.standing} id={`${key}-standing`}>
        <Standing shown={shown} threshold={threshold} doubtful={doubtful} />
      </div>
      <Notes id={`${key}-notes`} definition={definition} shown={shown} doubtful={doubtful} />
    </div>
  );
}

/** The confidence of a value. */
function Standing(props: {
  readonly shown: ShownValue | undefined;
  readonly threshold: number;
  readonly doubtful: boolean;
}) {
  const { shown, threshold, doubtful } = props;
  if (shown === undefined)
    return doubtful ? <span className={classes.missing}>! Missing</span> : <span>Not found</span>;
  if (shown.correctedAt !== undefined) {
    return (
      <span className={classes.checked}>
        <span aria-hidden>✎ </span>Checked
      </span>
    );
  }
  return <ConfidenceMark confidence={shown.confidence} threshold={threshold} />;
}

/** Why a value needs checking, or what it was and who corrected it. */
function Notes(props: {
  readonly id: string;
  readonly definition: FieldDefinition;
  readonly shown: ShownValue | undefined;
  readonly doubtful: boolean;
}) {
  const { id, definition, shown, doubtful } = props;
  if (shown?.correctedAt !== undefined) {
    const before = shown.original ? textOf(shown.original.value, definition.kind) : '';
    const differs = before !== '' && before !== textOf(shown.value, definition.kind);
    return (
      <span id={id} className={classes.notes}>
        {differs && `Was ${before}. `}By {shown.correctedBy?.name ?? 'a former member'},{' '}
        <Moment at={shown.correctedAt} />
      </span>
    );
  }
  if (!doubtful || shown === undefined || shown.flags.length === 0) return null;
  return (
    <span id={id} className={classes.notes}>
      {shown.flags.map(wordsOf).join(', ')}
    </span>
  );
}

/** Adds a field of the document's type that the extraction didn't find. */
export function AddField(props: {
  readonly document: DocumentDetail;
  readonly shownNames: readonly string[];
  readonly selected: string | null;
  readonly editing: Editing;
}) {
  const { document, shownNames, selected, editing } = props;
  const [added, setAdded] = useState<readonly string[]>([]);
  const isShown = (name: string) => shownNames.includes(name);
  const absent = document.fieldDefinitions.filter(({ name }) => !isShown(name) && !added.includes(name));
  const opened = added.filter((name) => !isShown(name));
  return (
    <>
      <Fields document={document} names={opened} selected={selected} editing={editing} />
      {absent.length > 0 && (
        <Select
          aria-label="Add a missing field"
          placeholder="Add a missing field"
          size="xs"
          mt="xs"
          searchable
          data={absent.map(({ name, label }) => ({ value: name, label }))}
          value={null}
          onChange={(name) => {
            if (name === null) return;
            setAdded([...added, name]);
            // Once its input is rendered.
            requestAnimationFrame(() => window.document.getElementById(keyOf({ field: name }))?.focus());
          }}
        />
      )}
    </>
  );
}
