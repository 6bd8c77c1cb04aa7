import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Layout, Locale, WordSource } from '@millrace/document-model';
import { layOut } from '../layout/layout.ts';
import { decideLocale } from './locale.ts';

/** A page with these lines of text, one below the other. */
function pageOf(lines: readonly string[], source: WordSource = 'text'): Layout {
  const words = lines.flatMap((line, row) =>
    [...line.matchAll(/\S+/g)].map((match) => ({
      text: match[0],
      box: {
        x0: 50 + match.index * 6,
        y0: 50 + row * 16,
        x1: 50 + (match.index + match[0].length) * 6,
        y1: 60 + row * 16,
      },
      source,
      confidence: 1,
    })),
  );
  const page = {
    number: 1,
    width: 595,
    height: 842,
    unit: 'point' as const,
    words,
    readings: [{ source, words }],
    rulings: [],
    turnedDegrees: 0 as const,
  };
  return layOut({ mediaType: 'application/pdf', pages: [page], attachments: [] });
}

const documents: readonly (readonly [lines: string[], expected: Partial<Locale>])[] = [
  [
    [
      'Harbour Plumbing',
      '18 Wharf Road, Newcastle NSW 2300',
      'Invoice date 4/11/2025',
      'Total $ 118.00',
      'BSB 062-000',
    ],
    { dateOrder: 'dmy', currency: 'AUD', country: 'AU' },
  ],
  [
    ['Okanagan Example Supply Ltd.', 'Invoice date 11/08/2024', 'GST 5% PST 7%', 'Kelowna BC V1Z 1G2', 'Total $118.00'],
    { dateOrder: 'mdy', currency: 'CAD', country: 'CA' },
  ],
  [
    ['Kowhai Joinery', 'GST No 098-765-432', 'Tax invoice', 'Invoice date 4/11/2025', 'Total $118.00'],
    { dateOrder: 'dmy', currency: 'NZD', country: 'NZ' },
  ],
  [
    ['Glenbeg Stores', 'Main Street, Bantry, Co. Cork P75 XY12', 'Date 4/11/2025', 'Total 18.00'],
    { dateOrder: 'dmy', country: 'IE' },
  ],
  [
    ['Papelería del Valle S.A. de C.V.', 'RFC: PVA901231AB1', 'Fecha 4/11/2025', 'Total $ 1,118.00'],
    { decimalSeparator: '.', dateOrder: 'dmy', currency: 'MXN', country: 'MX' },
  ],
  [
    ['Librería del Puerto', 'RUT: 76.543.210-K', 'Fecha 4/11/2025', 'Total $ 11.180'],
    { dateOrder: 'dmy', currency: 'CLP', country: 'CL' },
  ],
  [
    [
      'RESTORAN WAN SHENG SDN BHD',
      'NO.2, JALAN TEMENGGUNG 19/9, 43200 CHERAS',
      'GST ID: 001335787520',
      'TAX INVOICE',
      'Date: 06-05-2018',
      'TOTAL RM 12.50',
      'THANK YOU',
    ],
    { language: 'en', decimalSeparator: '.', dateOrder: 'dmy', currency: 'MYR', country: 'MY' },
  ],
  [
    [
      'Rechnung',
      'Muster GmbH, 10115 Berlin',
      'Rechnungsdatum: 05.03.2018',
      'Bitte zahlen Sie den Betrag innerhalb von 30 Tagen',
      'Summe 1.234,50 EUR',
      'USt-IdNr. DE123456788',
    ],
    { language: 'de', decimalSeparator: ',', dateOrder: 'dmy', currency: 'EUR', country: 'DE' },
  ],
  [
    ['Lohnabrechnung März 2024', 'Lohnsteuer 72,66', 'Rentenversicherung 299,87', 'Arbeitslosenversicherung 41,92'],
    { language: 'de', currency: 'EUR', country: 'DE' },
  ],
  [
    ['Recibo de vencimento', 'Segurança Social 118,93', 'IRS 99,00', 'Subsídio de alimentação 164,00'],
    { language: 'pt', currency: 'EUR', country: 'PT' },
  ],
  [
    [
      'INVOICE',
      'Contoso LLC, 1 Main Street, Redmond, WA 98052',
      'Invoice date: 04/13/2021',
      'Please pay the total due',
      'Total $1,234.50',
    ],
    { language: 'en', decimalSeparator: '.', dateOrder: 'mdy', currency: 'USD', country: 'US' },
  ],
  [
    [
      'Facture',
      'SARL Dupont, 75011 Paris',
      'Date de la facture : 12 mars 2020',
      'Montant total TTC : 1 234,50 €',
      'SIRET 123 456 782 00010',
      'Merci pour votre commande',
    ],
    { language: 'fr', decimalSeparator: ',', dateOrder: 'dmy', currency: 'EUR', country: 'FR' },
  ],
  [
    [
      'Factuur',
      'Voorbeeld B.V., 1011 AB Amsterdam',
      'Factuurdatum: 12-03-2020',
      'Wij verzoeken u het bedrag binnen 14 dagen te betalen',
      'Totaal € 99,00',
    ],
    { language: 'nl', decimalSeparator: ',', currency: 'EUR', country: 'NL' },
  ],
];

test('language, separators, date order, currency and country follow from the whole document', () => {
  for (const [lines, expected] of documents) {
    const locale = decideLocale(pageOf(lines));
    for (const [name, value] of Object.entries(expected))
      assert.equal(locale[name as keyof Locale], value, `${lines[0]}: ${name}`);
  }
});

test('a day past the twelfth decides the order, whatever the country', () => {
  assert.equal(decideLocale(pageOf(['Invoice', 'Redmond, WA 98052', '25/12/2018', '26/12/2018'])).dateOrder, 'dmy');
  assert.equal(decideLocale(pageOf(['Invoice', '12/25/2018'])).dateOrder, 'mdy');
});

test('a terminal’s day with its year first decides how the till’s is written', () => {
  const receipt = ['Example Foods', 'Mississauga, ON L5G 1C9', '05/11/2024 17:02', 'DATE/TIME: 24/05/11 17:04:19'];
  assert.equal(decideLocale(pageOf(receipt)).dateOrder, 'mdy');
});

test('a customer’s number of an Indian bank is no Spanish tax number', () => {
  assert.equal(decideLocale(pageOf(['Account name Vaigai Agencies', 'CIF No : 88206447'])).country, null);
  assert.equal(decideLocale(pageOf(['CIF No : 88206447', 'IFSC : KNBL0000447'])).country, 'IN');
  assert.equal(decideLocale(pageOf(['Suministros Ebro', 'CIF: B81234567'])).country, 'ES');
  assert.equal(decideLocale(pageOf(['Vancouver BC V6s 1x4', 'YOU SAVED $2.00'])).currency, 'CAD');
  assert.equal(decideLocale(pageOf(['Example Farms (Pty) Ltd', 'Total 118.00'])).currency, 'ZAR');
  assert.equal(decideLocale(pageOf(['FACTURA SIMPLIFICADA', 'TOTAL 33,40'])).country, 'ES');
});

test('a document without evidence names no currency and no country', () => {
  const { currency, country } = decideLocale(pageOf(['Hello']));
  assert.equal(currency, null);
  assert.equal(country, null);
});

test('the sign of a currency that the reader of pictures does not know follows from the country', () => {
  const lines = ['Cafe Sonnfeld', '20457 Hamburg', 'Steuernummer 95/282/53987', 'SUMME 52,52', 'Mehrwertsteuer 8,39'];
  assert.equal(decideLocale(pageOf(lines, 'ocr:ppocr:1')).currency, 'EUR');
  assert.equal(decideLocale(pageOf([...lines, 'CHF 52.52'], 'ocr:ppocr:1')).currency, 'CHF');
  assert.equal(decideLocale(pageOf(lines)).currency, null);
});

test('a document that says no currency reckons in that of its country, where the country is sure', () => {
  const payslip = ['Calder Example Nurseries', 'Tax Code 1257L', 'PAYE Tax 268.60', 'Net Pay 1,946.09'];
  assert.equal(decideLocale(pageOf([...payslip, 'HX7 8AG'])).currency, 'GBP');
  assert.equal(decideLocale(pageOf([...payslip, 'HX7 8AG', 'Paid in EUR'])).currency, 'EUR');
  assert.equal(decideLocale(pageOf(payslip)).currency, null);
  assert.equal(decideLocale(pageOf([...payslip, 'Example NHS Trust', 'NI number AB 12 34 56 C'])).currency, 'GBP');
});

test('a card with captions in several languages is in that of its country', () => {
  const languageOf = (...lines: string[]) => decideLocale(pageOf(lines)).language;
  const german = ['BUNDESREPUBLIK DEUTSCHLAND', 'Name/Surname/Nom', 'Geburtstag/Date of birth/Date de naissance'];
  assert.equal(
    languageOf(...german, 'Vornamen/Given names/Prénoms', 'Gültig bis/Date of expiry', 'Geburtsort/Place of birth'),
    'de',
  );
  const american = ['NEW YORK STATE', 'DRIVER LICENSE', 'ID 472 918 305', 'BROOKLYN, NY 11226', 'EXPIRES 02/23/2031'];
  assert.equal(languageOf(...american, 'E NONE', 'SEX M', 'EYES BRO'), 'en');
  const ontario = ['Ontario', 'DRIVER’S LICENCE PERMIS DE CONDUIRE', '1450-210 LAKESHORE RD W', 'ON, L5H 1G4'];
  assert.equal(decideLocale(pageOf(ontario)).country, 'CA');
});

test('amounts with points say more than a few words that another language shares', () => {
  const taxi = [
    'NYC TAXI',
    'DRIVER 5550187',
    'MTA/STATE SUR 3.00',
    'CONGEST SUR 2.50',
    'IMPR SUR 1.00',
    'TOTAL 6.50',
    'CARD TYPE: AMEX',
  ];
  assert.equal(decideLocale(pageOf(taxi)).language, 'en');
});

test('a column of the letter s is the dollar sign that a picture’s reader took for it', () => {
  const lines = ['NYC TAXI', 's', '21.80', 's', '3.00', 's', '24.80'];
  assert.equal(decideLocale(pageOf(lines, 'ocr:ppocr:1')).currency, 'USD');
  assert.equal(decideLocale(pageOf(lines.slice(0, 3), 'ocr:ppocr:1')).currency, null);
});

test('where there is no dollar, a column of the letter S has the codes of taxes', () => {
  const lines = [
    'VAT Reg No 330 1186 24',
    '14 Example Lane, Rossendale BB4 9NQ',
    '38.40',
    'S',
    '89.90',
    'S',
    '78.00',
    'S',
  ];
  assert.equal(decideLocale(pageOf(lines, 'ocr:ppocr:1')).currency, 'GBP');
});

test('the quarter of an American street is no Dutch postal code, and a state’s name is American', () => {
  const locale = decideLocale(
    pageOf(['1480 NE Stephens St, Roseburg', 'the laws of the State of Oregon'], 'ocr:ppocr:1'),
  );
  assert.equal(locale.country, 'US');
  assert.notEqual(locale.currency, 'EUR');
});

test('a text that writes commas before decimals is of no country that never does', () => {
  const lines = ['Bäckerei Beispiel', 'Quittung vom 08.03.2025', 'TX 88214', 'Brezel 1,70', 'Brot 4,60', 'Summe 6,30'];
  const { country, dateOrder } = decideLocale(pageOf([...lines, 'Vielen Dank für Ihren Einkauf']));
  assert.deepEqual([country, dateOrder], ['DE', 'dmy']);
});

test('a nought of a Canadian postal code is read as a letter', () => {
  const lines = ['Fundy Marine Inc.', 'Digby, NS BOV 1A0'];
  assert.equal(decideLocale(pageOf(lines, 'ocr:ppocr:1')).country, 'CA');
});

test('five pairs of figures are a French telephone number', () => {
  assert.equal(decideLocale(pageOf(['17, quai de la Fosse', 'T. 02 40 55 51 18'])).country, 'FR');
});

test('what tills count is no Irish postal code, and Singapore has codes of six figures', () => {
  const locale = decideLocale(
    pageOf(
      ['63 EXAMPLE CENTRAL 3 #03-01', 'SINGAPORE 648331', '08/03/26 R2041 T07 C118', 'TOTAL $17.80'],
      'ocr:ppocr:1',
    ),
  );
  assert.deepEqual([locale.country, locale.currency], ['SG', 'SGD']);
});

test('a Canadian form that says everything twice is in English', () => {
  const { language, country } = decideLocale(
    pageOf([
      'Canada Revenue Agency – Agence du revenu du Canada',
      'Statement of remuneration paid – État de la rémunération payée',
      'Employee’s name and address – Nom et adresse de l’employé',
      'Income tax deducted – Impôt sur le revenu retenu',
      'Total amount – Montant total de la prestation',
      'Saskatoon SK S7K 3G8',
      '731 408 226 RP 0001',
    ]),
  );
  assert.equal(country, 'CA');
  assert.equal(language, 'en');
});

test('the room for a year behind its century is no decimal comma', () => {
  const lines = [
    'Form 77-B',
    'For the year beginning , 20',
    'and ending , 20',
    'Due by , 20',
    'Net income',
    'Denver, CO 80202',
  ];
  assert.equal(decideLocale(pageOf(lines)).decimalSeparator, '.');
});
