import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtractedValue } from '@millrace/document-model';
import { composedValue } from '../compose/value.ts';
import { layOut } from '../layout/layout.ts';
import { typeset } from '../layout/typeset.ts';
import { documentTypeOf } from '../types/registry.ts';
import { withoutBlurredAddresses, withoutNames, withWholeAddresses } from './addresses.ts';

const layout = layOut(
  typeset([
    [[40, 'Muster Möbel GmbH']],
    [[40, 'HRB 1188']],
    [[40, 'Marktweg 3']],
    [[40, '04109 Leipzig']],
    [[40, '']],
    [[40, 'Rechnung Nr. 2025-118']],
  ]),
);
const invoice = documentTypeOf('invoice')!;

/** The address made of the lines that have these texts. */
function addressOf(...texts: readonly string[]): ExtractedValue {
  const lines = layout.lines.filter(({ text }) => texts.includes(text));
  return composedValue(
    texts.join(', '),
    80,
    lines.map((line) => ({ line })),
  );
}

const wholeOf = (address: ExtractedValue) =>
  withWholeAddresses(invoice, { vendor_address: address }, layout).vendor_address!.value;

test('an address of which a part was taken is made whole', () => {
  assert.equal(wholeOf(addressOf('Marktweg 3')), 'Marktweg 3, 04109 Leipzig');
  assert.equal(wholeOf(addressOf('04109 Leipzig')), 'Marktweg 3, 04109 Leipzig');
});

test('a company’s number above its street is not in its address', () => {
  assert.equal(wholeOf(addressOf('HRB 1188', 'Marktweg 3', '04109 Leipzig')), 'Marktweg 3, 04109 Leipzig');
});

test('a name that another field has is not in an address', () => {
  const fields = {
    vendor_name: composedValue('Muster Möbel GmbH', 80, []),
    vendor_address: addressOf('Muster Möbel GmbH', 'Marktweg 3', '04109 Leipzig'),
  };
  assert.equal(withoutNames(invoice, fields).vendor_address!.value, 'Marktweg 3, 04109 Leipzig');
  const parted = {
    customer_name: composedValue('Ejemplo del Ter, SLU', 80, []),
    customer_address: composedValue('Ejemplo del Ter, SLU, Calle Mayor 9, 17004 Girona', 80, []),
  };
  assert.equal(withoutNames(invoice, parted).customer_address!.value, 'Calle Mayor 9, 17004 Girona');
  const marked = { vendor_address: composedValue('Muster B.V. | Marktweg 3, 3511 NH Utrecht', 80, []) };
  assert.equal(withoutNames(invoice, marked).vendor_address!.value, 'Marktweg 3, 3511 NH Utrecht');
});

test('a company right below an address is no part of it', () => {
  const shop = layOut(typeset([[[40, '7 rue du Port']], [[40, '69002 LYON']], [[40, 'Soc. MEGA FRANCE SAS']]]));
  const [street, town, company] = shop.lines;
  const value = '7 rue du Port, 69002 LYON, Soc. MEGA FRANCE SAS';
  const merchant_address = composedValue(value, 75, [{ line: street! }, { line: town! }, { line: company! }]);
  const whole = withWholeAddresses(documentTypeOf('receipt'), { merchant_address }, shop).merchant_address;
  assert.equal(whole?.value, '7 rue du Port, 69002 LYON');
});

test('a province with its postal code may stand in two pieces below the town', () => {
  const receipt = layOut(
    typeset([
      [[40, '2190 Lakeshore Rd, Burlington']],
      [
        [70, 'ON'],
        [100, 'L7R 1A3'],
      ],
      [[60, '905-555-0177']],
    ]),
  );
  const street = receipt.lines.find(({ text }) => text.startsWith('2190'))!;
  const fields = { merchant_address: composedValue(street.text, 75, [{ line: street }]) };
  const whole = withWholeAddresses(documentTypeOf('receipt'), fields, receipt).merchant_address;
  assert.equal(whole?.value, '2190 Lakeshore Rd, Burlington ON L7R 1A3');
});

test('a state of Malaysia below the town is in the address, and a shop below that is not', () => {
  const receipt = layOut(
    typeset([
      [[40, 'EXAMPLE FUEL']],
      [[40, 'JALAN CONTOH 12']],
      [[40, '28700 BENTONG']],
      [[40, 'PAHANG DARUL MAKMUR.']],
      [[40, "D'EXAMPLE SERVPORT"]],
    ]),
  );
  const addressIn = (value: string) => {
    const lines = receipt.lines.filter(({ text }) => value.includes(text.replace('.', '')));
    const address = composedValue(
      value,
      75,
      lines.map((line) => ({ line })),
    );
    return withWholeAddresses(documentTypeOf('receipt'), { merchant_address: address }, receipt).merchant_address
      ?.value;
  };
  assert.equal(addressIn('JALAN CONTOH 12, 28700 BENTONG'), 'JALAN CONTOH 12, 28700 BENTONG, PAHANG DARUL MAKMUR');
  assert.equal(
    addressIn("JALAN CONTOH 12, 28700 BENTONG, PAHANG DARUL MAKMUR, D'EXAMPLE SERVPORT"),
    'JALAN CONTOH 12, 28700 BENTONG, PAHANG DARUL MAKMUR',
  );
});

test('a province in parentheses below the town is in the address', () => {
  const letter = layOut(
    typeset([[[40, 'Viveros Ejemplo']], [[40, 'Camino Real 4']], [[40, '18100 ARMILLA']], [[40, '(GRANADA)']]]),
  );
  const lines = letter.lines.slice(1, 3).map((line) => ({ line }));
  const fields = { customer_address: composedValue('Camino Real 4, 18100 ARMILLA', 80, lines) };
  const whole = withWholeAddresses(invoice, fields, letter).customer_address;
  assert.equal(whole?.value, 'Camino Real 4, 18100 ARMILLA (GRANADA)');
});

test('the town of a street may stand in the box beside it', () => {
  const payslip = layOut(
    typeset([
      [
        [40, 'INDIRIZZO'],
        [300, 'CAP E LOCALITÀ'],
      ],
      [
        [40, 'VIA ESEMPIO 36'],
        [300, '61032 FANO (PU)'],
      ],
      [[40, 'POSIZIONE INPS']],
    ]),
  );
  const lines = payslip.lines.filter(({ text }) => /^(?:VIA|POSIZIONE)/.test(text));
  const address = composedValue(
    'VIA ESEMPIO 36, POSIZIONE INPS',
    75,
    lines.map((line) => ({ line })),
  );
  const fields = withWholeAddresses(documentTypeOf('payslip'), { employer_address: address }, payslip);
  assert.equal(fields.employer_address?.value, 'VIA ESEMPIO 36, 61032 FANO (PU)');
});

test('an address most of whose words are blurred is left out', () => {
  const withLetters = (leastConfidence: number) => {
    const document = typeset([[[40, 'Door 1188 pupado chier ala']]]);
    const pages = document.pages.map((page) => ({
      ...page,
      words: page.words.map((word, at) => ({ ...word, leastConfidence: at === 0 ? 0.95 : leastConfidence })),
    }));
    const read = layOut({ ...document, pages });
    const address = composedValue('Door 1188 pupado chier ala', 95, [{ line: read.lines[0]! }]);
    return withoutBlurredAddresses(invoice, { vendor_address: address }, read);
  };
  assert.deepEqual(Object.keys(withLetters(0.6)), []);
  assert.deepEqual(Object.keys(withLetters(0.8)), ['vendor_address']);
});

test('the numbered names of a licence are no part of the address below them', () => {
  const licence = layOut(
    typeset([
      [[40, '1 EXAMPLE']],
      [[40, '2 DORIS MAY']],
      [[40, '8 2207 SE SAMPLE LN']],
      [[40, 'PORT ST LUCIE, FL 34952-3308']],
    ]),
  );
  const [, , street, town] = licence.lines;
  const address = composedValue('2207 SE SAMPLE LN, PORT ST LUCIE, FL 34952-3308', 80, [
    { line: street!, start: 2 },
    { line: town! },
  ]);
  const fields = withWholeAddresses(documentTypeOf('driver_license'), { address }, licence);
  assert.equal(fields.address?.value, '2207 SE SAMPLE LN, PORT ST LUCIE, FL 34952-3308');
});

test('an address goes on to the end of its last bracket in the line below', () => {
  const printed = layOut(typeset([[[40, 'C/ EJEMPLO 18, 12001 MUESTRA (LA']], [[40, 'RIOJA)']]]));
  const address = composedValue('C/ EJEMPLO 18, 12001 MUESTRA (LA', 80, [{ line: printed.lines[0]! }]);
  assert.equal(
    withWholeAddresses(invoice, { vendor_address: address }, printed).vendor_address!.value,
    'C/ EJEMPLO 18, 12001 MUESTRA (LA RIOJA)',
  );
});
