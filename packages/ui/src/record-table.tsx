import { Box, Table, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './record-table.module.css';

export interface Column<Row> {
  readonly title: string;
  /** By which the API sorts this column; without it the column cannot be sorted. */
  readonly sort?: string;
  readonly cell: (row: Row) => ReactNode;
}

/**
 * Records in columns, or below each other on a phone. The roles are spelled out, since a browser forgets that it shows a
 * table where its rows are drawn as blocks.
 */
export function RecordTable<Row extends { readonly id: string }>(props: {
  /** What stands in it, for who listens. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The column by which it is sorted, with `-` before it where the highest stands first. */
  readonly sort?: string | undefined;
  readonly onSort?: (sort: string) => void;
}) {
  const { label, columns, rows, sort, onSort } = props;
  return (
    <Box className={classes.scroll} tabIndex={0} role="region" aria-label={label}>
      <Table role="table" striped highlightOnHover verticalSpacing="xs" className={classes.table}>
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {columns.map((column) => (
              <ColumnHead key={column.title} column={column} sort={sort} onSort={onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows.map((row) => (
            <Table.Tr key={row.id} role="row">
              {columns.map((column) => (
                <Table.Td key={column.title} role="cell" data-title={column.title}>
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

function ColumnHead<Row>(props: {
  readonly column: Column<Row>;
  readonly sort: string | undefined;
  readonly onSort: ((sort: string) => void) | undefined;
}) {
  const { column, sort, onSort } = props;
  if (column.sort === undefined || onSort === undefined) return <Table.Th role="columnheader">{column.title}</Table.Th>;
  const direction = sort === column.sort ? 'ascending' : sort === `-${column.sort}` ? 'descending' : 'none';
  return (
    <Table.Th role="columnheader" aria-sort={direction}>
      <UnstyledButton
        fw={600}
        fz="sm"
        onClick={() => onSort(direction === 'ascending' ? `-${column.sort}` : column.sort!)}
      >
        {column.title}
        <span aria-hidden> {direction === 'ascending' ? '↑' : direction === 'descending' ? '↓' : '↕'}</span>
      </UnstyledButton>
    </Table.Th>
  );
}
