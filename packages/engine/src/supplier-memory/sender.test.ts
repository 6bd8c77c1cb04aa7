import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ReadDocument, Word } from '@millrace/document-model';
import { extractFromWords } from '../extract.ts';
import { type KnownSender, type Lesson, senderOfLesson } from './lesson.ts';
import { lessonOf } from './teach.ts';

/** A page of lines: where each begins, and its text. */
function pageOf(lines: readonly (readonly [x: number, y: number, text: string])[]): ReadDocument {
  const words = lines.flatMap(([x, y, line]) => {
    let at = x;
    return line.split(' ').map((text): Word => {
      const box = { x0: at, y0: y, x1: at + text.length * 5, y1: y + 10 };
      at = box.x1 + 3;
      return { text, box, source: 'text', confidence: 1 };
    });
  });
  const readings = [{ source: 'text', words }] as const;
  const size = { width: 595, height: 842, unit: 'point' } as const;
  return {
    mediaType: 'application/pdf',
    pages: [{ number: 1, ...size, words, readings, rulings: [], turnedDegrees: 0 }],
    attachments: [],
  };
}

interface Said {
  readonly sign: string;
  readonly total: string;
  readonly iban?: string;
  readonly vendor?: string;
  readonly customer?: string;
}

function invoice({ sign, total, iban, vendor = 'Alder Fasteners Ltd', customer = 'Brook Catering Ltd' }: Said) {
  return pageOf([
    ...(vendor === '' ? [] : [[50, 50, vendor] as const]),
    [50, 64, '12 Quay Street'],
    [50, 78, 'Leeds LS1 4AB'],
    [330, 110, customer],
    [50, 180, 'Invoice'],
    [50, 210, 'Our sign'],
    [160, 210, sign],
    [50, 225, 'Consignment'],
    [160, 225, 'CN-5512'],
    [50, 240, 'Made out'],
    [160, 240, '14 March 2026'],
    [50, 400, 'Steel bolts in boxes of fifty'],
    [330, 500, 'Kindly remit'],
    [480, 500, total],
    [50, 800, 'VAT GB123456782'],
    ...(iban === undefined ? [] : [[200, 800, `IBAN ${iban}`] as const]),
  ]);
}

const extract = (document: ReadDocument, senders: readonly KnownSender[] = []) =>
  extractFromWords(document, { docType: 'invoice', fields: null, senders }).extraction;

function learn(document: ReadDocument, right: Record<string, string | number>): KnownSender {
  const extracted = Object.fromEntries(
    Object.entries(extract(document).fields).map(([name, { value }]) => [name, value]),
  );
  const lesson = lessonOf(document, { docType: 'invoice', fields: { ...extracted, ...right }, extracted });
  assert.ok(lesson);
  return { id: 'snd_1', name: lesson.name, docType: 'invoice', lessons: [lesson] };
}

const first = invoice({ sign: 'NW/7010/K', total: '1,428.00', iban: 'GB33BUKB20201555555555' });
const right = {
  invoice_number: 'NW/7010/K',
  total_amount: 1428,
  vendor_name: 'Alder Fasteners Ltd',
  vendor_tax_id: 'GB123456782',
  iban: 'GB33BUKB20201555555555',
};

describe("a sender's lessons", () => {
  const known = learn(first, right);

  test('find where the next document has the value, and never copy it', () => {
    const next = extract(invoice({ sign: 'NW/7311/K', total: '96.40' }), [known]);
    assert.deepEqual(next.sender, { id: 'snd_1', name: 'Alder Fasteners Ltd', certain: true });
    const { invoice_number, total_amount } = next.fields;
    assert.deepEqual([invoice_number?.value, total_amount?.value], ['NW/7311/K', 96.4]);
    assert.ok(invoice_number?.flags.includes('taught') && invoice_number.provenance[0]?.text === 'NW/7311/K');
  });

  test('give the name that a logo alone shows, but no number that is not printed', () => {
    const { fields } = extract(invoice({ sign: 'NW/1/K', total: '9.00', vendor: '' }), [known]);
    assert.equal(fields.vendor_name?.value, 'Alder Fasteners Ltd');
    assert.ok(fields.vendor_name?.flags.includes('not_in_document'));
    assert.equal(fields.iban, undefined);
  });

  test('doubt another IBAN than the confirmed one', () => {
    const { fields } = extract(invoice({ sign: 'NW/2/K', total: '9.00', iban: 'GB94BARC10201530093459' }), [known]);
    assert.equal(fields.iban?.value, 'GB94BARC10201530093459');
    assert.ok(fields.iban.confidence <= 60 && fields.iban.flags.includes('unlike_sender'));
  });

  test('are not used for another sender that writes to this one', () => {
    const other = pageOf([
      [300, 40, 'Copper Haulage GmbH'],
      [300, 60, 'Rechnung'],
      [50, 120, 'Alder Fasteners Ltd'],
      [50, 134, '12 Quay Street'],
      [50, 148, 'Ihre USt-IdNr. GB123456782'],
      [50, 300, 'Fracht Hamburg nach Leeds'],
      [50, 330, 'Gesamtbetrag'],
      [200, 330, '310,00 EUR'],
    ]);
    const { sender, fields } = extract(other, [known]);
    assert.equal(sender, undefined);
    assert.ok(Object.values(fields).every(({ flags }) => !flags.includes('taught')));
  });

  test('hold no value but the sender’s own, and are joined by its numbers or its name', () => {
    const [lesson] = known.lessons as readonly [Lesson];
    const text = JSON.stringify(lesson);
    for (const value of ['7010', '1428', '1,428', 'Brook', '2026']) assert.ok(!text.includes(value), value);
    const renamed = { ...lesson, name: 'Alder Fasteners Limited' };
    assert.equal(senderOfLesson(renamed, [known])?.id, 'snd_1');
    assert.equal(senderOfLesson({ ...renamed, taxIds: [], ibans: [] }, [known]), null);
    assert.equal(senderOfLesson({ ...lesson, docType: 'quote' }, [known]), null);
  });
});
