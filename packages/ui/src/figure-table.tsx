import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import classes from './chart.module.css';
import { csvText } from './csv-text.ts';
import { saveText } from './save-text.ts';
import { texts } from './texts.ts';

/** A row of a chart's figures. */
export interface FigureRow {
  /** Such as the time, as the reader sees it. */
  readonly title: string;
  /** The same for programs. */
  readonly plain: string | number;
  readonly values: readonly (number | null)[];
}

/** The figures of a chart as a table, which is only made when it is opened, and as CSV. */
export function FigureTable(props: {
  /** Of the chart. */
  readonly label: string;
  /** Above the first column, then above each value. */
  readonly columns: readonly string[];
  readonly rows: () => readonly FigureRow[];
  readonly format: (value: number) => string;
}) {
  const { label, columns, rows, format } = props;
  const words = texts().chart;
  const [open, setOpen] = useState(false);
  return (
    <div className={classes.figures}>
      <UnstyledButton
        className={classes.save!}
        aria-label={words.csvOf(label)}
        onClick={() => saveText(csvText([columns, ...rows().map(cellsOf)]), `${fileNameOf(label)}.csv`)}
      >
        {words.csv}
      </UnstyledButton>
      <details className={classes.details} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{words.asTable}</summary>
        {open && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: by keyboard, a wide table is scrolled here.
          <section className={classes.table} aria-label={words.tableOf(label)} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  {columns.map((column) => (
                    <th key={column} scope="col">
                      {column}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows().map(({ title, plain, values }) => (
                  <tr key={plain}>
                    <th scope="row">{title}</th>
                    {values.map((value, index) => (
                      <td key={columns[index + 1]}>{value === null ? '–' : format(value)}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </details>
    </div>
  );
}

function cellsOf({ plain, values }: FigureRow): readonly (string | number | null)[] {
  return [plain, ...values];
}

/** Of a label, such as `requests-by-day`. */
export function fileNameOf(label: string): string {
  return label
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}
