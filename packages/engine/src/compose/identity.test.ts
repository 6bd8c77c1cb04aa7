import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocType } from '@millrace/document-model';
import { proposeCandidates } from '../candidates/propose.ts';
import { layOut } from '../layout/layout.ts';
import { type PrintedRow, typeset } from '../layout/typeset.ts';
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
