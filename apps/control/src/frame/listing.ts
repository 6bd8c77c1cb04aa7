import {
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';

/** What every list's query holds, see `listQuery`. */
export interface Listing {
  readonly search?: string | undefined;
  readonly page: number;
  readonly pageSize: number;
  readonly sort: string;
}

/** One page of a list, and how many rows it has in all. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/**
 * Reads one page of a filtered query: its rows in the order that was asked for, and the number of all of them.
 *
 * @param columns the column of each sortable name, by the name; `id` decides between equal values
 * @param tieBreaker the column that makes the order total
 * @param options.keysFirst finds the page's keys before its rows: for a query whose conditions and order an index holds
 *   whole, so that rows that are not of the page are never read
 */
export async function readPage<Tables, Named extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Named, Row>,
  listing: Listing,
  columns: Readonly<Record<string, string>>,
  tieBreaker: string,
  { keysFirst = false } = {},
): Promise<Page<Row>> {
  const descending = listing.sort.startsWith('-');
  const column = columns[descending ? listing.sort.slice(1) : listing.sort];
  if (column === undefined) throw new Error(`${listing.sort} has no column`);
  const direction = descending ? 'desc' : 'asc';
  const sorted = query.orderBy(sql.ref(column), direction).orderBy(sql.ref(tieBreaker), direction);
  const paged = sorted.limit(listing.pageSize).offset((listing.page - 1) * listing.pageSize);
  const key = sql.ref(tieBreaker);
  const rows = await (keysFirst ? sorted.where(key, 'in', paged.clearSelect().select(key.as('key'))) : paged).execute();
  const onLastPage = rows.length < listing.pageSize && (rows.length > 0 || listing.page === 1);
  if (onLastPage) return { rows, total: (listing.page - 1) * listing.pageSize + rows.length };
  const counted = await query.clearSelect().select(sql<string>`count(*)`.as('count')).executeTakeFirstOrThrow();
  return { rows, total: Number((counted as { count: string }).count) };
}

/** Whether one of the columns has the text in it, in any case; always where no text is looked for. */
export function matches<Tables, Named extends keyof Tables>(
  builder: ExpressionBuilder<Tables, Named>,
  columns: readonly string[],
  search: string | undefined,
): Expression<SqlBool> {
  if (search === undefined || search === '') return builder.lit(true);
  return builder.or(columns.map((column) => contains(sql`lower(${sql.ref(column)})`, search)));
}

/** Whether a text in lower case has the searched one in it, in any case. */
export function contains(lowerText: RawBuilder<unknown>, search: string): Expression<SqlBool> {
  return sql<SqlBool>`strpos(${lowerText}, lower(${search})) > 0`;
}

/**
 * One page of rows that the product holds and no table, searched, sorted and counted as every list is.
 *
 * @param searched fields that a search looks at
 */
export function pageOf<Row extends object>(
  rows: readonly Row[],
  listing: Listing,
  searched: readonly (keyof Row & string)[],
): Page<Row> {
  const search = listing.search?.toLowerCase() ?? '';
  const matching = rows.filter((row) => searched.some((field) => String(row[field]).toLowerCase().includes(search)));
  const descending = listing.sort.startsWith('-');
  // A list's schema admits names of its rows' own fields alone.
  const field = (descending ? listing.sort.slice(1) : listing.sort) as keyof Row;
  const sorted = matching.toSorted((first, second) =>
    String(first[field]).localeCompare(String(second[field]), 'en', { numeric: true }),
  );
  const ordered = descending ? sorted.toReversed() : sorted;
  const start = (listing.page - 1) * listing.pageSize;
  return { rows: ordered.slice(start, start + listing.pageSize), total: matching.length };
}
