import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composedValue } from '../compose/value.ts';
import { layOut } from '../layout/layout.ts';
import { type PrintedRow, typeset } from '../layout/typeset.ts';
import { withWholeNames } from './whole-names.ts';

/** The name that a value on the line with this text becomes. */
function nameAt(text: string, ...rows: readonly PrintedRow[]): unknown {
  const layout = layOut(typeset(rows));
  const line = layout.lines.find((each) => each.text === text);
  assert.ok(line);
  return withWholeNames({ vendor_name: composedValue(text, 70, [{ line }]) }, ['vendor_name'], layout).vendor_name
    ?.value;
}

test('a name in two lines is whole where another line prints it so', () => {
  const foot: PrintedRow = [[40, 'Haddon Civil Engineering Limited, 18 Bakewell Road']];
  const head: readonly PrintedRow[] = [[[40, 'HADDON']], [[40, 'Civil Engineering Limited']], null, null];
  assert.equal(nameAt('Civil Engineering Limited', ...head, foot), 'HADDON Civil Engineering Limited');
  assert.equal(nameAt('Civil Engineering Limited', ...head), 'Civil Engineering Limited');
  const logo: readonly PrintedRow[] = [[[40, '⚡ Blue Hills']], [[40, 'Power & Light']], null, null];
  assert.equal(nameAt('⚡ Blue Hills', ...logo, [[40, 'Blue Hills Power & Light']]), 'Blue Hills Power & Light');
  assert.equal(nameAt('⚡ Blue Hills', ...logo), 'Blue Hills');
});

test('what stands below a name is no part of it though a line has both', () => {
  const block: readonly PrintedRow[] = [[[40, 'Beispiel GmbH']], [[40, 'Marktweg 3']], null, null];
  assert.equal(nameAt('Beispiel GmbH', ...block, [[40, 'Beispiel GmbH Marktweg 3 04109 Leipzig']]), 'Beispiel GmbH');
});

test('a parenthesis that one line opens and the other closes is within one name', () => {
  const rows: readonly PrintedRow[] = [[[40, 'SAMPLE HARDWARE (NORTH']], [[40, 'HILLS) SDN BHD']]];
  assert.equal(nameAt('HILLS) SDN BHD', ...rows), 'SAMPLE HARDWARE (NORTH HILLS) SDN BHD');
  assert.equal(nameAt('SAMPLE HARDWARE (NORTH', ...rows), 'SAMPLE HARDWARE (NORTH HILLS) SDN BHD');
});
