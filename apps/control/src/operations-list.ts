import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { operations } from './contracts.ts';
import type { AnyControlOperation } from './frame/operation.ts';

/** Where the committed list stands. */
export const operationsListPath = resolve(import.meta.dirname, '..', 'operations.txt');

/** Every operation in the order of the reference, a line each: what a change of a permission looks like in a review. */
export function operationsList(): string {
  const lines = operations.map((operation) => columnsOf(operation).join('  '));
  return `METHOD path  permission  restriction  audit category\n\n${lines.join('\n')}\n`;
}

function columnsOf({
  method,
  path,
  auth,
  permissions,
  alsoNeeded,
  restriction,
  audit,
}: AnyControlOperation): readonly string[] {
  const admitted = [permissions.length > 0 ? permissions.join(' or ') : auth, ...alsoNeeded].join(' and ');
  return [`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`, admitted, restriction ?? '-', audit?.category ?? '-'];
}

if (import.meta.main) {
  const text = operationsList();
  if (!process.argv.includes('--check')) writeFileSync(operationsListPath, text);
  else if (readFileSync(operationsListPath, 'utf8') !== text) {
    console.error('apps/control/operations.txt is out of date. Run `npm run operations`.');
    process.exitCode = 1;
  }
}
