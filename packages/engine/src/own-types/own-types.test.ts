import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Classification, DocType, JsonValue, ReadDocument } from '@millrace/document-model';
import { isOwnType, type OwnField, type OwnType, ownTypeLimits } from '@millrace/document-model/own-type';
import { generateDocument } from '@millrace/synthetic-documents';
import { extractFromWords } from '../extract.ts';
import { layOut } from '../layout/layout.ts';
import { type PrintedRow, typeset } from '../layout/typeset.ts';
import { extractWithAnswer } from '../model-reading/consult.ts';
import { askAbout } from '../model-reading/question.ts';
import { type KnownSender, senderOfLesson } from '../supplier-memory/lesson.ts';
import { lessonOf } from '../supplier-memory/teach.ts';
import { documentTypeOf } from '../types/registry.ts';
import { detectUntrainedType } from './detect.ts';

const field = (name: string, kind: OwnField['kind'], more: Partial<OwnField> = {}): OwnField => ({
  name,
  kind,
  description: '',
  captions: [],
  examples: [],
  required: false,
  repeated: false,
  ...more,
});

const certificate: OwnType = {
  name: 'calibration_certificate',
  title: 'Calibration certificate',
  description: 'A laboratory’s certificate for a measuring instrument.',
  fields: [
    field('certificate_number', 'identifier', {
      captions: ['Certificate no'],
      examples: ['CC-2024-0117', 'CC-2023-9120'],
      required: true,
    }),
    field('calibrated_on', 'date', { captions: ['Calibration date'] }),
    field('next_due', 'date', { description: 'Day on which the next calibration is due.' }),
    field('instrument', 'text', { captions: ['Instrument'] }),
    field('verdict', 'text', { examples: ['PASS', 'FAIL'] }),
    field('fee', 'amount', { captions: ['Fee'] }),
    field('inspectors', 'name', { captions: ['Inspectors'], repeated: true }),
  ],
  columns: [
    { name: 'point', kind: 'text', description: '', captions: ['Test point'] },
    { name: 'count', kind: 'number', description: '', captions: ['Readings'] },
    { name: 'price', kind: 'amount', description: '', captions: ['Each'] },
    { name: 'cost', kind: 'amount', description: '', captions: ['Cost'] },
  ],
};

interface Said {
  readonly number: string;
  readonly date: string;
  readonly due: string;
  readonly instrument: string;
  readonly fee: string;
}

const sayings: readonly Said[] = [
  { number: 'CC-2025-0341', date: '12 March 2025', due: '12 March 2026', instrument: 'Pressure gauge', fee: '180.00' },
  { number: 'CC-2025-0777', date: '4 April 2025', due: '3 April 2026', instrument: 'Torque wrench', fee: '95.50' },
  { number: 'CC-2024-0019', date: '30 May 2024', due: '29 May 2025', instrument: 'Micrometer', fee: '61.25' },
  { number: 'CC-2023-4402', date: '1 June 2023', due: '1 June 2024', instrument: 'Thermometer', fee: '44.80' },
];

/** Captions as the definition has them. */
const named = (said: Said): ReadDocument =>
  typeset([
    [[40, 'Calibration certificate']],
    null,
    [
      [40, 'Certificate no'],
      [200, said.number],
    ],
    [
      [40, 'Calibration date'],
      [200, said.date],
    ],
    [
      [40, 'Next calibration due'],
      [200, said.due],
    ],
    [
      [40, 'Instrument'],
      [200, said.instrument],
    ],
    [
      [40, 'Result'],
      [200, 'PASS'],
    ],
    [
      [40, 'Inspectors'],
      [200, 'Ada Brook, Jon Marsh'],
    ],
    null,
    [
      [40, 'Test point'],
      [250, 'Readings'],
      [350, 'Each'],
      [450, 'Cost'],
    ],
    [
      [40, 'Low range'],
      [260, '3'],
      [350, '20.00'],
      [450, '60.00'],
    ],
    [
      [40, 'High range'],
      [260, '2'],
      [350, '15.50'],
      [450, '31.00'],
    ],
    null,
    [
      [40, 'Fee'],
      [200, said.fee],
    ],
  ]);

const captionsOf = {
  /** Captions that nobody defined. */
  foreign: ['Our reference', 'Tested on', 'Valid to', 'Device under test', 'Charge'],
} as const;

function foreign(said: Said, variant: 0 | 1 | 2): ReadDocument {
  const [number, date, due, instrument, fee] = captionsOf.foreign;
  const pairs: readonly (readonly [string, string])[] = [
    [date, said.date],
    [due, said.due],
    [number, said.number.replace('CC-', 'X/')],
    [instrument, said.instrument],
    [fee, said.fee],
  ];
  const shifted = [...pairs.slice(variant), ...pairs.slice(0, variant)];
  const rows: PrintedRow[] = [
    [[40 + 60 * variant, ['Northern Metrology', 'Gauge House', 'Prüfhaus West'][variant]!]],
    null,
  ];
  for (const [caption, value] of shifted) {
    if (variant === 2) rows.push([[60, caption]], [[60, value]], null);
    else
      rows.push([
        [40, caption],
        [220 + 100 * variant, value],
      ]);
  }
  return typeset(rows);
}

const options = { docType: certificate.name, fields: null, ownTypes: [certificate] };
const extract = (document: ReadDocument, senders: readonly KnownSender[] = []) =>
  extractFromWords(document, { ...options, senders }).extraction;

const truthOf = (said: Said, number = said.number): Readonly<Record<string, JsonValue>> => ({
  certificate_number: number,
  calibrated_on: dateOf(said.date),
  next_due: dateOf(said.due),
  instrument: said.instrument,
  fee: Number(said.fee),
});

function dateOf(text: string): string {
  return new Date(`${text} UTC`).toISOString().slice(0, 10);
}

function rightShare(
  document: ReadDocument,
  truth: Readonly<Record<string, JsonValue>>,
  senders: readonly KnownSender[],
) {
  const { fields } = extract(document, senders);
  const names = Object.keys(truth);
  const wrong = names.filter((name) => fields[name] && fields[name].value !== truth[name]);
  return { right: names.filter((name) => fields[name]?.value === truth[name]).length / names.length, wrong };
}

function learn(known: readonly KnownSender[], document: ReadDocument, truth: Readonly<Record<string, JsonValue>>) {
  const extracted = Object.fromEntries(
    Object.entries(extract(document, known).fields).map(([name, { value }]) => [name, value]),
  );
  const lesson = lessonOf(document, { docType: certificate.name, ownTypes: [certificate], fields: truth, extracted });
  assert.ok(lesson);
  const sender = senderOfLesson(lesson, known);
  if (sender) {
    return known.map((each) => (each === sender ? { ...each, lessons: [lesson, ...each.lessons] } : each));
  }
  return [...known, { id: `snd_${known.length}`, name: lesson.name, docType: lesson.docType, lessons: [lesson] }];
}

describe("an account's own type", () => {
  test('reads values by captions, descriptions and examples before anything was confirmed', () => {
    const { fields, lines, docType } = extract(named(sayings[0]!));
    assert.equal(docType, certificate.name);
    assert.deepEqual(Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value])), {
      ...truthOf(sayings[0]!),
      verdict: 'PASS',
      inspectors: ['Ada Brook', 'Jon Marsh'],
    });
    assert.deepEqual(
      lines.map((row) => Object.fromEntries(Object.entries(row).map(([name, { value }]) => [name, value]))),
      [
        { point: 'Low range', count: 3, price: 20, cost: 60 },
        { point: 'High range', count: 2, price: 15.5, cost: 31 },
      ],
    );
    assert.ok(lines.every((row) => row.cost?.flags.includes('arithmetic_holds')));
    for (const { confidence } of Object.values(fields)) assert.ok(confidence < 90, `${confidence}`);
  });

  test('gets better with each confirmed document, also on layouts that nobody confirmed', () => {
    const document = (at: number, variant: 0 | 1 | 2) => {
      const said = sayings[at]!;
      return { read: foreign(said, variant), truth: truthOf(said, said.number.replace('CC-', 'X/')) };
    };
    // Another layout than any that is confirmed below.
    const unseen = document(3, 2);
    const before = rightShare(unseen.read, unseen.truth, []);
    let known: readonly KnownSender[] = [];
    const shares: number[] = [];
    for (const [at, variant] of [
      [0, 0],
      [1, 1],
      [2, 0],
    ] as const) {
      const { read, truth } = document(at, variant);
      known = learn(known, read, truth);
      const after = rightShare(unseen.read, unseen.truth, known);
      assert.deepEqual(after.wrong, []);
      shares.push(after.right);
    }
    const seen = document(3, 0);
    const own = rightShare(seen.read, seen.truth, known);
    assert.ok(before.right <= 0.2, `${before.right}`);
    assert.deepEqual(before.wrong, []);
    assert.ok(shares[0]! >= 0.6, `${shares}`);
    assert.ok(shares[2]! >= shares[0]! && shares[2]! >= 0.8, `${shares}`);
    assert.equal(own.right, 1);
  });

  test('learns what stands before a list, but no value of the list', () => {
    const listed = (column: number, names: string) =>
      typeset([
        [[40, 'Calibration certificate']],
        null,
        [
          [40, 'Read off by'],
          [column, names],
        ],
      ]);
    const first = listed(200, 'Ada Brook, Jon Marsh');
    assert.equal(extract(first).fields.inspectors, undefined);
    const known = learn([], first, { inspectors: ['Ada Brook', 'Jon Marsh'] });
    const [lesson] = known[0]!.lessons[0]!.fields.filter((each) => each.field === 'inspectors');
    assert.deepEqual([...new Set(lesson?.places.map(({ before }) => before))], ['read off by']);
    assert.deepEqual(extract(listed(320, 'Ines Roth, Jon Marsh, Per Lund'), known).fields.inspectors?.value, [
      'Ines Roth',
      'Jon Marsh',
      'Per Lund',
    ]);
    const right = extract(first, known).fields.inspectors!.value;
    const again = lessonOf(first, {
      docType: certificate.name,
      ownTypes: [certificate],
      fields: { inspectors: ['Jon Marsh', 'Ada Brook'] },
      extracted: { inspectors: right },
    });
    assert.equal(again?.fields.find((each) => each.field === 'inspectors')?.wasRight, true);
  });

  test('takes no value where nothing speaks for it', () => {
    const letter = typeset([
      [[40, 'Dear Sir or Madam']],
      [[40, 'We met on 4 April 2025 and agreed on 120.00 for the work.']],
      [[40, 'Kind regards']],
    ]);
    assert.deepEqual(Object.keys(extract(letter).fields), []);
  });

  test('is asked about by its definition, and weighs the answer', () => {
    const read = foreign(sayings[0]!, 0);
    const own = extract(read);
    const question = askAbout(read, own, null, 'all', { known: { ownTypes: [certificate] } });
    assert.equal(question?.type.title, 'Calibration certificate');
    assert.deepEqual(question?.type.fields.map(({ description, name }) => [name, description]).slice(0, 3), [
      ['certificate_number', 'certificate number'],
      ['calibrated_on', 'calibrated on'],
      ['next_due', 'Day on which the next calibration is due.'],
    ]);
    const answered = extractWithAnswer(read, options, {
      fields: { calibrated_on: '12 March 2025', instrument: 'Pressure gauge', fee: '180.00', inspectors: [] },
      rows: null,
    });
    assert.equal(answered.fields.calibrated_on?.value, '2025-03-12');
    assert.equal(answered.fields.instrument?.value, 'Pressure gauge');
    assert.equal(answered.fields.fee?.value, 180);
  });
});

describe('detection', () => {
  const detect = (document: ReadDocument, ownTypes: readonly OwnType[]) =>
    extractFromWords(document, { docType: 'detect', fields: null, ownTypes }).extraction.docType;

  test("takes an account's own type by its title and captions", () => {
    assert.equal(detect(named(sayings[1]!), [certificate]), certificate.name);
    assert.notEqual(detect(foreign(sayings[1]!, 0), [certificate]), certificate.name);
  });

  test('takes a built-in type that the classifier has not seen by its title and captions, and no other', () => {
    const untrained = [documentTypeOf('delivery_note')];
    const detected = (type: DocType, seed: number, found: Classification) =>
      detectUntrainedType(
        layOut(generateDocument({ type, seed: `untrained ${seed}`, language: seed % 2 ? 'de' : 'en' }).document),
        found,
        [],
        untrained,
      ).docType;
    const seeds = Array.from({ length: 20 }, (_, seed) => seed);
    const unsure = { docType: 'general', confidence: 60 };
    const notes = seeds.filter((seed) => detected('delivery_note', seed, unsure) === 'delivery_note');
    assert.ok(notes.length >= 10, `${notes.length} of 20 delivery notes`);
    for (const type of ['invoice', 'purchase_order', 'receipt', 'contract'] as const)
      for (const seed of seeds) assert.equal(detected(type, seed, { docType: type, confidence: 97 }), type);
  });

  test('leaves built-in documents to their types', () => {
    const invoiceLike: OwnType = {
      ...certificate,
      name: 'my_invoice',
      title: 'Invoice',
      fields: [
        field('number', 'identifier', { captions: ['Invoice number'] }),
        field('date', 'date', { captions: ['Invoice date'] }),
        field('total', 'amount', { captions: ['Total'] }),
      ],
      columns: [],
    };
    const invoice = typeset([
      [[40, 'Northwind Paper Ltd']],
      [[40, 'Invoice']],
      [
        [40, 'Invoice number'],
        [200, 'INV-2041'],
      ],
      [
        [40, 'Invoice date'],
        [200, '14 March 2026'],
      ],
      [
        [40, 'Description'],
        [250, 'Quantity'],
        [350, 'Unit price'],
        [450, 'Amount'],
      ],
      [
        [40, 'Copy paper'],
        [260, '3'],
        [350, '20.00'],
        [450, '60.00'],
      ],
      [
        [40, 'Total'],
        [450, '60.00'],
      ],
    ]);
    assert.equal(detect(invoice, [invoiceLike, certificate]), 'invoice');
  });
});

describe('a hostile definition', () => {
  test('is refused beyond its bounds', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => field(`f${at}`, 'text'));
    const refused: readonly unknown[] = [
      { ...certificate, fields: many },
      { ...certificate, name: '__proto__' },
      { ...certificate, name: 'constructor' },
      { ...certificate, name: 'invoice' },
      { ...certificate, fields: [field('constructor', 'text')] },
      { ...certificate, fields: [field('a', 'text'), field('a', 'date')] },
      { ...certificate, fields: [{ ...field('a', 'text'), kind: 'toString' }] },
      { ...certificate, fields: [field('a', 'text', { captions: ['x'.repeat(81)] })] },
      { ...certificate, fields: [field('a', 'text', { captions: Array.from({ length: 31 }, String) })] },
      { ...certificate, columns: [{ name: 'a', kind: 'iban', description: '', captions: [] }] },
      null,
      [],
    ];
    for (const value of refused) assert.equal(isOwnType(value), false, JSON.stringify(value)?.slice(0, 80));
    assert.equal(isOwnType(certificate), true);
  });

  test('costs little, and its captions are no regular expressions', () => {
    const evil = '(a+)+$|[\\s\\S]*.*(?:x|x)*';
    const fields = Array.from({ length: ownTypeLimits.fields }, (_, at) =>
      field(`f${at}`, at % 2 === 0 ? 'text' : 'identifier', {
        description: 'a '.repeat(250),
        captions: Array.from({ length: 30 }, (_each, index) => `${evil} ${at} ${index}`),
        examples: [`${'a'.repeat(119)}!`],
      }),
    );
    const type: OwnType = { ...certificate, fields, columns: [] };
    const page = Array.from({ length: 60 }, (): PrintedRow => [[40, `${'a'.repeat(60)} ${'a '.repeat(20)}!`]]);
    const started = performance.now();
    const { extraction } = extractFromWords(typeset(page), { ...options, ownTypes: [type] });
    // As regular expressions they would not end.
    assert.ok(performance.now() - started < 20_000, `${performance.now() - started} ms`);
    assert.equal(extraction.docType, type.name);
  });
});
