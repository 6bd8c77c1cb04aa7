import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proposeCandidates } from '../candidates/propose.ts';
import { candidateValue } from '../compose/value.ts';
import { layOut } from '../layout/layout.ts';
import { type PrintedRow, typeset } from '../layout/typeset.ts';
import { decideLocale } from '../locale/locale.ts';
import { documentTypeOf } from '../types/registry.ts';
import { withOwnDetails } from './details.ts';

/** The details of an invoice's parties, of which these fields were answered by what has the value. */
function detailsOf(answered: Readonly<Record<string, string>>, ...rows: PrintedRow[]): Record<string, unknown> {
  const layout = layOut(typeset(rows));
  const candidates = proposeCandidates(layout, decideLocale(layout));
  const fields = Object.fromEntries(
    Object.entries(answered).map(([name, value]) => [
      name,
      candidateValue(candidates.find((candidate) => candidate.value === value)!, 80),
    ]),
  );
  const own = withOwnDetails(documentTypeOf('invoice'), layout, candidates, fields);
  return Object.fromEntries(Object.entries(own).map(([name, { value }]) => [name, value]));
}

const twoParties: readonly PrintedRow[] = [
  [
    [40, 'Lumen Stack, Inc.'],
    [300, 'Bill to'],
  ],
  [
    [40, '548 Hawthorne Avenue'],
    [300, 'Harlow Design Studio'],
  ],
  [
    [40, 'Salem, OR 97301'],
    [300, '77 Wexford Road'],
  ],
  [
    [40, 'billing@lumenstack.com'],
    [300, 'Eugene, OR 97401'],
  ],
  [[300, 'accounts@harlowdesign.com']],
  [[300, 'VAT ID DE811204556']],
];

test('what stands below a party’s address is that party’s', () => {
  assert.deepEqual(detailsOf({ vendor_tax_id: 'DE811204556' }, ...twoParties), {
    vendor_email: 'billing@lumenstack.com',
    customer_tax_id: 'DE811204556',
  });
});

test('the only tax number is that of who issues the document, unless its caption says otherwise', () => {
  const rows = (caption: string): readonly PrintedRow[] => [
    [[40, 'Bill to']],
    [[40, 'Brightwater Solicitors LLP']],
    [[40, '40 High Street']],
    [[40, 'Wells BA5 2SN']],
    null,
    null,
    [[300, caption]],
    [[300, 'GB 284 5512 90']],
  ];
  const answered = { customer_tax_id: 'GB284551290' };
  assert.deepEqual(detailsOf(answered, ...rows('VAT number')), { vendor_tax_id: 'GB284551290' });
  assert.deepEqual(detailsOf(answered, ...rows('Customer VAT number')), answered);
});

test('beside the number of a register or an income tax, a party’s own one is that of sales tax', () => {
  const invoiced = (...rows: PrintedRow[]) => [[[40, 'Factuur 17']], null, ...rows] as PrintedRow[];
  assert.deepEqual(
    detailsOf({ vendor_tax_id: '30227714' }, ...invoiced([[40, 'KvK 30227714 - btw-id NL002188764B34']])),
    {
      vendor_tax_id: 'NL002188764B34',
    },
  );
  assert.deepEqual(
    detailsOf({ vendor_tax_id: 'AAGFS4471K' }, ...invoiced([[40, 'GSTIN 27AAGFS4471K1ZP']], [[40, 'PAN AAGFS4471K']])),
    { vendor_tax_id: '27AAGFS4471K1ZP' },
  );
  const answered = { vendor_tax_id: 'AAGFS4471K', customer_tax_id: '27AAGFS4471K1ZP' };
  assert.deepEqual(detailsOf(answered, ...invoiced([[40, 'GST No: 27AAGFS4471K1ZP']], [[40, 'PAN No: AAGFS4471K']])), {
    vendor_tax_id: '27AAGFS4471K1ZP',
  });
});

test('a number that its caption calls the addressee’s is not that of who writes', () => {
  const rows: readonly PrintedRow[] = [
    [
      [300, 'Ihre USt-Id'],
      [420, 'ATU58741236'],
    ],
    null,
    [[40, 'USt-IdNr. DE147258369']],
  ];
  assert.deepEqual(detailsOf({ vendor_tax_id: 'ATU58741236' }, ...rows), {
    customer_tax_id: 'ATU58741236',
    vendor_tax_id: 'DE147258369',
  });
});

test('the one tax number that is surely one is that of who issues the document', () => {
  const line: PrintedRow = [[40, 'GST 5% (R# 81447 2205 RT0001)']];
  assert.equal(detailsOf({}, ...twoParties, null, line).vendor_tax_id, '814472205RT0001');
  const another: PrintedRow = [[40, 'GST 5% (R# 81447 2206 RT0001)']];
  assert.equal(detailsOf({}, ...twoParties, null, line, another).vendor_tax_id, undefined);
});

test('the heading of a narrow column may call a tax number the customer’s in two lines', () => {
  const fields = detailsOf(
    {},
    [[40, 'V/N.º']],
    [[40, 'Contrib.']],
    [
      [40, '500771034'],
      [200, '30 Dias'],
    ],
    null,
    [[40, 'Contribuinte N.º: 513880214']],
  );
  assert.equal(fields.customer_tax_id, '500771034');
});

test('a tax number may stand without a caption below a name, or beside its caption below an address', () => {
  const fields = detailsOf(
    {},
    [[40, 'Ejemplo Piensos, S.L.']],
    [[40, 'B45880217']],
    [[40, 'Calle Mayor 3']],
    [[40, '45280 Olías del Rey']],
    null,
    null,
    [[40, 'Bill to:']],
    [[40, 'Example Panels Pvt. Ltd.']],
    [[40, 'Plot 47, Example Estate']],
    [[40, 'Pune - 411026']],
    [
      [40, 'GSTIN/UIN'],
      [130, ':27AABCB4410R1Z6'],
    ],
  );
  assert.equal(fields.vendor_tax_id, 'B45880217');
  assert.equal(fields.customer_tax_id, '27AABCB4410R1Z6');
});

test('a tax number with and without the letters of its country is one', () => {
  const fields = detailsOf(
    {},
    [[40, 'Cliente:']],
    [[40, 'Partita IVA: IT01477120195']],
    [[40, 'Codice fiscale: 01477120195']],
    [[40, 'Denominazione: Esempio Trasporti Srl']],
    [[40, 'Indirizzo: Via Roma 6']],
    [[40, 'Comune: Crema Provincia: CR']],
    [[40, 'Cap: 26013 Nazione: IT']],
  );
  assert.equal(fields.customer_tax_id, 'IT01477120195');
});

test('of two firms side by side the chosen name shows whose number stands in its block', () => {
  const layout = layOut(
    typeset([
      [
        [40, 'Ejemplo Piensos, S.L.'],
        [300, 'GANADERÍA EJEMPLO, C.B.'],
      ],
      [
        [40, 'B45880217'],
        [300, 'E45102886'],
      ],
      [
        [40, 'Calle Mayor 3'],
        [300, 'Camino Real 4'],
      ],
      [
        [40, '45280 Olías del Rey'],
        [300, '45521 Burujón'],
      ],
      [[40, 'hola@ejemplo.example']],
    ]),
  );
  const candidates = proposeCandidates(layout, decideLocale(layout));
  const named = (value: string) => candidateValue(candidates.find((candidate) => candidate.value === value)!, 80);
  const fields = withOwnDetails(documentTypeOf('invoice'), layout, candidates, {
    vendor_name: named('Ejemplo Piensos, S.L.'),
    customer_name: named('GANADERÍA EJEMPLO, C.B.'),
  });
  assert.equal(fields.vendor_tax_id?.value, 'B45880217');
  assert.equal(fields.customer_tax_id?.value, 'E45102886');
});

test('a telephone number at its caption is that of who issues the document, unless it stands in another block', () => {
  const headings: PrintedRow = [
    [40, 'Phone #'],
    [140, 'Fax #'],
  ];
  const numbers: PrintedRow = [
    [40, '260-555-0143'],
    [140, '260-555-0149'],
  ];
  assert.equal(detailsOf({}, headings, numbers, null, [[40, 'Portland, OR 97201']]).vendor_phone, '260-555-0143');
  const delivery: readonly PrintedRow[] = [
    [[40, 'Ship to']],
    [[40, 'Harlow Design Studio']],
    [[40, '77 Wexford Road']],
    [[40, 'Eugene, OR 97401']],
    [[40, 'Phone: 260-555-0143']],
  ];
  assert.equal(detailsOf({}, ...delivery).vendor_phone, undefined);
});

test('beside the number of a register, a number of sales tax that is nobody’s by its place is the sender’s', () => {
  const fields = detailsOf(
    { vendor_tax_id: '71188204', customer_tax_id: 'NL003418827B44' },
    ...twoParties.slice(0, -1),
    null,
    null,
    [[40, 'KvK 71188204']],
    [[40, 'BTW NL003418827B44']],
  );
  assert.equal(fields.vendor_tax_id, 'NL003418827B44');
  assert.equal(fields.customer_tax_id, undefined);
});

test('a tax number apart from both blocks is the addressee’s, where who writes has one below the address', () => {
  const fields = detailsOf(
    { vendor_tax_id: 'B22401187' },
    [
      [40, 'SUMINISTROS EJEMPLO, S.A.'],
      [300, 'TALLERES EJEMPLO, S.L.'],
    ],
    [
      [40, 'Calle Mayor 41'],
      [300, 'CTRA. NACIONAL 240'],
    ],
    [
      [40, '50016 ZARAGOZA'],
      [300, '22400 MONZON'],
    ],
    [[40, 'C.I.F. A50118842']],
    [[40, 'ventas@ejemplo.example']],
    null,
    null,
    [[200, 'C.I.F.']],
    [[200, 'B22401187']],
  );
  assert.equal(fields.vendor_tax_id, 'A50118842');
  assert.equal(fields.customer_tax_id, 'B22401187');
});

test('of two tax numbers of one kind the one among the particulars is the addressee’s', () => {
  const rows = (caption: string): readonly PrintedRow[] => [
    [
      [40, 'Comptoir Exemple SARL'],
      [300, 'Menuiserie Exemple SARL'],
    ],
    [
      [40, '14 rue du Port'],
      [300, '3 rue Haute'],
    ],
    [
      [40, '29200 BREST'],
      [300, '29290 SAINT RENAN'],
    ],
    [[40, 'TVA FR57388114420']],
    null,
    [
      [40, 'Code client'],
      [150, caption],
    ],
    [
      [40, 'C01177'],
      [150, 'FR20441887203'],
    ],
  ];
  const answered = { vendor_tax_id: 'FR57388114420' };
  assert.equal(detailsOf(answered, ...rows('N° TVA intracom.')).customer_tax_id, 'FR20441887203');
  assert.equal(detailsOf(answered, ...rows('Référence')).customer_tax_id, undefined);
});

test('what stands below the caption of who is billed is theirs, though they have no address', () => {
  const rows: readonly PrintedRow[] = [
    [[40, 'Bill to']],
    [[40, 'Hannah Sample']],
    [[40, 'Example Land Trust']],
    [[40, 'hannah@landtrust.com']],
    null,
    null,
    [[40, 'Sweetgrass Catering · 1904 Carson St, Missoula, MT 59801 · events@sweetgrass.com · www.sweetgrass.com']],
  ];
  assert.deepEqual(detailsOf({ vendor_email: 'hannah@landtrust.com' }, ...rows), {
    vendor_email: 'events@sweetgrass.com',
    vendor_website: 'www.sweetgrass.com',
  });
});
