import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TextLine } from '@millrace/document-model';
import { findBics, findIbans } from './bank.ts';
import { findEmails, findPhones, findWebsites } from './contact.ts';
import { countryOf, findCountries } from './country.ts';
import { currencyOf, findCurrencies } from './currency.ts';
import { findIdentifiers } from './identifier.ts';
import { repairLetters } from './repair.ts';
import { detailStart, spansOf } from './spans.ts';
import { findTaxIds, luhn } from './tax-id.ts';
import { findTimes, parseTime } from './time.ts';
import { findZones } from './zone.ts';

const values = (findings: readonly { value: string; quality: number }[], least = 0) =>
  findings.filter(({ quality }) => quality >= least).map(({ value }) => value);

test('times of day in 12 and 24 hours', () => {
  const times: Record<string, string[]> = {
    '8:13:39 PM': ['20:13:39'],
    '12:30': ['12:30'],
    '2:27p': ['14:27'],
    '5:18:08 P': ['17:18:08'],
    '4.15 A': [],
    '12:05 am': ['00:05'],
    '7:17PM': ['19:17'],
    '14.30 Uhr': ['14:30'],
    '14h30': ['14:30'],
    '1.50': [],
    '25:00': [],
    '16:14 04/03/18': ['16:14'],
  };
  for (const [text, expected] of Object.entries(times)) assert.deepEqual(values(findTimes(text)), expected, text);
  assert.equal(parseTime('9:05'), '09:05');
  assert.equal(parseTime('at 9:05'), null);
});

test('currencies by sign, code and name, not by words that look alike', () => {
  assert.deepEqual(values(findCurrencies('Total (RM) and EUR, 5 €')), ['MYR', 'EUR', 'EUR']);
  assert.deepEqual(values(findCurrencies('No. 18, 100 Ft Road')), []);
  assert.deepEqual(values(findCurrencies('Inscrita en el RM de Baleares')), []);
  assert.deepEqual(values(findCurrencies('SIRET 791 440 882 00017 - RM 29')), []);
  assert.deepEqual(values(findCurrencies('00156 ROMA RM')), []);
  assert.deepEqual(values(findCurrencies('Total RM 12.50')), ['MYR']);
  assert.deepEqual(values(findCurrencies('GARDENIA (KL) SDN BHD ALL TOP')), []);
  assert.deepEqual(values(findCurrencies('14.20 Rp./kWh')), []);
  assert.deepEqual(values(findCurrencies('Total Rp 250.000')), ['IDR']);
  assert.deepEqual(values(findCurrencies('Total a pagar S/ 84.10')), ['PEN']);
  assert.equal(currencyOf('US$'), 'USD');
  assert.equal(currencyOf('Kč'), 'CZK');
  assert.equal(currencyOf('xyz'), null);
  assert.deepEqual(findCurrencies('Mo.-Fr. 8-18 Uhr, Fr. Muster'), []);
  assert.deepEqual(values(findCurrencies('Fr. 42.55')), ['CHF']);
  assert.deepEqual(findCurrencies('PAY STN 2'), []);
  assert.deepEqual(findCurrencies('BEN-U-RON 1G 18 COMP'), []);
  assert.equal(findCurrencies('1 250,00 STN')[0]?.value, 'STN');
});

test('IBANs by their check digits, with blanks, and a misread letter put right', () => {
  assert.deepEqual(values(findIbans('IBAN: DE89 3704 0044 0532 0130 00 BIC'), 0.9), ['DE89370400440532013000']);
  assert.deepEqual(values(findIbans('GB82WEST12345698765432'), 0.9), ['GB82WEST12345698765432']);
  assert.deepEqual(values(findIbans('DE89 3704 OO44 0532 0130 00'), 0.7), ['DE89370400440532013000']);
  assert.deepEqual(values(findIbans('GB82 WE5T 1Z34 5698 7654 32'), 0.7), ['GB82WEST12345698765432']);
  assert.deepEqual(values(findIbans('GB11 R8KE 2044 7119 0033 18'), 0.1), ['GB11RBKE20447119003318']);
  assert.deepEqual(values(findIbans('DE88 3704 0044 0532 0130 00'), 0.5), []);
  assert.deepEqual(values(findIbans('FR SOME TEXT WITH WORDS ONLY')), []);
});

test('BICs, of which those without digit or caption are doubtful', () => {
  assert.deepEqual(values(findBics('BIC: COBADEFF'), 0.9), ['COBADEFF']);
  assert.deepEqual(values(findBics('DEUTDEDB110'), 0.5), ['DEUTDEDB110']);
  assert.deepEqual(values(findBics('DELIVERY'), 0.5), []);
});

test('mail and web addresses', () => {
  assert.deepEqual(values(findEmails('Tél. 02 41 55 01 77-achats@exemple.example')), ['achats@exemple.example']);
  assert.deepEqual(values(findEmails('Tel. 059 555018-info@esempio.example')), ['info@esempio.example']);
  assert.deepEqual(values(findEmails('Tel. 051 5550118-info@esempio.example')), ['info@esempio.example']);
  assert.deepEqual(values(findEmails('77-achats@exemple.example')), ['77-achats@exemple.example']);
  assert.deepEqual(values(findPhones('Rosa Delgado/281-555-0166', 'US')), ['281-555-0166']);
  assert.deepEqual(values(findEmails('Mail: Info@Example-Shop.com.my, x')), ['info@example-shop.com.my']);
  assert.deepEqual(values(findEmails('1.kuiper@example.nl')), ['l.kuiper@example.nl']);
  assert.deepEqual(values(findEmails('a@b')), []);
  assert.deepEqual(values(findWebsites('see www.example.de/shop. or info@example.org')), ['www.example.de/shop']);
  assert.deepEqual(values(findWebsites('No.5 Invoice.No')), []);
});

test('telephone numbers by their country’s numbering plan', () => {
  assert.deepEqual(values(findPhones('TEL: 012 - 6651783', 'MY'), 0.9), ['012 - 6651783']);
  assert.deepEqual(values(findPhones('Tel.02 99 55 01 74', null), 0.4), ['02 99 55 01 74']);
  assert.deepEqual(values(findPhones('+49 (0)30 901820', null), 0.9), ['+49 (0)30 901820']);
  assert.deepEqual(values(findPhones('Fax +1 650-253-0000', null), 0.9), ['+1 650-253-0000']);
  assert.deepEqual(values(findPhones('0 412.555.0100 x214', 'US'), 0.4), ['412.555.0100']);
  assert.deepEqual(values(findPhones('12.50 13.50', 'MY')), []);
  assert.deepEqual(values(findPhones('260-555-0143 260-555-0149', 'US')), ['260-555-0143', '260-555-0149']);
  assert.deepEqual(findPhones('14.03.1994', 'DE'), []);
  // Of two with a mark between them the first, and no extension apart.
  assert.deepEqual(values(findPhones('02 47 36 01 32 - 06 12 36 01 32', 'FR'))[0], '02 47 36 01 32');
  assert.deepEqual(values(findPhones('0341 9015500 - 22', 'DE')), ['0341 9015500 - 22']);
});

test('tax numbers by check digit, form or announcement', () => {
  assert.deepEqual(values(findTaxIds('USt-IdNr. DE123456788'), 0.9), ['DE123456788']);
  assert.deepEqual(values(findTaxIds('VAT GB 980 7806 84'), 0.9), ['GB 980 7806 84']);
  assert.deepEqual(values(findTaxIds('VAT NO 771 2094 33'), 0.8), ['771 2094 33']);
  assert.deepEqual(values(findTaxIds('T: 01782 555 194')), []);
  // The last nine digits of this Australian number satisfy the check of French ones.
  assert.deepEqual(values(findTaxIds('VAT Reg No:4110288447 Reg: 1998/044718/23')), ['4110288447']);
  assert.deepEqual(values(findTaxIds('VAT Reg No.396 3315 02'), 0.8), ['396 3315 02']);
  assert.deepEqual(values(findTaxIds('GST REG NO: 201718834K'), 0.8), ['201718834K']);
  assert.deepEqual(values(findTaxIds('NIP 676-21-44-908'), 0.8), ['676-21-44-908']);
  assert.deepEqual(values(findTaxIds('ABN: 51 824 753 556'), 0.7), ['51 824 753 556']);
  assert.deepEqual(values(findTaxIds('GST ID: 000394528768'), 0.6), ['000394528768']);
  assert.deepEqual(values(findTaxIds('EIN 12-3456789'), 0.6), ['12-3456789']);
  assert.deepEqual(values(findTaxIds('Steuernummer 201/123/12340'), 0.6), ['201/123/12340']);
  assert.deepEqual(values(findTaxIds('St.-Nr. 86123/40771'), 0.8), ['86123/40771']);
  assert.deepEqual(values(findTaxIds('GSTIN 27AAPFU0939F1ZV'), 0.9), ['27AAPFU0939F1ZV']);
  assert.deepEqual(values(findTaxIds('GST 5% (R# 81447 2205 RT0001)'), 0.9), ['81447 2205 RT0001']);
  assert.deepEqual(values(findTaxIds('VAT Reg No. 412 8830 17. Registered in England'), 0.8), ['412 8830 17']);
  assert.deepEqual(values(findTaxIds('article 123456789'), 0.5), []);
  assert.equal(luhn('4111 1111 1111 1111'), true);
  assert.equal(luhn('4111 1111 1111 1112'), false);
});

test('countries by name in several languages', () => {
  assert.deepEqual(values(findCountries('10115 Berlin, Deutschland')), ['DE']);
  assert.deepEqual(values(findCountries('Santa Fe, New Mexico')), []);
  assert.deepEqual(values(findCountries('Pays-Bas')), ['NL']);
  assert.equal(countryOf('United States of America'), 'US');
  assert.equal(countryOf('MY'), 'MY');
  assert.equal(countryOf('Nowhere'), null);
});

test('identifiers are words with digits, without their caption', () => {
  assert.deepEqual(values(findIdentifiers('Invoice No:12345'), 0.5), ['12345']);
  assert.ok(!values(findIdentifiers('BC2409-0118 17/09/2024')).includes('BC2409-0118 17/09/2024'));
  assert.deepEqual(values(findIdentifiers('RECEIPT #: CSP0405591'), 0.8), ['CSP0405591']);
  assert.deepEqual(values(findIdentifiers('Bon-Nr.:7731'), 0.8), ['7731']);
  assert.deepEqual(values(findIdentifiers('B/L No.MSLB2291184'), 0.8), ['MSLB2291184']);
  assert.deepEqual(values(findIdentifiers('Compte n°00440218873'), 0.8), ['00440218873']);
  assert.ok(values(findIdentifiers('Nr. RE 2019 0815')).includes('RE 2019 0815'));
  assert.ok(values(findIdentifiers('VISA XXXX XXXX XXXX 1234'), 1).includes('1234'));
  assert.deepEqual(values(findIdentifiers('no digits here')), []);
});

test('usual parts of a line: behind a colon, before a registration or telephone number', () => {
  const parts = (text: string) => spansOf(text).map(({ start, end }) => text.slice(start, end));
  assert.ok(parts('MOONLIGHT CAKE HOUSE SDN BHD 862725-U').includes('MOONLIGHT CAKE HOUSE SDN BHD'));
  assert.ok(parts('THE STORE (MALAYSIA) SDN BHD (8199K)').includes('THE STORE (MALAYSIA) SDN BHD'));
  assert.ok(parts('Customer: Contoso Ltd.').includes('Contoso Ltd.'));
  assert.ok(parts('Acme GmbH · Hauptstr. 1 · 10115 Berlin').includes('Acme GmbH'));
  assert.equal(detailStart('12 Jalan Satu, TEL: 03-1234567'), 13);
  assert.equal(detailStart('12 Jalan Satu'), -1);
});

test('a French company ends before its capital and its register', () => {
  assert.equal(detailStart('RCS Nanterre 572 139 441'), 0);
  assert.equal(detailStart('SARL EXEMPLE & CO au capital de 8000 EUR'), 17);
});

test('a Spanish company’s number is cut from its name whole', () => {
  const texts = spansOf('EJEMPLO,S.A. A-12345674').map(({ start, end }) => 'EJEMPLO,S.A. A-12345674'.slice(start, end));
  assert.ok(texts.includes('EJEMPLO,S.A.'));
  assert.ok(!texts.includes('EJEMPLO,S.A. A'));
});

test('digits within words and letters within numbers are put right', () => {
  const repaired: Record<string, string> = {
    '0L14 5AJ': 'OL14 5AJ',
    'London EC1N 2HT': 'London EC1N 2HT',
    Fishki11: 'Fishkill',
    'East Tamfort Wl 18913': 'East Tamfort WI 18913',
    'Denver, C0 80202': 'Denver, CO 80202',
    'Le 56000': 'Le 56000',
    'Toronto, ON M8Z 1M1': 'Toronto, ON M8Z 1M1',
    'Vancouver BC V6E 1B2': 'Vancouver BC V6E 1B2',
    'Toronto, ON MBZ 1M1': 'Toronto, ON M8Z 1M1',
    'Burlington, ON  L7P 1x8': 'Burlington, ON  L7P 1X8',
    'Kieler StraBe 288': 'Kieler Straße 288',
    'Celler Strafe 77': 'Celler Straße 77',
    'Lindenstrale 5': 'Lindenstraße 5',
    'LindenstraRe 5': 'Lindenstraße 5',
    'Lindenstrabe 5a': 'Lindenstraße 5a',
    'Via Magistrale 5': 'Via Magistrale 5',
    '80331 Munchen': '80331 München',
    'DE 50667 KOLN': 'DE 50667 KÖLN',
    'Munster, IN 46321': 'Munster, IN 46321',
    'LandstraBer Ring 7': 'Landstraßer Ring 7',
    'END 0F MONTH': 'END OF MONTH',
    'L0T 5': 'LOT 5',
    'YONG S0ON FATT': 'YONG SOON FATT',
    '500C0 KUALA LUMPUR': '50000 KUALA LUMPUR',
    'ABC SON BHD': 'ABC SDN BHD',
    'U13/X': 'U13/X',
    'B2B SHOP': 'B2B SHOP',
    '3RD FLR': '3RD FLR',
    'TORONTO, ON, M5V 3L9': 'TORONTO, ON, M5V 3L9',
    'HX2 0QD': 'HX2 0QD',
    'HX2 OQD': 'HX2 0QD',
    'Example Roofing ltd': 'Example Roofing ltd',
    lpswich: 'Ipswich',
  };
  assert.equal(repairLetters('New 0rleans, LA 70130'), 'New Orleans, LA 70130');
  for (const [text, expected] of Object.entries(repaired)) assert.equal(repairLetters(text), expected);
});

test('machine-readable zones, whose check digits tell whether they were read well', () => {
  const lineOf = (text: string): TextLine => ({ page: 1, words: [], text, box: { x0: 0, y0: 0, x1: 1, y1: 1 } });
  const first = 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<';
  const second = 'L898902C36UTO7408122F1204159ZE184226B<<<<<10';
  const [zone] = findZones([lineOf('PASSPORT'), lineOf(first), lineOf(second)]);
  assert.equal(zone?.value, `${first}\n${second}`);
  assert.equal(zone?.valid, true);
  const [broken] = findZones([lineOf(first), lineOf(second.replace('7408122', '7408132'))]);
  assert.equal(broken?.valid, false);
  const [short] = findZones([lineOf(first.slice(0, 37)), lineOf(second)]);
  assert.equal(short?.value, `${first}\n${second}`, 'fillers that OCR lost');
  assert.deepEqual(findZones([lineOf('some words'), lineOf('and more words')]), []);
});
