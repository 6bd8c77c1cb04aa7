import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestControl } from '../testing.ts';
import { allOperations, type Bench, cellNames, cells, type Performed, perform } from './cells.ts';
import { exceptions } from './exceptions.ts';
import { makeOrganization, openCopier } from './organizations.ts';
import type { OperationId } from './preparations.ts';
import { exampleOf } from './requests.ts';

/** As many operations at once keep the service busy. */
const atOnce = 4;

/**
 * Every operation × every cell: who is let in, in the own and in a foreign organization, what is refused, what is
 * audited. An operation that is added has all of it without a line here; where its example needs a state of its own,
 * preparations.ts makes that.
 */
describe('every operation', { concurrency: atOnce }, () => {
  let bench: Bench;
  /** What became of each cell of each operation. */
  const outcomes = new Map<string, string>();

  before(async () => {
    const control = await startTestControl();
    const [own, foreign] = await Promise.all([makeOrganization(control), makeOrganization(control)]);
    bench = { control, own, foreign, copier: await openCopier(control, own) };
  });
  after(async () => {
    await bench?.copier.close();
    await bench?.control.stop();
  });

  for (const operation of allOperations) {
    test(`${operation.id}: ${operation.method} ${operation.path}`, async () => {
      let performing: Promise<Performed> | undefined;
      const performed = () => {
        performing ??= perform({ ...bench, operation });
        return performing;
      };
      const subject = { ...bench, operation, example: exampleOf(operation, bench.own), performed };
      const faults: string[] = [];
      for (const name of cellNames) {
        const cell = cells[name];
        if (cell.inapplicable(operation) !== null) {
          outcomes.set(`${operation.id} ${name}`, 'does not apply');
          continue;
        }
        const fault = await cell.hold(subject).then(() => null, messageOf);
        const reason = exceptions[operation.id as OperationId]?.[name];
        outcomes.set(`${operation.id} ${name}`, reason === undefined ? 'holds' : 'is excepted');
        if (fault !== null && reason === undefined) faults.push(`${name}: ${fault}`);
        if (fault === null && reason !== undefined) faults.push(`${name}: holds; remove the exception`);
      }
      assert.equal(faults.length, 0, `\n${faults.join('\n')}`);
    });
  }

  test('no cell is uncovered', { concurrency: 1 }, () => undefined);
});

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 1_500) : String(error);
}
