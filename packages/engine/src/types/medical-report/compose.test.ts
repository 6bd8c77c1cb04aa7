import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractFromWords } from '../../extract.ts';
import { typeset } from '../../layout/typeset.ts';

test('who requests or attends is the physician', () => {
  for (const caption of ['Requesting: DR. SUSAN PARK', 'Attending: DR. SUSAN PARK']) {
    const { fields } = extractFromWords(
      typeset([
        [[40, 'Tri-Rivers Pathology Laboratory']],
        [[40, 'Patient: HUGHES, MARTIN L']],
        [
          [40, 'DOB: 07/30/1968'],
          [240, caption],
        ],
        [[40, 'Collected: 06/28/2023']],
      ]),
      { docType: 'medical_report', fields: null },
    ).extraction;
    assert.equal(fields.physician_name?.value, 'DR. SUSAN PARK', caption);
  }
});
