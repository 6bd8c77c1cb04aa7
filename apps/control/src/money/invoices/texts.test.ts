import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exampleInvoiceWithLines } from './contract.ts';
import { documentTexts } from './texts.ts';

const [example] = exampleInvoiceWithLines.lines;
const line = { ...example!, charge: 'scanned-pages', meter: 'units' as const };

describe('lines of documents', () => {
  test('say how much was used, and what the plan includes of it', () => {
    const usage = { quantity: '12340', included: '1000' };
    assert.equal(documentTexts.en.lineName({ ...line, usage }), 'Scanned pages: 12,340, of which 1,000 included');
    assert.equal(documentTexts.de.lineName({ ...line, usage }), 'Scanned pages: 12.340, davon 1.000 enthalten');
    const prorated = { quantity: '700.5', included: '483.870967741935' };
    assert.equal(
      documentTexts.en.lineName({ ...line, usage: prorated }),
      'Scanned pages: 700.5, of which 483.87 included',
    );
  });

  test('name the charge alone where the plan includes nothing, and bytes as what they are', () => {
    const usage = { quantity: '5', included: '0' };
    assert.equal(documentTexts.en.lineName({ ...line, usage }), 'Scanned pages');
    assert.equal(documentTexts.en.lineName({ ...line, usage: null, kind: 'late' }), 'Late usage: Scanned pages');
    assert.equal(documentTexts.en.lineName({ ...line, usage, charge: 'calls', meter: 'requests' }), 'Calls');
    assert.equal(
      documentTexts.de.lineName({ ...line, usage, charge: 'download', meter: 'response_bytes' }),
      'Download (Bytes der Antworten)',
    );
  });
});
