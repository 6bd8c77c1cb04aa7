import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractFromWords } from '../../extract.ts';
import { type PrintedRow, typeset } from '../../layout/typeset.ts';

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

const extracted = (...rows: PrintedRow[]) =>
  extractFromWords(typeset(rows), { docType: 'medical_report', fields: null }).extraction;

test('a patient is named without what a letter says of them, and no word of a sentence names one', () => {
  const { fields } = extracted(
    [[40, 'Patient: Jan Example, geb. 08.11.1957, wohnhaft Grüntenweg 9, 87534 Oberstaufen']],
    [[40, 'Befund: 67-jähriger Patient in leicht reduziertem Allgemeinzustand.']],
  );
  assert.equal(fields.patient_name?.value, 'Jan Example');
});

test('the number of tests in a group is no result', () => {
  const { lines } = extracted(
    [
      [40, 'Test'],
      [200, 'Result'],
      [300, 'Units'],
      [400, 'Reference range'],
    ],
    [[40, 'Basic Metabolic Panel (8)']],
    [
      [40, 'Glucose'],
      [200, '104'],
      [300, 'mg/dL'],
      [400, '70-99'],
    ],
    [
      [40, 'Potassium'],
      [200, '4.4'],
      [300, 'mmol/L'],
      [400, '3.5-5.2'],
    ],
  );
  assert.deepEqual(
    lines.map(({ test: name, value }) => [name?.value, value?.value]),
    [
      ['Glucose', 104],
      ['Potassium', 4.4],
    ],
  );
});
