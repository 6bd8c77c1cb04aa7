import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvText } from './src/csv-text.ts';

test('CSV quotes texts, leaves numbers plain, and defuses formulas', () => {
  assert.equal(
    csvText([
      ['Time', 'Say "so"', '=1+1'],
      ['2026-01-31T00:00:00Z', 1234.5, null],
    ]),
    '"Time","Say ""so""","\'=1+1"\r\n"2026-01-31T00:00:00Z",1234.5,\r\n',
  );
});
