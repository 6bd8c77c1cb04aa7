import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './chart.module.css';
import { csvText } from './csv-text.ts';
import { fileNameOf } from './figure-table.tsx';
import { type Column, RecordTable } from './record-table.tsx';
import { saveText } from './save-text.ts';
import { texts } from './texts.ts';

/** A figure of each row. */
export interface BarMeasure<Row> {
  readonly title: string;
  readonly value: (row: Row) => number | null;
  readonly format: (value: number) => string;
  /** Below the figure, such as its change. */
  readonly note?: (row: Row) => ReactNode;
}

/** Rows by size: the first of their figures as bars, all of them as a table and as CSV. */
export function BarTable<Row extends { readonly id: string }>(props: {
  /** What it lists, such as `API proxies by requests`. */
  readonly label: string;
  readonly rows: readonly Row[];
  /** What a row is. */
  readonly name: {
    readonly title: string;
    readonly cell: (row: Row) => ReactNode;
    /** Its cells in CSV: the name, then what else identifies it. */
    readonly plain: (row: Row) => string;
  };
  /** The first one is drawn. */
  readonly measures: readonly [BarMeasure<Row>, ...BarMeasure<Row>[]];
  /** Failures are drawn in their colour. */
  readonly tone?: 'bad';
  /** At the end of each row. */
  readonly actions?: Column<Row>;
}) {
  const { label, rows, name, measures, tone, actions } = props;
  const words = texts().chart;
  const most = Math.max(1, ...rows.map((row) => measures[0].value(row) ?? 0));
  const columnOf = (measure: BarMeasure<Row>, index: number): Column<Row> => ({
    title: measure.title,
    align: 'end',
    cell: (row) => {
      const value = measure.value(row);
      const text = value === null ? '–' : measure.format(value);
      return (
        <>
          {index === 0 ? (
            <span className={classes.measured}>
              <span className={classes.bar} aria-hidden>
                <span data-tone={tone} style={{ width: `${((value ?? 0) / most) * 100}%` }} />
              </span>
              {text}
            </span>
          ) : (
            text
          )}
          {measure.note?.(row)}
        </>
      );
    },
  });
  const save = () => {
    const titles = ['ID', name.title, ...measures.map(({ title }) => title)];
    const lines = rows.map((row) => [row.id, name.plain(row), ...measures.map(({ value }) => value(row))]);
    saveText(csvText([titles, ...lines]), `${fileNameOf(label)}.csv`);
  };
  return (
    <div className={classes.figure}>
      <RecordTable
        label={words.tableNamed(label)}
        rows={rows}
        columns={[
          { title: name.title, cell: name.cell },
          ...measures.map(columnOf),
          ...(actions === undefined ? [] : [actions]),
        ]}
      />
      <div className={classes.below}>
        <UnstyledButton className={classes.save!} aria-label={words.csvOf(label)} onClick={save}>
          {words.csv}
        </UnstyledButton>
      </div>
    </div>
  );
}
