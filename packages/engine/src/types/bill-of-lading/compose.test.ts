import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify } from '../../classify/classify.ts';
import { composedValue } from '../../compose/value.ts';
import { extractFromWords } from '../../extract.ts';
import { layOut } from '../../layout/layout.ts';
import { type PrintedRow, typeset } from '../../layout/typeset.ts';
import { withBareNumber } from './weights.ts';

test('the consignee may be notified as well', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'BILL OF LADING']],
      [[40, 'Consignee NORDIC FRUIT AB']],
      [[40, 'HAMNGATAN 4, 411 17 GOTEBORG, SWEDEN']],
      [[40, 'Notify Party (see clause 22) SAME AS CONSIGNEE']],
      [[40, 'Vessel PACIFIC GRACE']],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.notify_party?.value, 'SAME AS CONSIGNEE');
  assert.equal(fields.consignee?.value, 'NORDIC FRUIT AB');
  assert.equal(fields.vessel?.value, 'PACIFIC GRACE');
});

test('a straight bill goes from its shipper to its consignee side by side', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'UNIFORM STRAIGHT BILL OF LADING']],
      [
        [40, 'FROM:'],
        [300, 'TO:'],
      ],
      [
        [40, 'Arroyo Ceramics Inc'],
        [300, 'TileMart Warehouse'],
      ],
      [
        [40, '600 Clay Rd'],
        [300, '1450 Logistics Way'],
      ],
      [
        [40, 'Laredo, TX 78045'],
        [300, 'Dallas, TX 75241'],
      ],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.shipper?.value, 'Arroyo Ceramics Inc');
  assert.equal(fields.consignee?.value, 'TileMart Warehouse');
});

test('a straight bill has its parties’ names behind a caption in their boxes', () => {
  const { fields } = extractFromWords(
    typeset([
      [[240, 'BILL OF LADING']],
      [
        [80, 'SHIP FROM'],
        [300, 'Bill of Lading Number: 08412277104471882'],
      ],
      [[40, 'Name: Copperline Fixtures Co.']],
      [[40, 'Address: 5120 Industrial Pkwy']],
      [[40, 'City/State/Zip: Toledo, OH 43612']],
      [
        [80, 'SHIP TO'],
        [300, 'CARRIER NAME: Great Lakes Motor Freight'],
      ],
      [[40, 'Name: Homestead Supply DC #14 Location #: 014']],
      [[40, 'Address: 2400 Distribution Way']],
      [[40, 'City/State/Zip: Joliet, IL 60436']],
      [[40, 'Trailer Loaded: By shipper By driver']],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.shipper?.value, 'Copperline Fixtures Co.');
  assert.equal(fields.consignee?.value, 'Homestead Supply DC #14');
});

test('numbered boxes have their values below captions with notes', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'SHORT FORM BILL OF LADING']],
      [
        [40, '2. EXPORTER (Principal or seller-licensee and address)'],
        [340, '5. DOCUMENT NUMBER'],
        [460, '5a. B/L NUMBER'],
      ],
      [
        [40, 'BAYOU RICE MILLS, LLC'],
        [340, 'AEGH2204471'],
        [460, 'AEGUHOU088214'],
      ],
      [[40, '3300 RIVER RD']],
      [
        [40, '3. CONSIGNED TO'],
        [340, '7. FORWARDING AGENT (Name and address)'],
      ],
      [
        [40, 'TO ORDER OF SHIPPER'],
        [340, 'GULF COAST FORWARDING'],
      ],
      [[40, '4. NOTIFY PARTY/INTERMEDIATE CONSIGNEE (Name and address)']],
      [[40, 'COMERCIAL ARROCERA DEL NORTE S.A. DE C.V.']],
      [
        [40, '14. EXPORTING CARRIER'],
        [200, '15. PORT OF LOADING/EXPORT'],
        [400, '11. TYPE OF MOVE'],
      ],
      [
        [40, 'M/V AEGIR VALOR V.217S'],
        [200, 'HOUSTON, TX'],
        [400, 'CY/CY'],
      ],
      [
        [40, '16. FOREIGN PORT OF UNLOADING'],
        [200, '17. PLACE OF DELIVERY BY ON-CARRIER'],
      ],
      [[40, 'VERACRUZ, MEXICO']],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  const values = Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value]));
  assert.equal(values.bl_number, 'AEGUHOU088214');
  assert.equal(values.shipper, 'BAYOU RICE MILLS, LLC');
  assert.equal(values.consignee, 'TO ORDER OF SHIPPER');
  assert.equal(values.notify_party, 'COMERCIAL ARROCERA DEL NORTE S.A. DE C.V.');
  assert.equal(values.vessel, 'M/V AEGIR VALOR');
  assert.equal(values.port_of_loading, 'HOUSTON, TX');
  assert.equal(values.port_of_discharge, 'VERACRUZ, MEXICO');
});

test('a note in brackets belongs to its caption over several lines, and a bill’s number is no container', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'BILL OF LADING FOR OCEAN TRANSPORT']],
      [
        [40, 'Consignee (negotiable only if consigned to order of a named Person or'],
        [420, 'B/L No.: EXSU9004412'],
      ],
      [[40, '"to order of bearer")']],
      [[40, 'EXAMPLE STATE SURFACES LLC']],
      [[40, '77 SAMPLE CENTER RD, BOW NH 03304']],
      null,
      [[40, 'Notify Address (Carrier not responsible for failure to notify; see']],
      [[40, 'clause 20 (1) hereof):']],
      [[40, 'SAMPLE BROKERS INC']],
      null,
      [[40, 'Container No. EXSU4410927 SEAL TR881204']],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.consignee?.value, 'EXAMPLE STATE SURFACES LLC');
  assert.equal(fields.notify_party?.value, 'SAMPLE BROKERS INC');
  assert.deepEqual(fields.container_numbers?.value, ['EXSU4410927']);
});

test('a net weight is no gross weight', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'COMBINED TRANSPORT BILL OF LADING']],
      [
        [40, 'Number and kind of packages; description of goods'],
        [380, 'Gross weight (kgs)'],
        [500, 'Measurement (cbm)'],
      ],
      [
        [40, '300 BAGS BLACK PEPPER'],
        [380, '18,730.00'],
        [500, '25.500'],
      ],
      [[40, 'NET WEIGHT 18,000.00 KGS']],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.gross_weight?.value, 18_730);
});

test('a bill from one place to another names no vessel and weighs what its grand total says', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'BILL OF LADING']],
      [[40, 'SHIP FROM']],
      [[40, 'Name: Sample Valve Works']],
      [[40, 'SHIP TO']],
      [[40, 'Name: Example Supply']],
      [[40, 'CARRIER INFORMATION']],
      [
        [40, 'HANDLING UNIT'],
        [160, 'PACKAGE'],
        [260, 'WEIGHT'],
        [360, 'COMMODITY DESCRIPTION'],
      ],
      [
        [40, '4 PLT'],
        [160, '96 CTN'],
        [260, '2,880 lbs'],
        [360, 'Brass valves'],
      ],
      [
        [40, '1 PLT'],
        [160, '40 CTN'],
        [260, '865 lbs'],
        [360, 'Fittings'],
      ],
      [
        [40, '5'],
        [160, '136'],
        [260, '3,745 Ibs'],
        [360, 'GRAND TOTAL'],
      ],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.vessel, undefined);
  assert.equal(fields.gross_weight?.value, 3745);
});

test('the weight in all may have its unit in the head of its column alone, which stands in the middle', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'BILL OF LADING']],
      [[40, 'SHIP FROM']],
      [[40, 'SHIP TO']],
      [
        [60, 'CUSTOMER ORDER NUMBER'],
        [220, '# PKGS'],
        [300, 'WEIGHT'],
        [400, 'ADDITIONAL SHIPPER INFO'],
      ],
      [
        [40, '4500118827'],
        [200, '420'],
        [260, '10,500'],
      ],
      [
        [40, 'GRAND TOTAL'],
        [200, '580'],
        [260, '14,660'],
      ],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.gross_weight?.value, 14_660);
});

test('a value’s words may stand apart in its box, and no word of the next box is among them', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'Sea Waybill']],
      [
        [40, 'Vessel(s):'],
        [240, 'Voyage-No:'],
      ],
      [
        [40, 'CAP EXAMPLE'],
        [240, '318N'],
      ],
      [
        [40, 'Port of Loading:'],
        [150, 'Port of Discharge:'],
      ],
      [
        [40, 'SAN'],
        [66, 'ANTONIO, CHILE'],
        [150, 'HAMBURG, GERMANY'],
      ],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.vessel?.value, 'CAP EXAMPLE');
  assert.equal(fields.port_of_loading?.value, 'SAN ANTONIO, CHILE');
  assert.equal(fields.port_of_discharge?.value, 'HAMBURG, GERMANY');
});

test('a bill whose column of weights has no grand total is read as well', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'BILL OF LADING']],
      [[40, 'Consignee NORDIC FRUIT AB']],
      [
        [40, 'Description of goods'],
        [300, 'Weight (kg)'],
      ],
      [
        [40, 'APPLES'],
        [300, '18,240'],
      ],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.consignee?.value, 'NORDIC FRUIT AB');
});

test('a caption has a note of what makes the bill negotiable, over two lines', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'BILL OF LADING']],
      [[40, 'SHIPPER:']],
      [[40, 'SAMPLE CERAMICS S.L.']],
      [[40, 'ONDA, SPAIN']],
      null,
      [[40, 'CONSIGNEE: This B/L is not negotiable unless marked "To Order" or "To Order of']],
      [[40, '... here.']],
      [[40, 'EXAMPLE TILE IMPORTERS LLC']],
      [[40, 'HOUSTON, TX 77008 USA']],
      null,
      [[40, 'NOTIFY PARTIES: (No responsibility shall attach to Carrier or to his Agent for failure']],
      [[40, 'to notify - see Clause 20)']],
      [[40, 'SPECIMEN CUSTOMS BROKERS INC']],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.consignee?.value, 'EXAMPLE TILE IMPORTERS LLC');
  assert.equal(fields.notify_party?.value, 'SPECIMEN CUSTOMS BROKERS INC');
});

test('a consignment note of the road numbers its boxes, and says how they are filled in over two lines', () => {
  const document = typeset([
    [[300, 'INTERNATIONALER FRACHTBRIEF / LETTRE DE VOITURE']],
    [[40, '1 Absender (Name, Anschrift, Land) / Expéditeur (nom, adresse,']],
    [[40, 'pays)']],
    [[40, 'Beispiel Pumpentechnik GmbH']],
    [[40, 'Industriering 44']],
    null,
    [[40, '2 Empfänger (Name, Anschrift, Land) / Destinataire (nom, adresse,']],
    [[40, 'pays)']],
    [[40, 'Aqua Muster Sp. z o.o.']],
    null,
    [[40, '5 Beigefügte Dokumente / Documents annexés']],
    [[40, 'Lieferschein 2024-3381, Packliste']],
    [[40, '11 Bruttogewicht in kg']],
  ]);
  const { fields } = extractFromWords(document, { docType: 'bill_of_lading', fields: null }).extraction;
  assert.equal(fields.shipper?.value, 'Beispiel Pumpentechnik GmbH');
  assert.equal(fields.consignee?.value, 'Aqua Muster Sp. z o.o.');
  assert.equal(classify(layOut(document)).docType, 'bill_of_lading');
});

test('what a consignee’s caption says of orders may go on in quotes', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'BILL OF LADING']],
      [[40, 'CONSIGNEE: This B/L is not negotiable unless marked "To Order" or']],
      [[40, '"To Order of ..." here.']],
      [[40, 'TO ORDER OF SAMPLE BANK']],
      [[40, 'PORT OF LOADING']],
      [[40, 'NHAVA SHEVA, INDIA']],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.consignee?.value, 'TO ORDER OF SAMPLE BANK');
});

test('a consignment note names its places below captions in two languages, the first with its day', () => {
  const { fields } = extractFromWords(
    typeset([
      [[240, 'CARTA DE PORTE INTERNACIONAL']],
      [[40, '1 Remitente (nombre, domicilio, país)']],
      [[40, 'Expéditeur (nom, adresse, pays)']],
      [[40, 'CERAMICAS EJEMPLO S.L.']],
      null,
      [[40, '3 Lugar de entrega de la mercancía (lugar, país)']],
      [[40, 'Lieu prévu pour la livraison de la marchandise']],
      [[40, 'NANTES (FRANCIA)']],
      null,
      [[40, '4 Lugar y fecha de carga de la mercancía (lugar, país, fecha)']],
      [[40, 'Lieu et date de la prise en charge de la']],
      [[40, 'marchandise']],
      [[40, 'VILA-REAL (ESPAÑA) 12-05-2025']],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.shipper?.value, 'CERAMICAS EJEMPLO S.L.');
  assert.equal(fields.port_of_discharge?.value, 'NANTES (FRANCIA)');
  assert.equal(fields.port_of_loading?.value, 'VILA-REAL (ESPAÑA)');
});

test('captions say how a box is filled in, and may go on below', () => {
  const { fields } = extractFromWords(
    typeset([
      [[240, 'BILL OF LADING']],
      [[40, '2. Consignee Insert Name, Address and Phone/Fax']],
      [[40, 'EXAMPLE HOME STORES INC']],
      null,
      [[40, '3. Notify Party Insert Name, Address and Phone/Fax (It is agreed that']],
      [[40, 'no responsibility shall attach to the Carrier)']],
      [[40, 'SAMPLE CUSTOMS BROKERS LLC']],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.consignee?.value, 'EXAMPLE HOME STORES INC');
  assert.equal(fields.notify_party?.value, 'SAMPLE CUSTOMS BROKERS LLC');
});

test('the number by which a carrier is registered is not its bill’s', () => {
  const { bl_number } = extractFromWords(
    typeset([
      [
        [40, 'Consignor'],
        [300, 'MULTIMODAL TRANSPORT BILL OF LADING'],
      ],
      [
        [40, 'SAMPLE SPICES PVT LTD'],
        [300, 'Reg.No.MTO/DGS/418/22'],
      ],
      null,
      [
        [300, 'MTD Number'],
        [400, 'MLX/COK/0418'],
      ],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction.fields;
  assert.equal(bl_number?.value, 'MLX/COK/0418');
});

test('a carrier’s number is known by its form, whatever references stand below their captions', () => {
  const numberOf = (...rows: readonly PrintedRow[]) =>
    extractFromWords(typeset(rows), { docType: 'bill_of_lading', fields: null }).extraction.fields.bl_number?.value;
  assert.equal(
    numberOf(
      [
        [40, '724 | FRA | 4418 2093'],
        [400, '724-4418 2093'],
      ],
      [[400, 'Air Waybill']],
      [[400, 'Reference Number Optional Shipping Information']],
      [[400, 'LO-25-7718']],
    ),
    '724-4418 2093',
  );
  assert.equal(
    numberOf(
      [[40, 'Bill of Lading']],
      [
        [260, "Carrier's"],
        [400, 'B/L- HLXUGUA250318845'],
      ],
      [
        [260, 'Reference:'],
        [400, 'No.:'],
      ],
      [[260, 'Export References:']],
      [[260, 'SN-2025-031']],
    ),
    'HLXUGUA250318845',
  );
});

test('a consignment note by road is no delivery note, whatever packages it counts', () => {
  const lines = ['CARTA DE PORTE INTERNACIONAL', 'ALBARAN 25/3381', 'Lugar de entrega', '7 Numero de bultos', 'PALETS'];
  const further = ['Portes', 'Albarán de entrega', 'Recibo de la mercancia'];
  const rows = [...lines, ...further].map((text): PrintedRow => [[40, text]]);
  assert.equal(classify(layOut(typeset(rows))).docType, 'bill_of_lading');
});

test('a place and its country may have captions of their own within a box', () => {
  const { fields } = extractFromWords(
    typeset([
      [[240, 'INTERNATIONALER FRACHTBRIEF']],
      [[40, '3 Auslieferungsort des Gutes']],
      [[40, 'Ort / Lieu Reims']],
      [[40, 'Land / Pays Frankreich']],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.port_of_discharge?.value, 'Reims, Frankreich');
});

test('the one weight in kilograms is the gross weight, whatever its head, and none of a bag', () => {
  const weightOf = (...rows: readonly PrintedRow[]) =>
    extractFromWords(typeset(rows), { docType: 'bill_of_lading', fields: null }).extraction.fields.gross_weight?.value;
  const head: PrintedRow = [
    [40, 'Container No. And Seal No.'],
    [430, '(21) Measurement / Gross Weight'],
  ];
  assert.equal(
    weightOf(
      head,
      [
        [40, 'EGHU9004471'],
        [430, '62.40 CBM'],
      ],
      [[430, '9,240.00 KGS']],
    ),
    9240,
  );
  assert.equal(weightOf(head, [[40, '275 BAGS OF GREEN COFFEE IN BAGS OF 69 KG NET']]), undefined);
});

test('a name may stand in a cell of its own behind its caption, left of the heading in the middle of its box', () => {
  const { fields } = extractFromWords(
    typeset([
      [[240, 'STRAIGHT BILL OF LADING']],
      [[120, 'SHIP FROM']],
      [
        [40, 'Name:'],
        [90, 'CUMBERLAND VALLEY PAPER INC'],
      ],
      [
        [40, 'Address:'],
        [90, '418 INDUSTRIAL BLVD'],
      ],
      [[120, 'SHIP TO']],
      [
        [40, 'Name:'],
        [90, 'TRI-RIVERS DISPLAY MFG'],
      ],
      [
        [40, 'Address:'],
        [90, '7100 MCKNIGHT RD DOCK 4'],
      ],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.shipper?.value, 'CUMBERLAND VALLEY PAPER INC');
  assert.equal(fields.consignee?.value, 'TRI-RIVERS DISPLAY MFG');
});

test('a consignment note for roads has whole kilograms in groups of three digits', () => {
  const weightOf = (title: string) =>
    extractFromWords(
      typeset([[[40, title]], [[40, '11 Peso bruto, kg / Gross weight in kg']], [[40, '18.744']], [[40, 'Consignee']]]),
      { docType: 'bill_of_lading', fields: null },
    ).extraction.fields.gross_weight?.value;
  assert.equal(weightOf('INTERNATIONAL CONSIGNMENT NOTE (CMR)'), 18744);
  assert.equal(weightOf('BILL OF LADING'), 18.744);
});

test('an air waybill weighs what stands below that head, and not what is charged', () => {
  const columns = [40, 110, 190, 240, 300, 390, 460];
  const row = (...cells: readonly string[]): PrintedRow =>
    cells.flatMap((text, at) => (text === '' ? [] : [[columns[at]!, text] as const]));
  const { fields } = extractFromWords(
    typeset([
      [[40, 'Air Waybill 618-44718203']],
      null,
      row('No. of Pieces', 'Gross Weight', 'kg lb', 'Rate Class', 'Chargeable Weight', 'Rate', 'Total'),
      row('7', '142.5', 'K', 'Q', '168.0', '6.40', '1,075.20'),
      row('7', '142.5', '', '', '', '', '1,075.20'),
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.gross_weight?.value, 142.5);
});

test('an air waybill’s gross weight stands below a head of two lines', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'Air Waybill 618-44718203']],
      null,
      [
        [40, 'No. of'],
        [110, 'Gross'],
        [190, 'kg'],
        [240, 'Chargeable'],
      ],
      [
        [40, 'Pieces'],
        [110, 'Weight'],
        [190, 'lb'],
        [240, 'Weight'],
      ],
      [
        [40, '3'],
        [110, '96.5'],
        [190, 'K'],
        [240, '104.0'],
      ],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.gross_weight?.value, 96.5);
});

test('a weight may reach below the next head, and the year far below in its column is another box’s', () => {
  const weightOf = (...goods: readonly PrintedRow[]) =>
    extractFromWords(
      typeset([
        [[40, 'BILL OF LADING']],
        [
          [40, 'Marks and nos.'],
          [180, 'Description of goods'],
          [380, 'Gross weight'],
          [480, 'Measurements'],
        ],
        ...goods,
        ...Array.from({ length: 18 }, (): PrintedRow => [[180, 'ROLLED OATS IN BAGS']]),
        [
          [180, 'Place and date of issue'],
          [382, '2021'],
        ],
      ]),
      { docType: 'bill_of_lading', fields: null },
    ).extraction.fields.gross_weight?.value;
  assert.equal(
    weightOf([
      [180, '12 PALLETS'],
      [425, '11,671.90'],
      [520, '27.230'],
    ]),
    11671.9,
  );
});

test('a form that captions every line has its parties behind the captions', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'STRAIGHT BILL OF LADING']],
      [
        [40, 'SHIPPER Bramley Cooperage'],
        [300, 'CONSIGNEE Stonewater Distilling Co.'],
      ],
      [
        [40, 'STREET 220 Mill Rd'],
        [300, 'STREET 8 Bonded Lane'],
      ],
      [
        [40, 'ORIGIN Sampleton VA 22602'],
        [300, 'DESTINATION Exampleburg KY 40004'],
      ],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.shipper?.value, 'Bramley Cooperage');
  assert.equal(fields.consignee?.value, 'Stonewater Distilling Co.');
});

const shortForm: PrintedRow[] = [
  [
    [40, 'STRAIGHT BILL OF LADING - SHORT FORM'],
    [340, 'SCAC: QXRV'],
  ],
  [
    [340, 'DATE'],
    [380, '10-07-24'],
  ],
  [
    [40, 'TO:'],
    [300, 'FROM:'],
  ],
  [
    [40, 'Consignee'],
    [110, 'Corvane Feed & Garden'],
    [300, 'Shipper'],
    [370, 'Wrexley Millwright Co.'],
  ],
  [
    [40, 'Street'],
    [110, '720 W. Tarn St.'],
    [300, 'Street'],
    [370, '31 Elevator Road'],
  ],
  [
    [40, 'Description of Articles'],
    [300, 'Weight (lbs)'],
    [400, 'Class'],
  ],
  [
    [40, 'auger parts'],
    [300, '2.265'],
    [400, '65'],
  ],
];

test('parties stand beside their captions where the captions of their addresses stand below', () => {
  const { fields } = extractFromWords(typeset(shortForm), { docType: 'bill_of_lading', fields: null }).extraction;
  assert.equal(fields.shipper?.value, 'Wrexley Millwright Co.');
  assert.equal(fields.consignee?.value, 'Corvane Feed & Garden');
});

test('a bill of American lorries has the month first, and thousands of pounds', () => {
  const { fields } = extractFromWords(typeset(shortForm), { docType: 'bill_of_lading', fields: null }).extraction;
  assert.equal(fields.date?.value, '2024-10-07');
  assert.notEqual(fields.gross_weight?.value, 2.265);
});

test('a container’s O that was read as a nought is one where the check digit holds', () => {
  const containers = (number: string) =>
    extractFromWords(typeset([[[40, 'BILL OF LADING']], [[40, `Container No. ${number}`]]]), {
      docType: 'bill_of_lading',
      fields: null,
    }).extraction.fields.container_numbers?.value;
  assert.deepEqual(containers('00LU7128840'), ['OOLU7128840']);
  assert.equal(containers('00LU7128841'), undefined);
});

test('the weight that is the sum of those of the containers is that of the whole', () => {
  const { fields } = extractFromWords(
    typeset([
      [[40, 'BILL OF LADING']],
      [
        [40, '2 CONTAINERS'],
        [300, '5840.000 KGS'],
      ],
      [
        [40, 'FIRST'],
        [300, '2920.000 KGS'],
      ],
      [
        [40, 'SECOND'],
        [300, '2920.000 KGS'],
      ],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.gross_weight?.value, 5840);
});

test('an air waybill’s number may be read in two pieces, and its day is the one on which it was executed', () => {
  const { fields } = extractFromWords(
    typeset([
      [
        [40, 'Air Waybill'],
        [400, '417-8820'],
        [450, '1163'],
      ],
      [[40, 'INV 4471 DATED 03FEB25']],
      null,
      [
        [40, '07 FEB 2025'],
        [200, 'TALLINN'],
      ],
      [
        [40, 'Executed on (date)'],
        [200, 'at (place)'],
      ],
    ]),
    { docType: 'bill_of_lading', fields: null },
  ).extraction;
  assert.equal(fields.bl_number?.value, '417-8820 1163');
  assert.equal(fields.date?.value, '2025-02-07');
});

test('the word for a carrier’s number is no part of it', () => {
  const number = withBareNumber({ bl_number: composedValue('PRO 512-883104-7', 80, []) });
  assert.equal(number.bl_number?.value, '512-883104-7');
});
