import { ActionIcon, Button, Group } from '@mantine/core';
import { memo, useState } from 'react';
import type { Change } from './corrections.ts';
import { type DocumentDetail, keyOf } from './paths.ts';
import { type Editing, ValueInput } from './value-input.tsx';
import classes from './workspace.module.css';

type Rows = NonNullable<DocumentDetail['rows']>;

/** The line items as a table with editable cells. */
export function RowsTable(props: {
  readonly document: DocumentDetail;
  readonly rows: Rows;
  readonly editing: Editing;
}) {
  const { document, rows, editing } = props;
  const { corrections } = editing;
  const doubtful = new Set(document.doubtful.map(keyOf));
  // Rows are identified by position, so the second change has to see the positions after the first.
  const [moving, setMoving] = useState(false);
  const changeRows = async (change: Change) => {
    setMoving(true);
    await corrections.correct(change, null);
    setMoving(false);
  };
  return (
    <>
      <section className={classes.tableScroll} aria-label="Table of line items">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">#</th>
              {rows.columns.map(({ name, label }) => (
                <th key={name} scope="col">
                  {label}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its position.
              <tr key={index}>
                <th scope="row">{index + 1}</th>
                {rows.columns.map((column) => {
                  const path = { row: index, column: column.name };
                  const shown = row[column.name];
                  return (
                    <td key={column.name}>
                      <ValueInput
                        path={path}
                        definition={column}
                        shown={shown}
                        editing={editing}
                        label={`Row ${index + 1}, ${column.label}`}
                        describedBy={shown && `${keyOf(path)}-notes`}
                        doubtful={doubtful.has(keyOf(path))}
                      />
                      {shown && (
                        <CellNote
                          id={`${keyOf(path)}-notes`}
                          confidence={shown.confidence}
                          doubtful={doubtful.has(keyOf(path))}
                          corrected={shown.correctedAt !== undefined}
                        />
                      )}
                    </td>
                  );
                })}
                <td>
                  <ActionIcon
                    variant="subtle"
                    color="gray.7"
                    size="sm"
                    aria-label={`Remove row ${index + 1}`}
                    disabled={moving}
                    onClick={() => changeRows({ removeRow: index })}
                  >
                    ✕
                  </ActionIcon>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Group mt="xs">
        <Button variant="default" size="xs" disabled={moving} onClick={() => changeRows({ addRow: {} })}>
          Add row
        </Button>
      </Group>
    </>
  );
}

/** The confidence of a cell: visible if low, and always for screen readers. */
const CellNote = memo(function CellNote(props: {
  readonly id: string;
  readonly confidence: number;
  readonly doubtful: boolean;
  readonly corrected: boolean;
}) {
  const { id, confidence, doubtful, corrected } = props;
  const figure = Math.floor(confidence);
  return (
    <span id={id} className={classes.cellNote} data-shown={doubtful || corrected || undefined}>
      {corrected ? '✎ Checked' : doubtful ? `? ${figure}, check this value` : `Confidence ${figure}`}
    </span>
  );
});
