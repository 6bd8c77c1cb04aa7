import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placed } from '../candidates/placed.ts';
import { detailBehindTerms } from '../compose/payment-terms.ts';
import { extractFromWords } from '../extract.ts';
import { layOut } from '../layout/layout.ts';
import { type PrintedRow, typeset } from '../layout/typeset.ts';
import { valueAlone } from './value-alone.ts';

test('a number that is broken behind a hyphen goes on in the line below it', () => {
  const numberOf = (...rows: PrintedRow[]) =>
    extractFromWords(
      typeset([
        [[40, 'Invoice']],
        ...rows,
        [[40, 'Widgets']],
        [
          [40, 'Total due'],
          [300, '$ 118.00'],
        ],
      ]),
      { docType: 'invoice', fields: null },
    ).extraction.fields.invoice_number?.value;
  assert.equal(
    numberOf(
      [
        [40, 'Invoice number'],
        [200, 'VR-2025-'],
      ],
      [[200, '0047712']],
    ),
    'VR-2025-0047712',
  );
  assert.notEqual(
    numberOf(
      [
        [40, 'Invoice number'],
        [200, 'VR-2025-'],
      ],
      [[200, 'Paid']],
    ),
    'VR-2025-Paid',
  );
});

test('a straight bill of lading prints the role before the name', () => {
  const layout = layOut(typeset([[[40, 'SHIPPER GULF SAMPLE RESINS LP']]]));
  const [line] = layout.lines;
  const candidate = placed('organization', line!.text, 1, layout, [line!], 0, line!.text.length);
  const field = { name: 'shipper', kind: 'organization', description: '', captions: [] } as const;
  assert.equal(valueAlone(field, candidate).value, 'GULF SAMPLE RESINS LP');
});

test('terms of payment have no caption of their own before them', () => {
  const layout = layOut(typeset([[[40, 'Forma de pago: Transferencia a 15 días']]]));
  const [line] = layout.lines;
  const candidate = placed('text', line!.text, 1, layout, [line!], 0, line!.text.length);
  const field = { name: 'payment_terms', kind: 'text', description: '', captions: ['forma de pago'] } as const;
  assert.equal(valueAlone(field, candidate).value, 'Transferencia a 15 días');
  assert.equal(valueAlone({ ...field, captions: ['terms'] }, candidate).value, line!.text);
});

test('the account to pay to is no part of the terms of payment', () => {
  const layout = layOut(typeset([[[40, 'Transferencia a 15 días: ES30 2100 3118 0422 0044 7182']]]));
  const [line] = layout.lines;
  const candidate = placed('text', line!.text, 1, layout, [line!], 0, line!.text.length);
  const field = { name: 'payment_terms', kind: 'text', description: '', captions: [] } as const;
  const { value, words } = valueAlone(field, candidate);
  assert.equal(value, 'Transferencia a 15 días');
  assert.equal(words.at(-1)?.text, 'días:');
  assert.equal(
    detailBehindTerms('Zahlbar innert 30 Tagen auf CH93 0076 2011 6238 5295 7'),
    'Zahlbar innert 30 Tagen'.length,
  );
  assert.equal(
    detailBehindTerms('Zahlbar innerhalb von 10 Tagen ohne Abzug auf das Konto'),
    'Zahlbar innerhalb von 10 Tagen ohne Abzug'.length,
  );
});

test('a number stands without a caption whose blanks were lost, an address without its own', () => {
  const aloneOf = (kind: 'identifier' | 'address', text: string) => {
    const layout = layOut(typeset([[[40, text]]]));
    const [line] = layout.lines;
    const candidate = placed(kind, line!.text, 1, layout, [line!], 0, line!.text.length);
    return valueAlone({ name: 'a', kind, description: '', captions: [] }, candidate).value;
  };
  assert.equal(aloneOf('identifier', 'P.O.NO.24-04471'), '24-04471');
  assert.equal(aloneOf('address', 'ADDRESs 512 Montford Ave'), '512 Montford Ave');
});

test('a name stands without a caption of several words that nothing parts from it', () => {
  const layout = layOut(typeset([[[40, 'SOLD TO Carol Muster']]]));
  const [line] = layout.lines;
  const candidate = placed('organization', line!.text, 1, layout, [line!], 0, line!.text.length);
  const field = { name: 'customer_name', kind: 'organization', description: '', captions: ['sold to'] } as const;
  assert.equal(valueAlone(field, candidate).value, 'Carol Muster');
});

test('a capital I at a capital’s side is no small l in a number', () => {
  const numberOf = (text: string) => {
    const layout = layOut(typeset([[[40, text]]]));
    const [line] = layout.lines;
    const words = line!.words.map((word) => ({ ...word, source: 'ocr:ppocr:1' as const }));
    const candidate = { ...placed('identifier', text, 1, layout, [line!], 0, text.length), words };
    return valueAlone({ name: 'invoice_number', kind: 'identifier', description: '', captions: [] }, candidate).value;
  };
  assert.equal(numberOf('Sl-440182'), 'SI-440182');
  assert.equal(numberOf('Bl-anc-12'), 'Bl-anc-12');
});
