import type { TestDatabase } from '@millrace/postgres/testing';
import { openTestDatabase } from '@millrace/postgres/testing';
import { newId } from '../identifiers.ts';
import { migrations } from './migrations.ts';
import type { Schema } from './schema.ts';

export interface ExtractionTestDatabase extends TestDatabase<Schema> {
  /** Adds an account and returns its id. */
  addAccount(name?: string): Promise<string>;
}

/** A fresh database with the service's tables; close it in the suite's `after()`. */
export async function openExtractionTestDatabase(): Promise<ExtractionTestDatabase> {
  const opened = await openTestDatabase<Schema>(migrations);
  return {
    ...opened,
    addAccount: async (name = 'Test') => {
      const id = newId('acc');
      await opened.database.system.insertInto('accounts').values({ id, name }).execute();
      return id;
    },
  };
}
