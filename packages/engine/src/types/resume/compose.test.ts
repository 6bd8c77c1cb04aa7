import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractFromWords } from '../../extract.ts';
import { type PrintedRow, typeset } from '../../layout/typeset.ts';

const extracted = (...rows: PrintedRow[]) =>
  extractFromWords(typeset(rows), { docType: 'resume', fields: null }).extraction.fields;

test('a person is named without degrees and licences, and lives at the head of the page', () => {
  const fields = extracted(
    [[40, 'LATOYA BRINKERHOFF, BSN, RN']],
    [[40, '2217 N 72nd St, Wauwatosa, WI 53213 | (414) 555-0172 | latoya@mailbox.example']],
    null,
    [[40, 'EXPERIENCE']],
    [[60, 'Lead a 24-bed unit; cut falls by 18%.']],
    [[40, 'St. Casimir Medical Center — Staff Nurse']],
    [[40, 'Aug 2016 – May 2021']],
  );
  assert.equal(fields.name?.value, 'LATOYA BRINKERHOFF');
  assert.equal(fields.address?.value, '2217 N 72nd St, Wauwatosa, WI 53213');
});

test('a birthday is no telephone number', () => {
  const fields = extracted(
    [
      [40, 'Geburtsdatum'],
      [200, '14.03.1994 in Halle (Saale)'],
    ],
    [
      [40, 'Telefon'],
      [200, '0176 5550 4471'],
    ],
    [
      [40, 'Anschrift'],
      [200, 'Ritterstraße 18, 04109 Leipzig'],
    ],
  );
  assert.equal(fields.phone?.value, '0176 5550 4471');
});

test('a mark may part the street from the town', () => {
  const { address } = extracted(
    [[40, 'MARISOL T. SAMPLE']],
    [[40, '4418 Sycamore Bend Dr • Austin, TX 78745 • (512) 555-0147 • marisol@mailbox.example']],
    null,
    [[40, 'SKILLS']],
  );
  assert.equal(address?.value, '4418 Sycamore Bend Dr, Austin, TX 78745');
});
