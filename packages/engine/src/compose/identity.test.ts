import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocType, Word } from '@millrace/document-model';
import { proposeCandidates } from '../candidates/propose.ts';
import { layOut } from '../layout/layout.ts';
import { type PrintedRow, typeset, typesetPage } from '../layout/typeset.ts';
import { decideLocale } from '../locale/locale.ts';
import { documentTypeOf } from '../types/registry.ts';
import { composeFields } from '../types/rules.ts';

function valuesOf(docType: DocType, ...rows: PrintedRow[]): Readonly<Record<string, unknown>> {
  const layout = layOut(typeset(rows));
  const locale = decideLocale(layout);
  const fields = composeFields(documentTypeOf(docType), layout, locale, proposeCandidates(layout, locale));
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field?.value]));
}

test('numbers of people in South America have points', () => {
  const fields = valuesOf(
    'id_card',
    [[40, 'REPÚBLICA DE CHILE']],
    [[40, 'NÚMERO DOCUMENTO']],
    [[40, '531.770.284']],
    null,
    [[40, 'RUN 19.284.706-K']],
  );
  assert.equal(fields.document_number, '531.770.284');
  assert.equal(fields.personal_number, '19.284.706-K');
  assert.equal(fields.issuing_country, 'CL');
});

test('a European licence has its own number in field 5 and the holder’s in 4d, with the numbers of the fields apart', () => {
  const fields = valuesOf(
    'driver_license',
    [[40, 'PERMIS DE CONDUIRE']],
    [
      [40, '4a.'],
      [80, '03.09.2021'],
      [240, '4c.'],
      [280, 'PREFET DU PAS-DE-CALAIS'],
    ],
    [
      [40, '4b.'],
      [80, '02.09.2036'],
      [240, '4d.'],
      [280, '091262301877'],
    ],
    [
      [40, '5.'],
      [80, '21BH40718'],
    ],
    null,
    [
      [40, '9. AM'],
      [100, 'A1'],
      [140, 'B'],
    ],
  );
  assert.equal(fields.document_number, '21BH40718');
  assert.equal(fields.personal_number, '091262301877');
  assert.equal(fields.vehicle_classes, 'AM, A1, B');
});

test('an Indonesian card has its captions, and the number of a house is not its own', () => {
  const fields = valuesOf(
    'id_card',
    [[120, 'PROVINSI JAWA BARAT']],
    [
      [40, 'NIK'],
      [140, ': 3204417208890007'],
    ],
    [
      [40, 'Nama'],
      [140, ': RATNASARI PUSPANINGTYAS'],
    ],
    [
      [40, 'Tempat/Tgl Lahir'],
      [140, ': BANDUNG, 12-08-1989'],
    ],
    [
      [40, 'Jenis Kelamin'],
      [140, ': PEREMPUAN'],
    ],
    [
      [40, 'Alamat'],
      [140, ': JL. MELATI NO. 27'],
    ],
    [
      [60, 'RT/RW'],
      [140, ': 003/012'],
    ],
    [
      [40, 'Kewarganegaraan'],
      [140, ': WNI'],
    ],
  );
  assert.equal(fields.document_number, '3204417208890007');
  assert.equal(fields.surname, 'PUSPANINGTYAS');
  assert.equal(fields.given_names, 'RATNASARI');
  assert.equal(fields.date_of_birth, '1989-08-12');
  assert.equal(fields.sex, 'F');
  assert.equal(fields.nationality, 'ID');
});

test('four groups of digits with dashes are the number of a card', () => {
  const fields = valuesOf('id_card', [[40, 'REPUBLIKA NG PILIPINAS']], [[40, '5520-1183-7046-9917']]);
  assert.equal(fields.document_number, '5520-1183-7046-9917');
});

test('the caption of an empty box for a chosen name is no name', () => {
  const fields = valuesOf(
    'id_card',
    [[40, 'Nome / Name']],
    [[40, 'JUREMA SOARES DA ROCHA']],
    [[40, 'Nome Social / Social Name']],
    [[40, 'Sexo / Sex']],
    [[40, 'F']],
  );
  assert.equal(fields.given_names, 'JUREMA SOARES');
  assert.equal(fields.surname, 'DA ROCHA');
});

test('neither a signature’s caption nor a document’s discriminator is a value of another field', () => {
  const passport = valuesOf(
    'passport',
    [
      [40, 'Autorité/Authority (11)'],
      [240, 'Signature du titulaire/Holder’s signature (12)'],
    ],
    [[40, 'Préfecture du Rhône']],
  );
  assert.equal(passport.issuing_authority, 'Préfecture du Rhône');
  const licence = valuesOf(
    'driver_license',
    [
      [40, '9a END'],
      [140, '5DD'],
    ],
    [
      [40, 'NONE'],
      [140, '061948227'],
    ],
    null,
    [[40, '9 CLASS']],
    [[40, 'NONE']],
  );
  assert.equal(licence.endorsements, 'NONE');
  assert.equal(licence.vehicle_classes, 'NONE');
});

test('a holder’s number is the printed one, of which a zone has the end, and an address begins at its caption', () => {
  const fields = valuesOf(
    'id_card',
    [[40, 'SERIA RK NR 713482']],
    [[40, 'CNP 1840511250017']],
    null,
    [[40, 'Domiciliu/Adresse/Address']],
    [[40, 'Jud.MH Mun.Drobeta-Turnu Severin']],
    [[40, 'Str.Aviator Petre Ivanovici nr.14 bl.M2']],
    null,
    [[40, 'IDROUARDELEANU<<BOGDAN<MIHAI<<<<<<<<']],
    [[40, 'RK713482<8ROU8405117M310511312500172']],
  );
  assert.equal(fields.personal_number, '1840511250017');
  assert.equal(fields.address, 'Jud.MH Mun.Drobeta-Turnu Severin, Str.Aviator Petre Ivanovici nr.14 bl.M2');
});

test('a permit of residence has its state’s code before its title, and what one may do is no authority', () => {
  const fields = valuesOf(
    'id_card',
    [[40, 'ESP PERMISO DE RESIDENCIA']],
    [[40, 'OBSERVACIONES / REMARKS']],
    [[40, 'AUTORIZA A TRABAJAR']],
    null,
    [[40, 'EXPEDIDO/ISSUED']],
    [[40, '07 11 2023']],
  );
  assert.equal(fields.issuing_country, 'ES');
  assert.equal(fields.issuing_authority, undefined);
});

test('a name that resembles a caption is a part of the value that it ends', () => {
  const document = typeset([[[40, 'DRIVER LICENSE']], [[40, 'LN TRUJILLO']], [[40, 'FN MATEO ANDRES']]]);
  const [page] = document.pages;
  const words = page!.words.map((word) => ({ ...word, source: 'ocr:ppocr:1' as const }));
  const layout = layOut({
    ...document,
    pages: [{ ...page!, words, readings: [{ source: 'ocr:ppocr:1', words }] }],
  });
  const locale = decideLocale(layout);
  const fields = composeFields(documentTypeOf('driver_license'), layout, locale, []);
  assert.equal(fields.given_names?.value, 'MATEO ANDRES');
});

test('a caption may stand below its value, closer to it than to the next', () => {
  const page = typesetPage(1, []);
  const read = (text: string, y0: number, height: number): Word[] =>
    text.split(' ').map((word, at) => ({
      text: word,
      box: { x0: 40 + at * 90, y0, x1: 120 + at * 90, y1: y0 + height },
      source: 'text',
      confidence: 1,
    }));
  const words = [
    ...read('QUIÑONES ARBELÁEZ', 199, 17),
    ...read('APELLIDOS', 221, 12),
    ...read('YULIANA ANDREA', 255, 17),
    ...read('NOMBRES', 277, 12),
    ...read('Yuliana', 320, 30),
  ];
  const layout = layOut({
    mediaType: 'application/pdf',
    pages: [{ ...page, words, readings: [{ source: 'text', words }] }],
    attachments: [],
  });
  const fields = composeFields(documentTypeOf('id_card'), layout, decideLocale(layout), []);
  assert.equal(fields.surname?.value, 'QUIÑONES ARBELÁEZ');
  assert.equal(fields.given_names?.value, 'YULIANA ANDREA');
});

test('a caption of both names has them one under the other, and beside them the letters of a number are no name', () => {
  const fields = valuesOf(
    'id_card',
    [
      [40, 'NAME, VORNAME / SURNAME, FORENAME'],
      [300, 'YZ4P7K2T1'],
    ],
    [[40, 'AL-RAHMANI']],
    [[40, 'YOUSEF']],
  );
  assert.equal(fields.surname, 'AL-RAHMANI');
  assert.equal(fields.given_names, 'YOUSEF');
});

test('a full name at one caption ends with the surname', () => {
  const fields = valuesOf(
    'id_card',
    [[40, 'REPÚBLICA FEDERATIVA DO BRASIL']],
    null,
    [[40, 'Nome / Name']],
    [[40, 'VALDEMIR JOSÉ SCHIESTL']],
    null,
    [[40, 'Naturalidade / Place of Birth']],
    [[40, 'IBIRAMA/SC']],
    null,
    [[40, 'Órgão Expedidor / Card Issuer']],
    [[40, 'PCI/SC']],
  );
  assert.equal(fields.surname, 'SCHIESTL');
  assert.equal(fields.given_names, 'VALDEMIR JOSÉ');
  assert.equal(fields.place_of_birth, 'IBIRAMA/SC');
  assert.equal(fields.issuing_authority, 'PCI/SC');
  assert.equal(fields.issuing_country, 'BR');
});

test('a state names itself in its own language, alone or beside another', () => {
  const countryOfHead = (docType: DocType, head: string) => valuesOf(docType, [[40, head]]).issuing_country;
  assert.equal(countryOfHead('driver_license', 'SVERIGE'), 'SE');
  assert.equal(countryOfHead('id_card', 'ČESKÁ REPUBLIKA / CZECH REPUBLIC'), 'CZ');
  assert.equal(countryOfHead('id_card', 'IDENTITY CARD / MAGYARORSZÁG HUNGARY'), 'HU');
  assert.equal(countryOfHead('driver_license', 'GEORGIA'), undefined);
});

test('a state’s form may have run into its name', () => {
  const countryOf = (title: string) => valuesOf('driver_license', [[40, title]], [[40, '1. ESEMPI']]).issuing_country;
  assert.equal(countryOf('REPUBBLICAITALIANA'), 'IT');
  assert.equal(countryOf('REPUBLICANISM'), undefined);
});

test('a caption whose other language alone is known is no value', () => {
  const fields = valuesOf(
    'id_card',
    [
      [40, 'MÍSTO NAROZENÍ / PLACE OF BIRTH'],
      [300, 'ST. OBČANSTVÍ / NATIONALITY'],
    ],
    [
      [40, 'OLOMOUC'],
      [300, 'CZE'],
    ],
  );
  assert.equal(fields.place_of_birth, 'OLOMOUC');
});

test('a field’s number may run into its caption, and classes are known by their form', () => {
  const fields = valuesOf(
    'driver_license',
    [[40, 'AUTO DRIVER LICENSE']],
    [
      [40, '4d LIC NO'],
      [140, 'B 418 207 714 882'],
    ],
    [
      [40, '4aISS'],
      [80, '08-22-2024'],
    ],
    [[40, '3. 27.10.1979, Kitzbühel']],
    null,
    null,
    [[40, 'AM/B/f/k/q']],
  );
  assert.equal(fields.document_number, 'B 418 207 714 882');
  assert.equal(fields.issue_date, '2024-08-22');
  assert.equal(fields.place_of_birth, 'Kitzbühel');
  assert.equal(fields.vehicle_classes, 'AM, B, f, k, q');
  assert.equal(valuesOf('driver_license', [[40, '9. AMB']]).vehicle_classes, 'AM, B');
});

test('an American licence has small captions above its values, and all of its address', () => {
  const page = typesetPage(1, []);
  const set = (text: string, x0: number, y0: number, height: number): Word[] => {
    let from = x0;
    return text.split(' ').map((word) => {
      const box = { x0: from, y0, x1: from + word.length * 0.7 * height, y1: y0 + height };
      from = box.x1 + 0.4 * height;
      return { text: word, box, source: 'text', confidence: 1 };
    });
  };
  const words = [
    ...set('NORTH CAROLINA', 40, 10, 20),
    ...set('1 LAST NAME', 40, 40, 10),
    ...set('GADSON', 40, 53, 16),
    ...set('2FIRSTMIDDLE', 40, 79, 10),
    ...set('TERRANCE OBADIAH', 40, 92, 16),
    ...set('8 ADDRESS', 40, 118, 10),
    ...set('1109 CANTERWOOD DR APT G', 40, 131, 16),
    ...set('CHARLOTTE NC 28213-4471', 40, 150, 16),
    ...set('12 RESTR', 40, 180, 10),
    ...set('9a END', 150, 180, 10),
    ...set('500', 290, 180, 10),
    ...set('1', 40, 193, 16),
    ...set('NONE', 150, 193, 16),
    ...set('0028714420', 290, 193, 14),
  ];
  const layout = layOut({
    mediaType: 'application/pdf',
    pages: [{ ...page, words, readings: [{ source: 'text', words }] }],
    attachments: [],
  });
  const locale = decideLocale(layout);
  const type = documentTypeOf('driver_license');
  const fields = composeFields(type, layout, locale, proposeCandidates(layout, locale));
  assert.equal(fields.surname?.value, 'GADSON');
  assert.equal(fields.given_names?.value, 'TERRANCE OBADIAH');
  assert.equal(fields.address?.value, '1109 CANTERWOOD DR APT G, CHARLOTTE NC 28213-4471');
  assert.equal(fields.endorsements?.value, 'NONE');
});

test('a Canadian licence has names in two lines above the street and a class that is a number', () => {
  const fields = valuesOf(
    'driver_license',
    [[40, 'BRITISH COLUMBIA']],
    null,
    [[40, 'PARMAR,']],
    [[40, 'GURLEEN KAUR']],
    [[40, '14-6620 152A STREET']],
    [[40, 'SURREY BC V3S 7J8']],
    null,
    [
      [40, 'DOB: 1998-Jan-22'],
      [300, 'Class: 5'],
    ],
    [[40, 'Conditions']],
    [[40, 'Nil']],
  );
  assert.equal(fields.surname, 'PARMAR');
  assert.equal(fields.given_names, 'GURLEEN KAUR');
  assert.equal(fields.vehicle_classes, '5');
  assert.equal(fields.issuing_authority, 'BRITISH COLUMBIA');
  assert.equal(fields.restrictions, 'Nil');
});

test('a number of a licence may look like a day, and the next field’s number is no part of a value', () => {
  const fields = valuesOf(
    'driver_license',
    [[40, '4d.License No. 18-204-4177']],
    [[40, '4a.lss 01/18/2023']],
    [[40, '9a.End NONE 12.Rest A']],
  );
  assert.equal(fields.document_number, '18-204-4177');
  assert.equal(fields.issue_date, '2023-01-18');
  assert.equal(fields.endorsements, 'NONE');
  assert.equal(fields.restrictions, 'A');
});

test('cards of South America say the nationality and sex in words, and the number behind its sign', () => {
  const fields = valuesOf(
    'id_card',
    [
      [40, 'REPUBLICA DEL ECUADOR'],
      [400, 'N. 171824077-1'],
    ],
    [
      [40, 'NACIONALIDAD'],
      [300, 'SEXO'],
    ],
    [
      [40, 'ECUATORIANA'],
      [300, 'MUJER'],
    ],
  );
  assert.deepEqual(
    [fields.document_number, fields.nationality, fields.sex, fields.issuing_country],
    ['171824077-1', 'EC', 'F', 'EC'],
  );
});

test('names without captions stand one under the other, though the street alone has the number of its field', () => {
  const licence = valuesOf(
    'driver_license',
    [[40, 'MASSACHUSETTS']],
    null,
    [[150, 'SAMPLE-WINTHROP']],
    [[150, 'MARGARET ELLEN']],
    [[142, '8 418 PLEASANT ST APT 2R']],
    [[150, 'WORCESTER, MA 01609-2147']],
  );
  assert.deepEqual([licence.surname, licence.given_names], ['SAMPLE-WINTHROP', 'MARGARET ELLEN']);
  const social = valuesOf(
    'id_card',
    [[40, 'SOCIAL SECURITY']],
    null,
    [[100, '447-18-0265']],
    [[40, 'THIS NUMBER HAS BEEN ESTABLISHED FOR']],
    null,
    [[100, 'JANE MARIE']],
    [[102, 'SAMPLESON']],
  );
  assert.deepEqual([social.surname, social.given_names, social.issuing_country], ['SAMPLESON', 'JANE MARIE', 'US']);
});

test('a full name at its only caption, or above the day of birth, is of given names and a surname', () => {
  const licence = valuesOf(
    'driver_license',
    [[40, 'INDIAN UNION DRIVING LICENCE']],
    null,
    [
      [40, 'Name'],
      [120, ': SIDDHARTH KULKARNI'],
    ],
    [
      [40, 'DOB'],
      [120, ': 07-01-1997'],
    ],
  );
  assert.deepEqual([licence.surname, licence.given_names, licence.issuing_country], ['KULKARNI', 'SIDDHARTH', 'IN']);
  const card = valuesOf(
    'id_card',
    [[40, 'Government of India']],
    null,
    [[40, 'Tanvi Joshi']],
    [[40, 'DOB: 23/11/1994']],
  );
  assert.deepEqual([card.surname, card.given_names, card.issuing_country], ['Joshi', 'Tanvi', 'IN']);
});

test('Mexico’s cards have two surnames and the given names below one caption, and the sex by its Spanish letter', () => {
  const fields = valuesOf(
    'id_card',
    [[40, 'NOMBRE']],
    [[40, 'IXTLILCO']],
    [[40, 'BARRAGAN']],
    [[40, 'JOSE RAMIRO']],
    null,
    [[40, 'CURP']],
    [[40, 'IXBR840906HMSXRM02']],
    null,
    [[40, 'SEXO H']],
  );
  assert.deepEqual([fields.surname, fields.given_names, fields.sex], ['IXTLILCO BARRAGAN', 'JOSE RAMIRO', 'M']);
});

test('the caption of both names may have their numbers', () => {
  const fields = valuesOf('driver_license', [[40, '1 Nom, 2 prénom']], [[40, 'BEAUDOIN-LACHANCE']], [[40, 'ROSALIE']]);
  assert.deepEqual([fields.surname, fields.given_names], ['BEAUDOIN-LACHANCE', 'ROSALIE']);
});

test('the sex is stated in two languages, whatever the stroke was read as', () => {
  const card = valuesOf('id_card', [[40, 'Geslacht / Sex']], [[40, 'VIF']]);
  assert.equal(card.sex, 'F');
  const other = valuesOf('id_card', [[40, 'Lytis / Sex']], [[40, 'V/M']]);
  assert.equal(other.sex, 'M');
});

test('a European licence has its country’s sign in the flag, and Spain numbers its offices', () => {
  const fields = valuesOf(
    'driver_license',
    [
      [40, 'E'],
      [80, 'PERMISO DE CONDUCCION'],
    ],
    null,
    [
      [40, '4a.'],
      [80, '18-04-2023'],
      [240, '4c.'],
      [280, '20/01'],
    ],
  );
  assert.deepEqual([fields.issuing_country, fields.issuing_authority], ['ES', '20/01']);
  const irish = valuesOf('driver_license', [[300, 'EIRE/IRELAND']], [[40, 'DRIVING LICENCE']]);
  assert.equal(irish.issuing_country, 'IE');
});

test('an Indian licence has an address without a street and a class to a line', () => {
  const fields = valuesOf(
    'driver_license',
    [[40, 'INDIAN UNION DRIVING LICENCE']],
    null,
    [
      [40, 'Add'],
      [120, ': FLAT 7 SAI KRUPA CHS'],
    ],
    [[126, 'NEAR VITTHAL MANDIR, PIMPRI']],
    [[126, 'PUNE-411018']],
    null,
    [
      [40, 'COV'],
      [90, 'DOI'],
    ],
    [[40, 'LMV']],
    [[40, 'MCWG 22-08-2019']],
  );
  assert.equal(fields.address, 'FLAT 7 SAI KRUPA CHS, NEAR VITTHAL MANDIR, PIMPRI, PUNE-411018');
  assert.equal(fields.vehicle_classes, 'LMV, MCWG');
});

test('an Irish address has its code on a line of its own', () => {
  const fields = valuesOf(
    'driver_license',
    [[40, '8. 17 ARD NA MARA']],
    [[40, 'MALAHIDE, CO. DUBLIN']],
    [[40, 'K36 XD27']],
  );
  assert.equal(fields.address, '17 ARD NA MARA, MALAHIDE, CO. DUBLIN, K36 XD27');
});

test('given names stand above or below a surname in capitals, or behind it in one line', () => {
  const stacked = valuesOf(
    'driver_license',
    [[40, 'Driver Licence']],
    [[40, 'New South Wales, Australia']],
    null,
    [[40, 'Rosalind Mae']],
    [[40, 'QUARTERMAINE']],
    null,
    [[40, 'Card Number']],
    [[40, '2041 882 274']],
  );
  assert.deepEqual([stacked.surname, stacked.given_names], ['QUARTERMAINE', 'Rosalind Mae']);
  const listed = valuesOf(
    'driver_license',
    [[40, 'MICHIGAN']],
    null,
    [[40, 'HALVERSON BRIELLE MARIE']],
    [[40, '2218 S LAPEER RD LOT 14']],
    [[40, 'OXFORD MI 48371-2206']],
  );
  assert.deepEqual([listed.surname, listed.given_names], ['HALVERSON', 'BRIELLE MARIE']);
});

test('a caption of both names may have the surname last, and the only day of a social security card is its issue', () => {
  const licence = valuesOf('driver_license', [[40, '2 e 1 NOME E SOBRENOME']], [[40, 'TARCISIO NOGUEIRA MODELO']]);
  assert.deepEqual([licence.surname, licence.given_names], ['MODELO', 'TARCISIO NOGUEIRA']);
  const social = valuesOf('id_card', [[40, 'SOCIAL SECURITY']], [[40, '447-18-0265']], null, [[300, '06/14/2019']]);
  assert.equal(social.issue_date, '2019-06-14');
  const belgian = valuesOf('id_card', [[40, 'Rijksregisternr.']], [[40, '85.11.30-442.18']]);
  assert.equal(belgian.personal_number, '85.11.30-442.18');
});

test('captions of the languages of Europe and the world are known', () => {
  const croatian = valuesOf(
    'id_card',
    [[40, 'REPUBLIKA HRVATSKA']],
    [[40, 'Prezime']],
    [[40, 'MODELIĆ']],
    [[40, 'Ime']],
    [[40, 'DAVORKA']],
    [[40, 'Datum rođenja']],
    [[40, '14.07.1990']],
    [[40, 'Vrijedi do']],
    [[40, '03.02.2031']],
  );
  assert.deepEqual(
    [croatian.surname, croatian.given_names, croatian.date_of_birth, croatian.expiry_date],
    ['MODELIĆ', 'DAVORKA', '1990-07-14', '2031-02-03'],
  );
  const emirate = valuesOf(
    'id_card',
    [[40, 'Nationality: Jordan']],
    [[40, 'Issuing Date: 18/02/2024']],
    [[40, 'ID Number 784-1986-5204719-3']],
  );
  assert.deepEqual([emirate.nationality, emirate.issue_date], ['JO', '2024-02-18']);
});

test('a state is named with the article, and two letters before a word are no country', () => {
  const licence = valuesOf(
    'driver_license',
    [[40, 'REPUBLIC OF THE PHILIPPINES']],
    [[40, 'LAND TRANSPORTATION OFFICE']],
  );
  assert.deepEqual([licence.issuing_country, licence.issuing_authority], ['PH', 'LAND TRANSPORTATION OFFICE']);
  const card = valuesOf('id_card', [[40, 'Nationality']], [[40, 'ID Number']]);
  assert.equal(card.nationality, undefined);
});

test('what is left of a caption is no name, and a number’s bare caption before a word is another’s', () => {
  const permit = valuesOf(
    'id_card',
    [[40, 'Titre de séjour']],
    [[300, '4KZ7PTQ18']],
    [[40, 'NOM, Prénoms SURNAME Given names']],
    [[40, 'MODELE']],
    [[40, 'AMADOU LAMINE']],
    null,
    [[40, 'No PERSONNEL']],
    [[40, '9924187605']],
    null,
    [[40, 'DATE ET LIEU DE DÉLIVRANCE']],
    [[40, '15 09 2024 PRÉFECTURE DE L’ORNE']],
  );
  assert.deepEqual(
    [permit.document_number, permit.surname, permit.given_names, permit.issue_date, permit.issuing_authority],
    ['4KZ7PTQ18', 'MODELE', 'AMADOU LAMINE', '2024-09-15', 'PRÉFECTURE DE L’ORNE'],
  );
});

test('Mexico’s key of population has the sex, and the town stands below the postal code', () => {
  const card = valuesOf(
    'id_card',
    [[40, 'INSTITUTO NACIONAL ELECTORAL']],
    [[40, 'SEXO M']],
    null,
    [[40, 'DOMICILIO']],
    [[40, 'C CERRO AZUL 318 INT 4']],
    [[40, 'COL CAMPESTRE MODELO 04200']],
    [[40, 'COYOACÁN, CDMX.']],
    null,
    [[40, 'CURP MOXX940815MDFLNM07']],
  );
  assert.equal(card.sex, 'F');
  assert.equal(card.address, 'C CERRO AZUL 318 INT 4, COL CAMPESTRE MODELO 04200, COYOACÁN, CDMX.');
  assert.equal(card.issuing_authority, 'INSTITUTO NACIONAL ELECTORAL');
});

test('Spain’s cards have the holder’s number for theirs', () => {
  const card = valuesOf('id_card', [[40, 'ESPAÑA']], [[40, 'DNI 71948265M']]);
  assert.deepEqual([card.document_number, card.personal_number], ['71948265M', '71948265M']);
});

test('a place in brackets or behind the day of birth is where one was born', () => {
  const french = valuesOf('driver_license', [[40, '1. MODELE']], [[40, '2. Yanis']], [[40, '3. 17.02.1996 (ROUBAIX)']]);
  assert.equal(french.place_of_birth, 'ROUBAIX');
  const brazilian = valuesOf(
    'driver_license',
    [[40, '3 DATA, LOCAL E UF DE NASCIMENTO']],
    [[40, '03/05/1992,JOINVILLE,SC']],
    [[40, '4d CPF']],
    [[40, '084.172.906-38']],
    [[40, '5 Nº REGISTRO']],
    [[40, '05182740693']],
  );
  assert.deepEqual(
    [brazilian.place_of_birth, brazilian.document_number, brazilian.personal_number],
    ['JOINVILLE, SC', '05182740693', '084.172.906-38'],
  );
  const card = valuesOf(
    'id_card',
    [
      [40, 'Sexe: F'],
      [200, 'Né(e) le : 04.11.1987'],
    ],
    [
      [40, 'à:'],
      [80, 'VILLEMODELE'],
      [300, '(69)'],
    ],
  );
  assert.equal(card.place_of_birth, 'VILLEMODELE (69)');
});

test('the letter between the figures of a height is no sex', () => {
  const card = (sex: string) =>
    valuesOf('id_card', [[40, 'CARTE NATIONALE D’IDENTITÉ']], [[40, `Sexe : ${sex}`]], [[40, 'Taille : 1M70']]).sex;
  assert.equal(card('F'), 'F');
  assert.equal(card('1M70'), undefined);
});

test('the small letters of a British licence are known by one of them, and a list that ends in pieces is none', () => {
  const british = valuesOf('driver_license', [[40, '9. AM/A/B1/BI/f//n/plq']]);
  assert.equal(british.vehicle_classes, 'AM, A, B1, B, f, k, l, n, p, q');
  const unread = valuesOf('driver_license', [[40, '9. AM/A/B1/?x7']]);
  assert.equal(unread.vehicle_classes, undefined);
  const spaced = valuesOf('driver_license', [[40, 'AM A2 B BE']]);
  assert.equal(spaced.vehicle_classes, 'AM, A2, B, BE');
});

test('a surname in capitals has the given names behind its comma and in the next line', () => {
  const licence = valuesOf(
    'driver_license',
    [[40, 'DRIVER LICENCE VICTORIA AUSTRALIA']],
    [[40, 'MODELSON,Declan']],
    [[40, 'Joseph']],
    [[40, '14 WATTLEBIRD CRES']],
    [[40, 'KANGAROO FLAT VIC 3555']],
  );
  assert.deepEqual([licence.surname, licence.given_names], ['MODELSON', 'Declan Joseph']);
});

test('an authority’s own name is no caption of another', () => {
  const card = valuesOf('id_card', [[40, 'FEDERAL AUTHORITY FOR MODELS']], [[40, 'CITIZENSHIP & PORT SECURITY']]);
  assert.equal(card.issuing_authority, undefined);
});

test('captions in several languages are one, whichever of them are known', () => {
  const card = valuesOf(
    'id_card',
    [[40, 'SCHWEIZERISCHE EIDGENOSSENSCHAFT CONFÉDÉRATION SUISSE']],
    [[40, 'Name • Nom • Cognome • Gsüchti • Surname']],
    [[40, 'Modellbacher']],
  );
  assert.deepEqual([card.surname, card.issuing_country], ['Modellbacher', 'CH']);
});

test('a state stands before the title of its card, or behind its form in each of its languages', () => {
  const countryOn = (title: string) => valuesOf('id_card', [[40, title]]).issuing_country;
  assert.equal(countryOn('HONG KONG PERMANENT IDENTITY CARD'), 'HK');
  assert.equal(countryOn('REPUBLIC OF TURKEY IDENTITY CARD'), 'TR');
  assert.equal(countryOn('KONINKRIJK BELGIË ROYAUME DE BELGIQUE KÖNIGREICH BELGIEN'), 'BE');
});

test('Hong Kong’s numbers end in brackets, and names of Singapore have the surname first', () => {
  const card = valuesOf('id_card', [[40, 'LOK, Wing Ching']], [[40, '2867 3057 2532']], [[40, 'Z000000(5)']]);
  assert.deepEqual([card.document_number, card.surname, card.given_names], ['Z000000(5)', 'LOK', 'Wing Ching']);
  const named = valuesOf('id_card', [[40, 'REPUBLIC OF SINGAPORE']], [[40, 'Name']], [[40, 'TEO HUI XIAN, RACHEL']]);
  assert.deepEqual([named.surname, named.given_names], ['TEO', 'HUI XIAN, RACHEL']);
  const kenyan = valuesOf('id_card', [[40, 'FULL NAMES']], [[40, 'BRIAN MODEL ROTICH']]);
  assert.deepEqual([kenyan.surname, kenyan.given_names], ['ROTICH', 'BRIAN MODEL']);
});

test('New Zealand numbers its classes, and a word is none', () => {
  const licence = valuesOf(
    'driver_license',
    [
      [40, '9.'],
      [80, '1,6L'],
    ],
    null,
    [[40, 'NZ Transport Agency']],
  );
  assert.equal(licence.vehicle_classes, '1, 6L');
});

test('India’s licences have their number by its form, and `NO` before a house is no caption', () => {
  const licence = valuesOf(
    'driver_license',
    [[40, 'INDIAN UNION DRIVING LICENCE']],
    [[40, 'KA51 20190048217']],
    null,
    [
      [40, 'Address'],
      [120, ': NO 42 3RD CROSS BTM LAYOUT'],
    ],
    [[126, 'BENGALURU, KARNATAKA 560076']],
  );
  assert.equal(licence.document_number, 'KA51 20190048217');
  assert.equal(licence.address, 'NO 42 3RD CROSS BTM LAYOUT, BENGALURU, KARNATAKA 560076');
});

test('an elector’s name is the holder’s, and K is for women', () => {
  const voter = valuesOf(
    'id_card',
    [[40, 'ELECTION COMMISSION OF INDIA']],
    [[40, '/ Elector’s Name']],
    [[40, 'Meera lyer']],
    [[40, '/ Father’s Name']],
    [[40, 'Ramaswamy lyer']],
  );
  assert.deepEqual([voter.surname, voter.given_names, voter.issuing_country], ['Iyer', 'Meera', 'IN']);
  const polish = valuesOf('id_card', [[40, 'PŁEĆ / SEX']], [[40, 'K']]);
  assert.equal(polish.sex, 'F');
});

test('a Malaysian address ends with its state, and France’s number of a person is known by its form', () => {
  const card = valuesOf(
    'id_card',
    [[40, 'KAD PENGENALAN']],
    null,
    [[40, 'NO 18 JALAN MODEL 3/4']],
    [[40, 'BANDAR MODEL']],
    [[40, '43000 KAJANG']],
    [[40, 'SELANGOR']],
  );
  assert.equal(card.address, 'NO 18 JALAN MODEL 3/4, BANDAR MODEL, 43000 KAJANG, SELANGOR');
  const health = valuesOf('id_card', [[40, 'carte d’assurance maladie']], [[40, '2 89 05 69 388 142 57']]);
  assert.equal(health.personal_number, '2 89 05 69 388 142 57');
});

test('a state’s identification card names who issued it', () => {
  const fields = valuesOf(
    'id_card',
    [
      [40, 'SOUTH DAKOTA'],
      [300, 'IDENTIFICATION CARD'],
    ],
    [[40, '4d ID No. 77102938']],
    [[40, '1 EXEMPLAR']],
    [[40, '2 DORIS MAY']],
    [[40, '4a Iss 06/10/2022']],
    [[40, '4b Exp 11/15/2030']],
    [[40, '11/15/1958']],
  );
  assert.equal(fields.issuing_authority, 'SOUTH DAKOTA');
  assert.equal(fields.issuing_country, 'US');
  assert.equal(fields.date_of_birth, '1958-11-15');
});

test('the caption of a licence’s next field is no value, with or without a blank behind its number', () => {
  const fields = valuesOf(
    'driver_license',
    [
      [40, '9a ENDORS'],
      [160, '12RESTR'],
    ],
    [
      [40, 'M'],
      [160, 'B'],
    ],
    [
      [40, '4d DLN'],
      [120, 'K 418 720 336 915'],
    ],
    [[40, '3DOB 12-04-1981']],
  );
  assert.equal(fields.endorsements, 'M');
  assert.equal(fields.restrictions, 'B');
  assert.equal(fields.document_number, 'K 418 720 336 915');
  const lettered = valuesOf('driver_license', [
    [40, '12R'],
    [80, 'NONE'],
  ]);
  assert.equal(lettered.restrictions, 'NONE');
});

test('the days of a card without captions are in the order of a life, and a day to come is none of them', () => {
  const fields = valuesOf(
    'driver_license',
    [[40, 'WISCONSIN DRIVER LICENSE']],
    [[40, 'UNDER 21 UNTIL 02/19/2026']],
    [[40, 'X 02/19/2005']],
    [[40, 'X 08/30/2023']],
    [[40, '4b EXP 02/19/2028']],
  );
  assert.equal(fields.date_of_birth, '2005-02-19');
  assert.equal(fields.issue_date, '2023-08-30');
  assert.equal(fields.expiry_date, '2028-02-19');
});

test('an older licence has letters for captions, and its number in groups without one', () => {
  const fields = valuesOf(
    'driver_license',
    [[40, 'PENNSYLVANIA DRIVER LICENSE']],
    [[40, '29 418 233']],
    [[40, 'DOROTHY J EXEMPLAR']],
    [[40, '123 MAIN STREET']],
    [[40, 'HARRISBURG PA 17101']],
    [[40, 'E: NONE']],
    [[40, 'R: B']],
  );
  assert.equal(fields.document_number, '29 418 233');
  assert.equal(fields.endorsements, 'NONE');
  assert.equal(fields.restrictions, 'B');
});

test('one line has the numbers of both names and the surname, and the next the given ones', () => {
  const fields = valuesOf(
    'driver_license',
    [[40, 'TENNESSEE']],
    [[40, '1.2 OVERTON']],
    [[68, 'CARLA RUTH']],
    [
      [40, '8'],
      [68, '904 SAMPLE ST'],
    ],
    [[68, 'NASHVILLE, TN 37206-3312']],
  );
  assert.equal(fields.surname, 'OVERTON');
  assert.equal(fields.given_names, 'CARLA RUTH');
  assert.equal(fields.restrictions, undefined);
});

test('the number of a licence’s field and any usual caption behind it are one caption', () => {
  const captions: [string, string, string, unknown][] = [
    ['12 RES', 'restrictions', 'B', 'B'],
    ['9a ENDORSE', 'endorsements', 'M', 'M'],
    ['9 CLASSIFICATION', 'vehicle_classes', 'C', 'C'],
    ['4a ISS DATE', 'issue_date', '05/14/2021', '2021-05-14'],
    ['VALID THRU', 'expiry_date', '05/14/2031', '2031-05-14'],
    ['OLN', 'document_number', 'D4418827', 'D4418827'],
  ];
  for (const [caption, field, printed, value] of captions) {
    const apart = valuesOf('driver_license', [
      [40, caption],
      [200, printed],
    ]);
    const behind = valuesOf('driver_license', [[40, `${caption} ${printed}`]]);
    assert.deepEqual([apart[field], behind[field]], [value, value], caption);
  }
});

test('a passport’s name is the printed one, where its zone was read a letter off', () => {
  const fields = valuesOf(
    'passport',
    [[40, 'Surname']],
    [[40, 'ERIKSSON']],
    [[40, 'Given names']],
    [[40, 'ANNA MARIA']],
    [[40, 'P<UTOERIKKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<']],
    [[40, 'L898902C36UTO7408122F1204159ZE184226B<<<<<10']],
  );
  assert.equal(fields.surname, 'ERIKSSON');
  assert.equal(fields.given_names, 'ANNA MARIA');
});

test('an address does not begin with the holder’s names', () => {
  const fields = valuesOf(
    'driver_license',
    [[40, 'HAWAII']],
    [[40, '4d NUMBER H00441820']],
    [[40, 'KEALOHA-SAMPLE']],
    [[40, '2 MAKOA ALLEN']],
    [[40, '45-417 SAMPLE HWY']],
    [[40, 'KANEOHE, HI 96744']],
  );
  assert.equal(fields.address, '45-417 SAMPLE HWY, KANEOHE, HI 96744');
});

test('a caption that OCR misread behind its number is no value, and a number may have the letters of a caption', () => {
  const fields = valuesOf(
    'driver_license',
    [[40, 'WASHINGTON']],
    [[40, 'LIC# WDLABCD417DG']],
    [[40, '9a FND NONE']],
    [[40, '12. RESI 1']],
    [
      [40, '5 DD'],
      [120, 'ABC1234567890'],
    ],
  );
  assert.equal(fields.document_number, 'WDLABCD417DG');
  assert.equal(fields.endorsements, 'NONE');
  assert.equal(fields.restrictions, '1');
});

test('names stand in a stack though OCR lost one of their numbers, and a town may look like a street', () => {
  const stack = (...names: string[]) =>
    valuesOf(
      'driver_license',
      [[40, 'MINNESOTA']],
      ...names.map((name): PrintedRow => [[40, name]]),
      [[40, '8 PO BOX 1177']],
      [[40, 'ST PAUL, MN 55101']],
    );
  for (const fields of [stack('1 WHITAKER', 'LINDA K'), stack('l WHITAKER', '2 LINDA K')]) {
    assert.equal(fields.surname, 'WHITAKER');
    assert.equal(fields.given_names, 'LINDA K');
    assert.equal(fields.address, 'PO BOX 1177, ST PAUL, MN 55101');
  }
});
