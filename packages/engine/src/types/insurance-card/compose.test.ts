import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractFromWords } from '../../extract.ts';
import { type PrintedRow, typeset } from '../../layout/typeset.ts';

const extracted = (...rows: PrintedRow[]) =>
  extractFromWords(typeset(rows), { docType: 'insurance_card', fields: null }).extraction.fields;

test('a card’s columns have the processor’s number below its caption', () => {
  const fields = extracted(
    [[40, 'Evergreen Mutual Health']],
    [
      [40, 'RxBIN'],
      [100, 'PCN'],
      [160, 'RxGroup'],
    ],
    [
      [40, '004336'],
      [100, 'ADV'],
      [160, 'RX8821'],
    ],
  );
  assert.equal(fields.rx_bin?.value, '004336');
  assert.equal(fields.rx_pcn?.value, 'ADV');
});

test('the day from which a plan holds is not its name', () => {
  const fields = extracted(
    [[40, 'Summit Health']],
    [[40, 'Choice Plus PPO']],
    [[40, 'Subscriber: KAREN J BLACKWOOD']],
    [[40, 'Grp: 70-441802   Coverage Eff: 01/01/2023']],
  );
  assert.equal(fields.plan_name?.value, 'Choice Plus PPO');
  assert.equal(fields.effective_date?.value, '2023-01-01');
});

test('a British member has a membership number', () => {
  const fields = extracted([[40, 'Albion Healthcare']], [[40, 'Membership number: AH-2291 8840']]);
  assert.equal(fields.member_id?.value, 'AH-2291 8840');
});
