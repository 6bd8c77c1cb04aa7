import { type RawBuilder, sql } from 'kysely';
import { ScimError } from './errors.ts';
import type { Comparison, Filter, FilterValue } from './filter.ts';

/** How an attribute is read from the database. */
export interface FilterColumn {
  readonly expression: RawBuilder<unknown>;
  readonly type: 'text' | 'boolean' | 'time';
  /** Compared as it is written, such as an id; otherwise without case. */
  readonly exact?: boolean;
}

/** Attributes that can be filtered by, under their paths in lower case. */
export type FilterColumns = Readonly<Record<string, FilterColumn>>;

/**
 * A filter as a condition.
 *
 * @throws ScimError `invalidFilter` for an attribute that can’t be filtered by, or a value of another type
 */
export function filterSql(filter: Filter, columns: FilterColumns): RawBuilder<boolean> {
  if (filter.kind === 'and' || filter.kind === 'or') {
    const [left, right] = [filterSql(filter.left, columns), filterSql(filter.right, columns)];
    return filter.kind === 'and' ? sql<boolean>`(${left} and ${right})` : sql<boolean>`(${left} or ${right})`;
  }
  if (filter.kind === 'not') return sql<boolean>`(not coalesce(${filterSql(filter.filter, columns)}, false))`;
  const column = Object.hasOwn(columns, filter.path) ? columns[filter.path] : undefined;
  if (column === undefined) {
    const names = Object.keys(columns).join(', ');
    throw new ScimError(400, 'invalidFilter', `Nothing is filtered by ${filter.path}. Use one of ${names}.`);
  }
  if (filter.kind === 'present') return sql<boolean>`(${column.expression} is not null)`;
  return compareSql(column, filter.comparison, filter.value);
}

/** Also as the texts that Microsoft sends. */
const booleans: Readonly<Record<string, boolean | undefined>> = { true: true, false: false };

function compareSql({ expression, type, exact = false }: FilterColumn, comparison: Comparison, value: FilterValue) {
  if (type === 'boolean') {
    const wanted = typeof value === 'string' ? booleans[value.toLowerCase()] : value;
    if (typeof wanted !== 'boolean' || (comparison !== 'eq' && comparison !== 'ne')) throw unfit();
    return sql<boolean>`(${expression} is not distinct from ${comparison === 'eq' ? wanted : !wanted})`;
  }
  if (typeof value !== 'string') throw unfit();
  if (type === 'time') {
    if (Number.isNaN(Date.parse(value))) throw unfit();
    return ordering(sql`date_trunc('milliseconds', ${expression})`, comparison, sql`${new Date(value)}::timestamptz`);
  }
  const [left, right] = exact ? [expression, sql`${value}`] : [sql`lower(${expression})`, sql`lower(${value})`];
  if (comparison === 'co') return sql<boolean>`(position(${right} in ${left}) > 0)`;
  if (comparison === 'sw') return sql<boolean>`starts_with(${left}, ${right})`;
  if (comparison === 'ew') return sql<boolean>`(right(${left}, length(${value})) = ${right})`;
  return ordering(left, comparison, right);
}

const operators: Readonly<Partial<Record<Comparison, string>>> = {
  eq: 'is not distinct from',
  ne: 'is distinct from',
  gt: '>',
  ge: '>=',
  lt: '<',
  le: '<=',
};

function ordering(left: RawBuilder<unknown>, comparison: Comparison, right: RawBuilder<unknown>): RawBuilder<boolean> {
  const operator = operators[comparison];
  if (operator === undefined) throw unfit();
  return sql<boolean>`(${left} ${sql.raw(operator)} ${right})`;
}

function unfit(): ScimError {
  return new ScimError(400, 'invalidFilter', 'The filter compares an attribute with a value of another type.');
}
