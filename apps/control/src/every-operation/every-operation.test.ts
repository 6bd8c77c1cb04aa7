import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AnyControlOperation } from '../frame/operation.ts';
import { startTestControl } from '../testing.ts';
import {
  allOperations,
  type Bench,
  type CellName,
  cellNames,
  cells,
  type Performed,
  perform,
  type Subject,
} from './cells.ts';
import { exceptions } from './exceptions.ts';
import { makeOrganization, openCopier } from './organizations.ts';
import type { OperationId } from './preparations.ts';
import { exampleOf } from './requests.ts';

/** As many operations at once keep the service busy. */
const atOnce = 4;

/** More exceptions than these are none. */
const mostExceptions = 3;

/**
 * Every operation × every cell: who is allowed, in their own and in another organization, what is rejected, what is
 * audited. A new operation gets all of it without a line here; if its example needs a particular state,
 * preparations.ts makes that.
 */
describe('every operation', () => {
  let bench: Bench;
  /** The outcome of each cell of each operation. */
  const outcomes = new Map<string, Outcome>();

  before(async () => {
    const control = await startTestControl();
    const [own, foreign] = await Promise.all([makeOrganization(control), makeOrganization(control)]);
    bench = { control, own, foreign, copier: await openCopier(control, own) };
  });
  after(async () => {
    await bench?.copier.close();
    await bench?.control.stop();
  });

  describe('holds its cells', { concurrency: atOnce }, () => {
    for (const operation of allOperations) {
      test(`${operation.id}: ${operation.method} ${operation.path}`, async () => {
        const faults: string[] = [];
        const subject = subjectOf(bench, operation);
        for (const name of cellNames) {
          const { outcome, fault } = await hold(subject, name);
          outcomes.set(`${operation.id} ${name}`, outcome);
          if (fault !== null) faults.push(`${name}: ${fault}`);
        }
        assert.equal(faults.length, 0, `\n${faults.join('\n')}`);
      });
    }
  });

  test('no cell is uncovered', (context) => {
    for (const name of cellNames) {
      const column = allOperations.map(({ id }) => outcomes.get(`${id} ${name}`) ?? 'uncovered');
      const uncovered = allOperations.filter((_, index) => column[index] === 'uncovered').map(({ id }) => id);
      assert.deepEqual(uncovered, [], `${name} was not checked for these`);
      const count = (wanted: Outcome) => column.filter((outcome) => outcome === wanted).length;
      context.diagnostic(
        `${name}: ${count('held')} held, ${count('excepted')} excepted, ${count('inapplicable')} without such a cell`,
      );
      assert(count('held') > 0, `${name} is not checked for any operation`);
    }
    const excepted = [...outcomes.values()].filter((outcome) => outcome === 'excepted').length;
    assert(excepted <= mostExceptions, `${excepted} cells are excepted: the list only shrinks`);
  });
});

type Outcome = 'held' | 'excepted' | 'inapplicable' | 'broken';

function subjectOf(bench: Bench, operation: AnyControlOperation): Subject {
  let performing: Promise<Performed> | undefined;
  const performed = () => {
    performing ??= perform({ ...bench, operation });
    return performing;
  };
  return { ...bench, operation, example: exampleOf(operation, bench.own), performed };
}

/** Holds one cell; the fault, where there is one, is for whoever added the operation. */
async function hold(
  subject: Subject,
  name: CellName,
): Promise<{ readonly outcome: Outcome; readonly fault: string | null }> {
  const { operation } = subject;
  if (cells[name].inapplicable(operation) !== null) return { outcome: 'inapplicable', fault: null };
  const fault = await cells[name].hold(subject).then(() => null, messageOf);
  const isExcepted = exceptions[operation.id as OperationId]?.[name] !== undefined;
  if (isExcepted) return { outcome: 'excepted', fault: fault === null ? 'it holds: remove the exception' : null };
  return { outcome: fault === null ? 'held' : 'broken', fault };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 1_500) : String(error);
}
