import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractFromWords } from '../../extract.ts';
import { type PrintedRow, typeset } from '../../layout/typeset.ts';

const extracted = (...rows: PrintedRow[]) =>
  extractFromWords(typeset(rows), { docType: 'business_card', fields: null }).extraction.fields;

test('a trade with its owner’s name is the company, and opening hours are nothing', () => {
  const fields = extracted(
    [[40, 'Gärtnerei Wüstenfeld']],
    [[40, 'Stauden · Gehölze · Grabpflege']],
    null,
    null,
    [[40, 'Gerd Wüstenfeld']],
    [[40, 'Gärtnermeister']],
    null,
    null,
    [[40, 'Am Friedhof 3 · 29439 Lüchow']],
    [[40, 'Telefon (0 58 41) 55 50 17']],
    [[40, 'info@gaertnerei-wuestenfeld.de']],
    [[40, 'Mo–Fr 8–18 Uhr · Sa 8–13 Uhr']],
  );
  assert.equal(fields.company_name?.value, 'Gärtnerei Wüstenfeld');
  assert.equal(fields.name?.value, 'Gerd Wüstenfeld');
  assert.equal(fields.job_title?.value, 'Gärtnermeister');
  assert.equal(fields.address?.value, 'Am Friedhof 3 · 29439 Lüchow');
  assert.deepEqual(fields.phones?.value, ['(0 58 41) 55 50 17']);
});

test('a name and a logo may take two lines, and a domain alone is the website', () => {
  const fields = extracted(
    [
      [40, 'Anjali'],
      [300, 'northwell'],
    ],
    [
      [40, 'Deshmukh, PhD'],
      [300, 'robotics'],
    ],
    null,
    null,
    [[40, 'Director of Perception & Controls']],
    null,
    [[40, 'anjali.deshmukh@northwell.studio']],
    [[40, 'northwell.studio']],
  );
  assert.equal(fields.name?.value, 'Anjali Deshmukh, PhD');
  assert.equal(fields.company_name?.value, 'northwell robotics');
  assert.equal(fields.website?.value, 'northwell.studio');
});

test('titles of study stand before a name, and a licence’s number is no telephone', () => {
  const fields = extracted(
    [[40, 'Dipl.-Ing. (FH) Holger Pietsch']],
    [[40, 'Prokurist']],
    null,
    [[40, 'Lic# 01944718']],
    [[40, 'T +49 361 555 18-40']],
    [[40, 'h.pietsch@beispielbau.de']],
  );
  assert.equal(fields.name?.value, 'Dipl.-Ing. (FH) Holger Pietsch');
  assert.deepEqual(fields.phones?.value, ['+49 361 555 18-40']);
});

test('a card with hardly a word is in the language of its country', () => {
  const fields = extracted(
    [[40, 'Avv. Beatrice Fantin']],
    [[40, 'Galleria San Marco, 8 - 33100 Udine']],
    [[40, 'T. +39 0432 5550 11']],
  );
  assert.equal(fields.language?.value, 'it');
  assert.equal(fields.address?.value, 'Galleria San Marco, 8 - 33100 Udine');
});

test('who has a title is nobody’s practice, and what stands below a name is no company', () => {
  const clinic = extracted(
    [[40, 'Clínica Dental Somorrostro']],
    null,
    null,
    [[40, 'Dra.Itziar Zubizarreta']],
    [[40, 'Odontóloga']],
    null,
    null,
    [[40, 'Av. 25 de Abril, 112, 48010 Bilbao']],
    [[40, 'citas@dentalsomorrostro.es']],
  );
  assert.equal(clinic.company_name?.value, 'Clínica Dental Somorrostro');
  assert.equal(clinic.name?.value, 'Dra.Itziar Zubizarreta');
  assert.equal(clinic.address?.value, 'Av. 25 de Abril, 112, 48010 Bilbao');
  assert.equal(clinic.language?.value, 'es');
  const plumber = extracted(
    [[40, 'DUBREUIL Thierry']],
    [[40, 'Plombier - Chauffagiste']],
    null,
    [[40, 'Tél. 02 47 55 50 14']],
    [[40, 'dubreuil.plomberie@orange.fr']],
  );
  assert.equal(plumber.job_title?.value, 'Plombier - Chauffagiste');
  assert.equal(plumber.company_name, undefined);
});

test('the spaced letters of a logo may be read as pieces of one line, and its last words are not in the domain', () => {
  const companyOf = (domain: string, ...rows: PrintedRow[]) =>
    extracted(...rows, null, null, [[40, 'Gareth Sampleton']], [[40, 'Senior Partner']], null, [
      [40, `gareth@${domain}.example`],
    ]).company_name?.value;
  const pieces: PrintedRow = [
    [40, 'PELHAM &'],
    [110, 'MUSTERROOKE'],
  ];
  assert.equal(companyOf('pelhammusterrooke', pieces), 'PELHAM & MUSTERROOKE');
  assert.equal(
    companyOf('northmusterrealty', [[40, 'NORTHMUSTER']], [[40, 'REALTY GROUP']]),
    'NORTHMUSTER REALTY GROUP',
  );
});

test('a company’s legal form is no part of the address below it, and a Catalan name joins two surnames', () => {
  const fields = extracted(
    [[40, 'Bernat Mostra i Exemple']],
    [[40, 'Jefe de Ventas']],
    null,
    [[40, 'Talleres del Ejemplo, S.A.']],
    [[40, 'Calle La Llama 14']],
    [[40, '39300 Torrelavega']],
    null,
    [[40, 'Móvil: 629 555 044']],
    [[40, 'b.mostra@talleresejemplo.example']],
  );
  assert.equal(fields.name?.value, 'Bernat Mostra i Exemple');
  assert.equal(fields.address?.value, 'Calle La Llama 14, 39300 Torrelavega');
  assert.equal(fields.language?.value, 'es');
});

test('a shop is the company and its proprietor the person, with two mobiles and an address that ends in a full stop', () => {
  const fields = extracted(
    [[40, 'SRI MUSTERA ELECTRICALS']],
    [[40, 'Dealers in: Motors, Pumps & Switchgear']],
    null,
    [[300, 'Prop. R. Mustrakumar']],
    null,
    null,
    [[40, 'No.118, Big Bazaar Street,']],
    [[40, 'Near Bus Stand, Tiruchirappalli - 620 008.']],
    null,
    [[40, 'Cell : 98424 55510,94433 55521']],
    [[40, 'E-mail : srimusteraelec@mail.example']],
  );
  assert.equal(fields.name?.value, 'R. Mustrakumar');
  assert.equal(fields.company_name?.value, 'SRI MUSTERA ELECTRICALS');
  assert.deepEqual(fields.phones?.value, ['98424 55510', '94433 55521']);
  assert.match(
    String(fields.address?.value),
    /^No\.118, Big Bazaar Street,+ Near Bus Stand, Tiruchirappalli - 620 008/,
  );
});
