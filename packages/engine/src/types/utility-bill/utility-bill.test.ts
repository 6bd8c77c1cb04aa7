import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placed } from '../../candidates/placed.ts';
import { classify } from '../../classify/classify.ts';
import { extractFromWords } from '../../extract.ts';
import { layOut } from '../../layout/layout.ts';
import { type PrintedRow, typeset } from '../../layout/typeset.ts';
import { decideLocale } from '../../locale/locale.ts';
import { documentTypeOf } from '../registry.ts';
import { utilityBillRules } from './rules.ts';

const extracted = (...rows: PrintedRow[]) =>
  extractFromWords(typeset(rows), { docType: 'utility_bill', fields: null }).extraction.fields;

test('a period of which the last day is printed begins as many days before as the bill says', () => {
  const { period_start_date: start, period_end_date: end } = extracted(
    [[40, 'Your new charges - for billing period ending Jul 13, 2023']],
    [[40, 'Electricity charges - for 31 days']],
    null,
    [
      [40, 'New reading'],
      [160, 'Jul 13 Actual'],
      [260, '61842'],
    ],
    [
      [40, 'Old reading'],
      [160, 'Jun 12 Actual'],
      [260, '61440'],
    ],
  );
  assert.equal(start?.value, '2023-06-12');
  assert.equal(end?.value, '2023-07-13');
  const { period_start_date: unknown } = extracted([[40, 'For billing period ending Jul 13, 2023']]);
  assert.equal(unknown, undefined);
});

test('a period goes from the previous reading of a meter to the present one', () => {
  const fields = extracted(
    [
      [40, 'Svc'],
      [80, 'Prev Date'],
      [160, 'Prev Rdg'],
      [240, 'Curr Date'],
      [320, 'Curr Rdg'],
      [400, 'Cons HCF'],
    ],
    [
      [40, 'WTR'],
      [80, '10/24/2022'],
      [160, '1188'],
      [240, '01/25/2023'],
      [320, '1219'],
      [400, '31'],
    ],
  );
  assert.equal(fields.period_start_date?.value, '2022-10-24');
  assert.equal(fields.period_end_date?.value, '2023-01-25');
  assert.equal(fields.consumption?.value, 31);
});

test('gas is charged by its energy rather than by its volume', () => {
  const inLine = extracted(
    [[40, 'Consumo del periodo: 101 m³ x 11,762 kWh/m³ = 1.188 kWh']],
    [[40, 'Importe 131,45 €']],
  );
  assert.equal(inLine.consumption?.value, 1188);
  assert.equal(inLine.consumption_unit?.value, 'kWh');
  const inRow = extracted(
    [
      [40, 'Zähler'],
      [110, 'Stand alt'],
      [180, 'Stand neu'],
      [250, 'Differenz m³'],
      [330, 'Zustandszahl'],
      [410, 'Brennwert'],
      [480, 'Energie kWh'],
    ],
    [
      [40, '7GMT21'],
      [110, '21.884'],
      [180, '22.975'],
      [250, '1.091'],
      [330, '0,9622'],
      [410, '11,285'],
      [480, '11.846'],
    ],
    [[40, 'Ihre Nachzahlung 214,77 EUR']],
  );
  assert.equal(inRow.consumption?.value, 11846);
});

test('energy in a column of its own is what a meter’s difference and its factors make', () => {
  const { consumption, consumption_unit: unit } = extracted(
    [
      [40, 'Previous'],
      [110, 'Current'],
      [180, 'Difference'],
      [260, 'Pressure factor'],
      [350, 'Conversion'],
      [430, 'Gas used (GJ)'],
    ],
    [
      [40, '4188'],
      [110, '4311'],
      [180, '123'],
      [260, '1.000'],
      [350, '0.03844'],
      [430, '4.7'],
    ],
    [[40, 'Please pay $86.04']],
  );
  assert.equal(consumption?.value, 4.7);
  assert.equal(unit?.value, 'GJ');
});

test('a column under nothing but a unit has what was used in hundreds of what the meter counts', () => {
  const { consumption, consumption_unit: unit } = extracted(
    [
      [40, 'Meter Number'],
      [140, 'Present'],
      [210, 'Previous'],
      [280, 'Difference'],
      [360, 'Mcf'],
    ],
    [
      [40, 'G0044182'],
      [140, '4418'],
      [210, '4296'],
      [280, '122'],
      [360, '12.2'],
    ],
    [[40, 'Total amount due $146.02']],
  );
  assert.equal(consumption?.value, 12.2);
  assert.equal(unit?.value, 'Mcf');
});

test('the registers of one meter are counted together where their sum is printed', () => {
  const register = (name: string, old: string, current: string, used: string): PrintedRow => [
    [40, name],
    [140, old],
    [220, current],
    [320, used],
  ];
  const { consumption } = extracted(
    [
      [40, 'Bezeichnung'],
      [140, 'Alter Stand'],
      [220, 'Neuer Stand'],
      [320, 'Verbrauch kWh'],
    ],
    register('Hochtarif', '21404', '21960', '556'),
    register('Niedertarif', '30011', '30366', '355'),
    [
      [40, 'Total Verbrauch'],
      [320, '911'],
    ],
  );
  assert.equal(consumption?.value, 911);
});

test('what an earlier bill came to and what was paid are not what is due', () => {
  const { total_amount: total, due_date: due } = extracted(
    [[240, 'Amount due by Dec. 4, 2023']],
    [[260, '$152.36']],
    null,
    [
      [40, 'Your previous balance was'],
      [300, '$139.90'],
    ],
    [
      [40, 'Amount we received on Oct 30, 2023 - thank you'],
      [300, '-$139.90'],
    ],
  );
  assert.equal(total?.value, 152.36);
  assert.equal(due?.value, '2023-12-04');
});

test('a number in groups of digits is taken whole, and the provider’s own address is no place of supply', () => {
  const fields = extracted(
    [[40, 'Northern Water Department']],
    [[40, '4 Main Street']],
    [[40, 'Harlow, MA 01099']],
    [[40, 'Tel 413-555-0170']],
    null,
    [[40, 'NO. DE SERVICIO: 118 204 330 771']],
    [[40, 'LÍMITE DE PAGO: 03 MAY 23']],
    [[40, 'Total a pagar $511.00']],
  );
  assert.equal(fields.account_number?.value, '118 204 330 771');
  assert.equal(fields.service_address, undefined);
});

test('a bill for a telephone or an internet line is a utility bill', () => {
  const rows: PrintedRow[] = [
    [[40, 'Your bill at a glance']],
    [
      [40, 'Your last bill'],
      [300, '$139.14'],
    ],
    [
      [40, 'Payment - thank you'],
      [300, '-$139.14'],
    ],
    [
      [40, 'Wireless service'],
      [300, '$143.87'],
    ],
    [
      [40, 'Total due'],
      [300, '$143.87'],
    ],
    [[40, 'Account number 287304116552']],
    [[40, 'AutoPay scheduled for Jan 4, 2024']],
  ];
  assert.equal(classify(layOut(typeset(rows))).docType, 'utility_bill');
});

test('what a meter’s readings differ by is multiplied by its factor, and several meters count together', () => {
  const meter = (number: string, ...cells: readonly string[]): PrintedRow => [
    [40, number],
    ...cells.map((text, at): [number, string] => [120 + 70 * at, text]),
  ];
  const rows: PrintedRow[] = [
    [
      [40, 'Total electricity use'],
      [400, '655,564 kWh'],
    ],
    meter('Meter #', 'New read', 'Date', 'Prior read', 'Read diff', 'Multiplier', 'kWh'),
    meter('L-0127', '20257.16', 'Aug 28', '19821.71', '435.45', '800', '348,366'),
    meter('L-0128', '12910.16', 'Aug 28', '12526.16', '383.99', '800', '307,198'),
  ];
  assert.equal(extracted(...rows).consumption?.value, 655_564);
});

test('British gas is reckoned in kilowatt-hours by a calorific value in megajoules', () => {
  const { consumption } = extracted(
    [
      [40, 'Meter'],
      [90, 'Previous (E)'],
      [160, 'Latest (A)'],
      [230, 'Units used (m3)'],
      [330, 'Correction'],
      [400, 'Calorific value'],
      [500, 'kWh'],
    ],
    [
      [40, 'G4'],
      [90, '6204'],
      [160, '6338'],
      [230, '134'],
      [330, '1.02264'],
      [400, '39.5'],
      [490, '1503.60'],
    ],
  );
  assert.equal(consumption?.value, 1503.6);
});

test('a day is no place of supply, nor a part of one', () => {
  const { service_address: address } = extracted(
    [[40, 'Bill date 25 September 2023']],
    [
      [40, 'Acct# 7741-02'],
      [240, 'Property'],
      [300, '402 FERN ST'],
    ],
    [[240, 'Due on or before 05/20/2024']],
  );
  assert.equal(address?.value === undefined || address.value === '402 FERN ST', true);
});

test('what a customer is charged is no customer’s name', () => {
  const fields = extracted(
    [[40, 'Tri-Valley Electric']],
    [[40, 'Bill date 09/12/2024']],
    [[40, 'Account number 5512-0093']],
    [
      [40, 'Customer Charge'],
      [300, '15.50'],
    ],
  );
  assert.equal(fields.customer_name, undefined);
});

test('a French bill has its number below its title, its period at its consumption, and the day of its collection', () => {
  const fields = extracted(
    [[40, 'Facture du 18/02/2025']],
    [[40, 'N° 40 117 883 205']],
    [[40, 'Montant total à payer 146,72 €']],
    [[40, 'Montant prelevé le 05/03/2025']],
    [[40, 'Prochaine facture vers le 17/04/2025']],
    [
      [40, 'Abonnement (du 16/02/2025 au 15/04/2025)'],
      [400, '25,82 €'],
    ],
    [
      [40, 'Consommation (du 16/12/2024 au 15/02/2025)'],
      [400, '81,40 €'],
    ],
  );
  assert.equal(fields.bill_number?.value, '40 117 883 205');
  assert.equal(fields.due_date?.value, '2025-03-05');
  assert.equal(fields.period_start_date?.value, '2024-12-16');
  assert.equal(fields.period_end_date?.value, '2025-02-15');
});

test('a place of supply stands behind its caption, perhaps without a number, or among the customer’s rows', () => {
  const irish = extracted(
    [[40, 'Supply address: Kilnagappagh, Ballyvaughan, Co Clare, H91 X4P7']],
    [[40, 'Total due €138.98']],
  );
  assert.equal(irish.service_address?.value, 'Kilnagappagh, Ballyvaughan, Co Clare, H91 X4P7');
  const indian = extracted(
    [[40, '(A Govt. of State Undertaking) CIN U40109CT2003SGC015822']],
    [
      [40, 'Consumer Name'],
      [160, 'SUSHMITA PATNAIK'],
    ],
    [
      [40, 'Consumer No.'],
      [160, '1004471882'],
    ],
    [
      [40, 'Address'],
      [160, 'H NO 14/2 SHASTRI NAGAR, RAIPUR 492001'],
    ],
    [
      [40, 'Current Bill Amount'],
      [400, '1,339.40'],
    ],
    [
      [40, 'Net Payable Amount'],
      [400, '1,000.00'],
    ],
  );
  assert.equal(indian.service_address?.value, 'H NO 14/2 SHASTRI NAGAR, RAIPUR 492001');
  assert.equal(indian.total_amount?.value, 1000);
});

test('the place of supply is the block at its caption, and not the customer’s with a longer code', () => {
  const fields = extracted(
    [
      [40, 'HENRIETTA VOSS'],
      [340, 'Service address'],
    ],
    [
      [40, '4420 PINE CONE CIR'],
      [340, '4420 PINE CONE CIR'],
    ],
    [
      [40, 'CHATTANOOGA TN 37421-3317'],
      [340, 'CHATTANOOGA, TN 37421'],
    ],
    [[40, 'Amount due $104.11']],
  );
  assert.equal(fields.service_address?.value, '4420 PINE CONE CIR, CHATTANOOGA, TN 37421');
});

test('a water district’s card is a bill', () => {
  const card: readonly PrintedRow[] = [
    [[40, 'CEDAR HOLLOW WATER DISTRICT']],
    [
      [40, 'Name: ESTEBAN QUIROGA'],
      [300, 'Acct #: 2-0447-01'],
    ],
    [[40, 'Svc Address: 88 RIVER BEND']],
    [
      [40, 'Service'],
      [140, 'Previous'],
      [240, 'Current'],
      [340, 'Usage'],
    ],
    [
      [40, 'WATER'],
      [140, '338200'],
      [240, '344700'],
      [340, '6500'],
    ],
    [[40, 'Read dates: 07/14/2025 - 08/13/2025 Meter: 60447188 Gallons']],
    [[40, 'Watering restrictions are in effect']],
  ];
  assert.equal(classify(layOut(typeset(card))).docType, 'utility_bill');
});

test('the account that is billed goes before the customer’s own number', () => {
  const fields = extracted(
    [[40, 'Stadtwerke Beispiel GmbH']],
    [
      [40, 'Kundennummer'],
      [200, '77120'],
    ],
    [
      [40, 'Vertragskonto'],
      [200, '2003 118 447'],
    ],
    [[40, 'Jahresabrechnung Strom']],
    [
      [40, 'Zählernummer'],
      [200, 'Stand neu'],
      [340, 'Verbrauch'],
    ],
    [
      [40, '1 ESY 1162 770 418'],
      [200, '34.053'],
      [340, '2.846 kWh'],
    ],
  );
  assert.equal(fields.account_number?.value, '2003 118 447');
  assert.equal(fields.meter_number?.value, '1 ESY 1162 770 418');
});

test('a bill’s day may stand in brackets behind its reference', () => {
  const fields = extracted(
    [[40, 'Sample Energy Limited']],
    [[300, 'Your Account Number: A-7F20C3B1']],
    [[300, 'Bill Reference: 214477903 (19th Feb 2025)']],
    [[40, 'Your energy account for 18th Jan 2025 - 17th Feb 2025']],
    [
      [40, 'Total charges (inc. VAT)'],
      [300, '£141.26'],
    ],
  );
  assert.equal(fields.bill_number?.value, '214477903');
  assert.equal(fields.bill_date?.value, '2025-02-19');
});

test('an Indian place of supply is a house and a town behind the customer’s address', () => {
  const fields = extracted(
    [[40, 'SAMPLE VIDYUT VITRAN NIGAM LTD']],
    [[40, 'ELECTRICITY BILL - DOMESTIC SUPPLY']],
    null,
    [
      [40, 'Consumer Name'],
      [160, 'SH RAMESHWAR SAMPLE'],
    ],
    [
      [40, 'Address'],
      [160, 'H NO 212 SECTOR 15A FARIDABAD 121007'],
    ],
  );
  assert.equal(fields.service_address?.value, 'H NO 212 SECTOR 15A FARIDABAD 121007');
});

test('a total without tax is not the total bill, and the day may stand below the number', () => {
  const fields = extracted(
    [[40, 'Facture n° 2024-1183350']],
    [[40, 'du 28/10/2024']],
    null,
    [
      [40, 'Total excl. VAT'],
      [300, '€52.83'],
    ],
    [
      [40, 'VAT @ 23%'],
      [300, '€12.15'],
    ],
    [
      [40, 'Total bill'],
      [300, '€64.98'],
    ],
  );
  assert.equal(fields.total_amount?.value, 64.98);
  assert.equal(fields.bill_date?.value, '2024-10-28');
});

test('a meter’s row has the days of its readings below headings of the same words', () => {
  const fields = extracted(
    [
      [40, 'Compteur n°'],
      [140, 'Relevé du'],
      [220, 'Ancien index'],
      [300, 'Relevé du'],
      [380, 'Nouvel index'],
    ],
    [
      [40, 'D08FA224471'],
      [140, '12/04/2024'],
      [220, '1207'],
      [300, '15/10/2024'],
      [380, '1270'],
    ],
  );
  assert.deepEqual([fields.period_start_date?.value, fields.period_end_date?.value], ['2024-04-12', '2024-10-15']);
});

test('a place of supply may have its town alone, and readings one to a row', () => {
  const fields = extracted(
    [[40, 'DR ALAIN SAMPLE']],
    [[40, '88 CHEMIN DU PHARE']],
    [[40, 'SHEDIAC NB E4P 2T1']],
    null,
    [[40, 'Service address: 88 CHEMIN DU PHARE, SHEDIAC NB']],
    null,
    [
      [40, 'Read date'],
      [140, 'Reading'],
    ],
    [
      [40, 'Dec 31, 2024'],
      [140, '61,884'],
    ],
    [
      [40, 'Jan 31, 2025'],
      [140, '64,094'],
    ],
  );
  assert.equal(fields.service_address?.value, '88 CHEMIN DU PHARE, SHEDIAC NB');
  assert.deepEqual([fields.period_start_date?.value, fields.period_end_date?.value], ['2024-12-31', '2025-01-31']);
});

test('what is left to pay is less than the bill’s amount where something was paid beforehand', () => {
  const { total_amount: total } = extracted(
    [
      [40, 'Rechnungsbetrag (brutto)'],
      [300, '1.652,66 EUR'],
    ],
    [
      [40, 'Geleistete Abschlagszahlungen'],
      [300, '-1.440,00 EUR'],
    ],
    [
      [40, 'Noch zu zahlen'],
      [300, '212,66 EUR'],
    ],
  );
  assert.equal(total?.value, 212.66);
});

test('the last day of payments is none of the billed period', () => {
  const { period_end_date: end } = extracted(
    [[40, 'Example Water Authority']],
    [[40, 'Balance from last bill 104.85']],
    [[40, 'Payments through 03/04/2025 -104.85']],
    [[40, 'Water usage 11 kgal 49.50']],
  );
  assert.equal(end, undefined);
});

test('a direct debit may be taken just after its day', () => {
  const fields = extracted([[40, 'We’ll take this by Direct Debit on or just after 2 June 2024.']]);
  assert.equal(fields.due_date?.value, '2024-06-02');
});

test('gas is charged by what stands under kWh, and a sentence’s average is not another one’s use', () => {
  const gas = extracted(
    [
      [40, 'Meter'],
      [140, 'Start read'],
      [240, 'End read'],
      [340, 'Units (m³)'],
      [440, 'kWh'],
    ],
    [
      [40, 'G4A00771844'],
      [140, '10442 (actual)'],
      [240, '10736 (estimate)'],
      [340, '294.0'],
      [440, '3312.4'],
    ],
  );
  assert.equal(gas.consumption?.value, 3312.4);
  assert.equal(gas.consumption_unit?.value, 'kWh');
  const used = extracted([[40, 'Su consumo en el periodo: 184 kWh. Su consumo medio diario ha sido de 1,68 €.']]);
  assert.equal(used.consumption?.value, 184);
  assert.equal(used.consumption_unit?.value, 'kWh');
});

test('the provider’s own address is not where it supplies', () => {
  const layout = layOut(
    typeset([
      [[400, 'Stadtwerke Beispielau GmbH']],
      [[400, 'Hermannsteiner Str. 1, 35576 Wetzlar']],
      null,
      [[40, 'Herrn']],
      [[40, 'Ulrich Beispiel']],
      [[40, 'Amselweg 14']],
      [[40, '35576 Wetzlar']],
    ]),
  );
  const addressOf = (text: string) => {
    const line = layout.lines.find((each) => each.text === text)!;
    const candidate = placed('address', text, 1, layout, [line], 0, text.length);
    return { candidate, candidates: [candidate], probability: 0.5, confidence: 50 };
  };
  const field = { name: 'service_address', kind: 'address', description: '', captions: [] } as const;
  const ranked = [addressOf('Hermannsteiner Str. 1, 35576 Wetzlar'), addressOf('35576 Wetzlar')];
  const [sifted] = utilityBillRules.sift!([{ field, ranked, threshold: 0.2 }]);
  assert.deepEqual(
    sifted?.ranked.map(({ candidate }) => candidate.text),
    ['35576 Wetzlar'],
  );
});

test('an Italian bill of water charges cubic metres as `mc`', () => {
  const fields = extracted(
    [[40, 'Acque di Esempio S.p.A.']],
    [
      [40, 'Indirizzo fornitura'],
      [160, 'VIA DEI PLATANI, 27 - 31044 ESEMPIO (TV)'],
      [400, 'Lettura precedente'],
      [500, '1.204 mc'],
    ],
    [
      [40, 'Matricola contatore'],
      [160, '08ME445617'],
      [400, 'Consumo fatturato'],
      [500, '61mc'],
    ],
    [
      [400, 'Consumo medio annuo'],
      [500, '118mc'],
    ],
  );
  assert.deepEqual([fields.consumption?.value, fields.consumption_unit?.value], [61, 'mc']);
  assert.equal(fields.service_address?.value, 'VIA DEI PLATANI, 27 - 31044 ESEMPIO (TV)');
});

test('a telephone bill is no invoice, whatever it calls itself', () => {
  const rows: PrintedRow[] = [
    [[40, 'Beispielfunk Mobil GmbH, Postfach 30 04 63, 53184 Bonn']],
    null,
    [
      [40, 'Rechnungsnummer 71 8830 4412 09'],
      [300, 'Rechnungskonto 118 204 7735'],
    ],
    [[40, 'Ihre Mobilfunk-Rechnung für Februar 2024']],
    [
      [40, 'Summe Nettobeträge'],
      [400, '37,80'],
    ],
    [
      [40, 'Umsatzsteuer 19 % auf 37,80 Euro'],
      [400, '7,18'],
    ],
    [
      [40, 'Zu zahlender Betrag'],
      [400, '44,98'],
    ],
    [
      [40, 'Rufnummer 0151 55 50 8817'],
      [300, 'Datenvolumen national 8,41 GB'],
    ],
  ];
  assert.equal(classify(layOut(typeset(rows))).docType, 'utility_bill');
});

test('a card of a town’s waterworks counts what its short headings say, and no postal code', () => {
  const fields = extracted(
    [[40, 'CITY OF EXAMPLE SPRINGS']],
    [[40, 'EXAMPLE SPRINGS, OK 73055']],
    [
      [40, 'METER'],
      [160, 'PREV'],
      [240, 'PRES'],
      [320, 'USED'],
    ],
    [
      [40, '61774402'],
      [160, '18820'],
      [240, '18862'],
      [320, '42'],
    ],
  );
  assert.equal(fields.consumption?.value, 42);
});

test('whom a bill addresses does not provide it', () => {
  const fields = extracted(
    [[40, 'Mr G Example']],
    [[40, '22 Sample Street']],
    [[40, 'KA7 1NS']],
    [[40, 'Your gas and electricity bill']],
    [[40, 'Please pay £389.66 by 19 December 2022']],
  );
  assert.notEqual(fields.provider_name?.value, 'Mr G Example');
});

test('units that are charged for are those that a bill explains anywhere', () => {
  const fields = extractFromWords(
    typeset([
      [
        [40, 'Meter number'],
        [160, 'Previous reading'],
        [300, 'Present reading'],
        [420, 'Units'],
      ],
      [
        [40, '30044177218'],
        [160, '48812'],
        [300, '49671'],
        [420, '859'],
      ],
      null,
      [[40, 'Unit = 1 kWh.']],
    ]),
    { docType: 'utility_bill', fields: null },
  ).extraction.fields;
  assert.deepEqual([fields.consumption?.value, fields.consumption_unit?.value], [859, 'kWh']);
});

test('a tax number is no account’s, and a consumption has the unit that is printed behind it', () => {
  const fields = extracted(
    [[40, 'Ondavista Comunicaciones España, S.A.U.']],
    [
      [40, 'Titular'],
      [160, 'Itziar Gorrotxategi Lekuona'],
    ],
    [
      [40, 'NIF'],
      [160, '34118207Q'],
    ],
    [
      [40, 'Nº cuenta cliente'],
      [160, '0034 2201 8841'],
    ],
    [
      [40, 'Dirección de instalación'],
      [160, 'C/ Urbieta 48, 20006 Donostia'],
    ],
  );
  assert.equal(fields.account_number?.value, '0034 2201 8841');
  assert.equal(fields.service_address?.value, 'C/ Urbieta 48, 20006 Donostia');
});

test('what was consumed has the unit that stands behind it', () => {
  const layout = layOut(typeset([[[40, 'Strom - Arbeitspreis 2.418 kWh']], [[40, 'Grundpreis 365 Tage']]]));
  const consumption = { value: 2418, confidence: 89, provenance: [], flags: [] };
  const locale = decideLocale(
    layOut(typeset([[[40, 'Rechnung der Stadtwerke für den Strom vom 09.02.2024: 1.001,00 EUR']]])),
  );
  const findings = { type: documentTypeOf('utility_bill'), layout, locale, candidates: [] };
  assert.equal(utilityBillRules.check?.({ consumption }, [], findings).consumption_unit?.value, 'kWh');
});

test('a day by which to pay that has no year is of the one nearest to the bill', () => {
  const { due_date: due } = extracted([[40, 'Bill date December 28, 2023']], null, [
    [40, 'Total due on Jan 21'],
    [200, '$153.90'],
  ]);
  assert.equal(due?.value, '2024-01-21');
});

test('two who live together are the customer, and all charges are what the bill comes to', () => {
  const fields = extracted(
    [[300, 'Questions about your bill? 0333 555 0198']],
    null,
    [[40, 'Mr A Muster & Mrs R Muster']],
    [[40, '4 Brook Cottages']],
    [[40, 'TAUNTON']],
    [[40, 'TA3 6QH']],
    null,
    [
      [40, 'Total charges (including VAT)'],
      [300, '£645.55'],
    ],
    [[40, 'Your estimated annual cost']],
    [[40, 'Electricity £1,018.40']],
    null,
    [
      [40, 'Your meter'],
      [300, '838 kWh'],
    ],
  );
  assert.equal(fields.customer_name?.value, 'Mr A Muster & Mrs R Muster');
  assert.equal(fields.total_amount?.value, 645.55);
});

test('whom a bill is sent to is known by the form of address, though the town is not', () => {
  const fields = extracted(
    [[40, 'Mr O Muster & Ms T Beispiel']],
    [[40, '31 Cold Bath Place']],
    [[40, 'HARROGATE']],
    [[40, 'HG2 OPN']],
    null,
    [[40, 'Clean water 96.18']],
  );
  assert.equal(fields.customer_name?.value, 'Mr O Muster & Ms T Beispiel');
});

test('a telephone company’s bill is no invoice', () => {
  const bill = layOut(
    typeset([
      [[40, 'Datos de la factura']],
      [
        [40, 'Nº de factura'],
        [200, 'TB7F-0R40-118822'],
      ],
      [
        [40, 'Dirección de instalación'],
        [200, 'C/ Ejemplo 48, 20006 Donostia'],
      ],
      [
        [40, 'Fibra 600 Mb + 2 líneas móvil'],
        [400, '62,80'],
      ],
      [
        [40, 'Llamadas a móviles internacionales'],
        [400, '2,38'],
      ],
      [
        [40, 'Total a pagar'],
        [400, '78,87 €'],
      ],
    ]),
  );
  assert.equal(classify(bill).docType, 'utility_bill');
});

test('a day from which prices change begins no period, and the day of a debit may go on in the next line', () => {
  const fields = extracted(
    [[300, 'We’ll take this by Direct Debit on or after 18 March']],
    [[300, '2024.']],
    null,
    [[40, 'Bill date 4 March 2024']],
    [
      [40, 'Monthly charges for 4 March to 3 April 2024'],
      [400, '£46.99'],
    ],
    null,
    [[40, 'You made more calls to mobiles. From 31 March 2024 our prices go up by CPI plus 3.9%.']],
  );
  assert.equal(fields.period_start_date?.value, '2024-03-04');
  assert.equal(fields.period_end_date?.value, '2024-04-03');
  assert.equal(fields.due_date?.value, '2024-03-18');
});

test('a Dutch telephone bill is for the month that it names, and its debit about a day', () => {
  const rows: PrintedRow[] = [
    [
      [40, 'Factuurdatum'],
      [160, '2 april 2024'],
    ],
    [
      [40, 'Periode'],
      [160, 'april 2024'],
    ],
    null,
    [[40, 'Je factuur van april']],
    [[40, 'Abonnementen 1 april t/m 30 april 2024']],
    [
      [40, 'Internet & TV Complete'],
      [400, '61,50'],
    ],
    [[40, 'Verbruik 1 maart t/m 31 maart 2024']],
    [
      [40, 'Bellen vast'],
      [400, '1,12'],
    ],
    [[40, 'Het bedrag van € 55,62 wordt rond 16 april 2024 automatisch afgeschreven.']],
  ];
  const fields = extracted(...rows);
  assert.equal(fields.period_start_date?.value, '2024-04-01');
  assert.equal(fields.period_end_date?.value, '2024-04-30');
  assert.equal(fields.due_date?.value, '2024-04-16');
  assert.equal(classify(layOut(typeset(rows))).docType, 'utility_bill');
});

test('a department above the provider’s address makes it no place of supply', () => {
  const { service_address } = extracted(
    [
      [40, 'Werke am Beispielknie'],
      [400, 'Werke am Beispielknie AG'],
    ],
    [[400, 'Kundendienst']],
    [[400, 'Industriestrasse 11']],
    [[400, '4302 Augst']],
    [[400, 'Tel. 061 555 41 41']],
    null,
    [[40, 'Frau']],
    [[40, 'Annegret Muster']],
    [[40, 'Rebgasse 18']],
    [[40, '4304 Giebenach']],
    null,
    [[40, 'Energierechnung']],
    [
      [40, 'Verbrauch'],
      [200, '1 143 kWh'],
    ],
    [
      [40, 'Rechnungsbetrag CHF'],
      [200, '354.85'],
    ],
  );
  assert.notEqual(service_address?.value, 'Industriestrasse 11, 4302 Augst');
});

test('a place of supply at its caption may be a street alone, and the last bill has no town before its day', () => {
  const { service_address, bill_date } = extracted(
    [[40, 'Énergie Boréale']],
    [
      [40, 'Date de facturation'],
      [200, '18 mars 2024'],
    ],
    [
      [40, 'Lieu de consommation'],
      [200, '1882, rue Saint-Denis, app. 4, Montréal'],
    ],
    [[40, 'Your last bill, 4 October 2023']],
    null,
    [[40, 'MME CLAUDETTE EXEMPLE']],
    [[40, '88 RUE SAINT-DENIS']],
    [[40, 'MONTRÉAL QC  H2X 3K4']],
  );
  assert.equal(service_address?.value, '1882, rue Saint-Denis, app. 4, Montréal');
  assert.notEqual(bill_date?.value, '2023-10-04');
});

test('the word for a bill alone may caption its number', () => {
  const { bill_number } = extracted(
    [[40, 'veloz fibra']],
    [
      [40, 'Factura'],
      [200, 'VF24-0418822'],
    ],
    [
      [40, 'Fecha de factura'],
      [200, '01/06/2024'],
    ],
    [
      [40, 'Nº de cliente'],
      [200, 'V-418822'],
    ],
  );
  assert.equal(bill_number?.value, 'VF24-0418822');
});

test('a day of a balance or of a payment ends no period', () => {
  const { period_end_date } = extracted(
    [[40, 'facture internet du 17 mai 2024']],
    [
      [40, 'solde précédent au 16 mai 2024'],
      [300, '41,99'],
    ],
    [[40, 'Total due if paid after 2024-07-08: 41,99']],
  );
  assert.equal(period_end_date, undefined);
});

test('a unit may head a column as well', () => {
  const { consumption_unit } = extracted(
    [[40, 'Stromrechnung']],
    [
      [40, 'Zähler'],
      [160, 'Produkt'],
      [300, 'Verbrauch'],
    ],
    [
      [40, '118822'],
      [160, 'Strom Hochtarif'],
      [300, '1 143 kWh'],
    ],
    [
      [160, 'Netznutzung'],
      [300, '1 143 kWh'],
    ],
  );
  assert.equal(consumption_unit?.value, 'kWh');
});

test('a French bill may have its number behind its day in the title', () => {
  const fields = extracted([[40, 'Facture du 14/02/2024 n° 10 118 402 771']], [[40, 'Montant total TTC 239,27 €']]);
  assert.equal(fields.bill_number?.value, '10 118 402 771');
});

test('a provider’s logo may have what it supplies in a second line, and whose the place of supply is stands before it', () => {
  const fields = extracted(
    [[40, 'Golden Example']],
    [[40, 'Gas & Electric']],
    null,
    [[40, 'Bill date 09/12/2024']],
    [[40, 'Customer Name: MARGUERITE SAMPLE']],
    [[40, 'Service Address: Sample, Marguerite, 3308 E Cholla St, Phoenix AZ 85028']],
    [[40, 'Total amount due $96.42']],
  );
  assert.equal(fields.provider_name?.value, 'Golden Example Gas & Electric');
  assert.equal(fields.customer_name?.value, 'MARGUERITE SAMPLE');
  assert.equal(fields.service_address?.value, '3308 E Cholla St, Phoenix AZ 85028');
});

test('the customer’s address goes on in the next line of its cell, and the next instalment is not due now', () => {
  const { service_address: address } = extracted(
    [[40, 'EXAMPLE ELECTRICITY SUPPLY COMPANY LIMITED']],
    [
      [40, 'Name'],
      [160, 'SMT ASHA SAMPLE'],
    ],
    [
      [40, 'Address'],
      [160, '#211 8TH MAIN 3RD STAGE, SAMPLENAGAR,'],
    ],
    [[160, 'BENGALURU 560079']],
    [
      [40, 'Units'],
      [160, '211 kWh'],
    ],
  );
  assert.equal(address?.value, '#211 8TH MAIN 3RD STAGE, SAMPLENAGAR, BENGALURU 560079');
  const { due_date: due } = extracted(
    [[40, 'Ihre Stromrechnung vom 19.01.2024']],
    [[40, 'Den Betrag von 86,31 € buchen wir am 05.02.2024 von Ihrem Konto ab.']],
    [[40, 'Ihr neuer Abschlag beträgt 79,00 €, erstmals fällig am 01.03.2024.']],
  );
  assert.equal(due?.value, '2024-02-05');
});

test('a bill for a line of fibre that has only an account is a utility’s', () => {
  const lines = [
    'Votre facture du 05/02/2024',
    'N° client : 4418 820 719',
    'Montant total TTC : 38,99 €',
    'Abonnement Fibre 1 Gb/s (01/02 au 29/02) 29,99 €',
    'Consommations hors forfait 3,00 €',
    'TVA 20,00 % 6,50 €',
  ];
  assert.equal(classify(layOut(typeset(lines.map((text) => [[40, text]])))).docType, 'utility_bill');
});
