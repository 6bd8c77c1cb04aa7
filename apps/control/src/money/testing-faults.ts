import type { KyselyPlugin } from 'kysely';
import type { ControlDatabase } from '../database/schema.ts';

/** Ends a process for which the database already has what it committed. */
class EndedAfterCommit extends Error {}
class Ended extends Error {}

/** How often a process is ended after a commit: more often than tests have transactions with something to write. */
const mostAfterCommit = 20;

/**
 * Does work as a process would that is ended before each statement and commit in turn, and after commits; each time it
 * starts again with what the database has by then.
 *
 * @param step a part of the work with transactions of its own; true if something may be left
 * @returns how often it was ended
 */
export async function endEverywhere(
  database: ControlDatabase,
  step: (database: ControlDatabase) => Promise<boolean>,
): Promise<number> {
  let failing = 1;
  let passed = 0;
  let afterCommit = 0;
  const pass = (): void => {
    passed += 1;
    if (passed === failing) throw new Ended();
  };
  const faulty: KyselyPlugin = {
    transformQuery: ({ node }) => {
      pass();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const ownDatabase: ControlDatabase = {
    ...database,
    lendTenantConnection: async () => {
      const connection = await database.lendTenantConnection();
      return {
        ...connection,
        statements: connection.statements.withPlugin(faulty),
        commit: async (last) => {
          pass();
          await connection.commit(last);
          if (passed + 1 === failing && afterCommit < mostAfterCommit) throw new EndedAfterCommit();
        },
      };
    },
  };
  let ended = 0;
  for (let isLeft = true; isLeft; ) {
    passed = 0;
    try {
      isLeft = await step(ownDatabase);
      failing = 1;
    } catch (error) {
      if (error instanceof EndedAfterCommit) {
        afterCommit += 1;
        failing = 1;
      } else if (error instanceof Ended) failing += 1;
      else throw error;
      ended += 1;
    }
  }
  return ended;
}
