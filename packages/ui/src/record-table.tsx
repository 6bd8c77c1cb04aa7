import { Box, Checkbox, Skeleton, Table, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './record-table.module.css';
import { texts } from './texts.ts';

export interface Column<Row> {
  readonly title: string;
  /** By which the API sorts this column; without it the column cannot be sorted. */
  readonly sort?: string;
  /** `end` for numbers, whose digits then stand below each other. */
  readonly align?: 'end';
  readonly cell: (row: Row) => ReactNode;
}

/** Which rows are chosen, by their ids. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly onChange: (ids: ReadonlySet<string>) => void;
}

/**
 * Records in columns, or below each other on a phone. The roles are spelled out, since a browser drops a table's own
 * where its rows are drawn as blocks.
 */
export function RecordTable<Row extends { readonly id: string }>(props: {
  /** What it lists, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined until the first page is there. */
  readonly rows: readonly Row[] | undefined;
  /** The column by which it is sorted, with `-` before it for descending. */
  readonly sort?: string | undefined;
  readonly onSort?: (sort: string) => void;
  /** Puts a checkbox before every row. */
  readonly selection?: Selection | undefined;
  /** What a row is called, for its checkbox. */
  readonly nameOf?: ((row: Row) => string) | undefined;
}) {
  const { label, columns, rows, sort, onSort, selection, nameOf } = props;
  return (
    <Box className={classes.scroll} tabIndex={0} role="region" aria-label={label}>
      <Table role="table" withRowBorders={false} className={classes.table} aria-busy={rows === undefined}>
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {selection && (
              <Table.Th role="columnheader" w={36}>
                <SelectAll rows={rows ?? []} selection={selection} />
              </Table.Th>
            )}
            {columns.map((column) => (
              <ColumnHead key={column.title} column={column} sort={sort} onSort={onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows === undefined && <LoadingRows columns={columns.length + (selection ? 1 : 0)} />}
          {rows?.map((row) => (
            <Table.Tr key={row.id} role="row" data-selected={selection?.ids.has(row.id) || undefined}>
              {selection && (
                <Table.Td role="cell" data-title={texts().list.selectedColumn}>
                  <Checkbox
                    size="xs"
                    aria-label={texts().list.selectRow(nameOf?.(row) ?? row.id)}
                    checked={selection.ids.has(row.id)}
                    onChange={({ currentTarget }) =>
                      selection.onChange(withIds(selection.ids, [row.id], currentTarget.checked))
                    }
                  />
                </Table.Td>
              )}
              {columns.map((column, index) => (
                <Table.Td
                  key={column.title}
                  role="cell"
                  data-title={column.title}
                  data-align={column.align}
                  data-leading={index === 0 || undefined}
                >
                  {column.cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

function withIds(ids: ReadonlySet<string>, changed: readonly string[], selected: boolean): ReadonlySet<string> {
  const next = new Set(ids);
  for (const id of changed) {
    if (selected) next.add(id);
    else next.delete(id);
  }
  return next;
}

function SelectAll(props: { readonly rows: readonly { readonly id: string }[]; readonly selection: Selection }) {
  const { rows, selection } = props;
  const selected = rows.filter(({ id }) => selection.ids.has(id)).length;
  return (
    <Checkbox
      size="xs"
      aria-label={texts().list.selectAll}
      checked={selected > 0 && selected === rows.length}
      indeterminate={selected > 0 && selected < rows.length}
      onChange={({ currentTarget }) =>
        selection.onChange(
          withIds(
            selection.ids,
            rows.map(({ id }) => id),
            currentTarget.checked,
          ),
        )
      }
    />
  );
}

/** As high as the rows that will take their place, so that nothing jumps. */
function LoadingRows({ columns }: { readonly columns: number }) {
  return [0.9, 0.7, 0.8, 0.6, 0.75].map((width) => (
    <Table.Tr key={width} aria-hidden>
      <Table.Td colSpan={columns}>
        <Skeleton height={12} width={`${width * 100}%`} />
      </Table.Td>
    </Table.Tr>
  ));
}

function ColumnHead<Row>(props: {
  readonly column: Column<Row>;
  readonly sort: string | undefined;
  readonly onSort: ((sort: string) => void) | undefined;
}) {
  const { column, sort, onSort } = props;
  if (column.sort === undefined || onSort === undefined) {
    return (
      <Table.Th role="columnheader" data-align={column.align}>
        {column.title}
      </Table.Th>
    );
  }
  const direction = sort === column.sort ? 'ascending' : sort === `-${column.sort}` ? 'descending' : 'none';
  return (
    <Table.Th role="columnheader" aria-sort={direction} data-align={column.align}>
      <UnstyledButton
        className={classes.sort}
        data-sorted={direction === 'none' ? undefined : true}
        onClick={() => onSort(direction === 'ascending' ? `-${column.sort}` : column.sort!)}
      >
        {column.title}
        <span aria-hidden>{direction === 'ascending' ? '↑' : direction === 'descending' ? '↓' : '↕'}</span>
      </UnstyledButton>
    </Table.Th>
  );
}
