import type { Migration } from 'kysely/migration';
import { up as initial } from './migrations/0001-initial.ts';

/** Every migration by its name, which is its place in the order; one that has been released is never changed. */
export const migrations: Readonly<Record<string, Migration>> = { '0001-initial': { up: initial } };
