import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEmbeddedInvoice } from './invoice.ts';
import { decodeXml, parseXml } from './xml.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

test('hostile documents are refused, with little work and without growing', () => {
  const started = process.threadCpuUsage();
  const laughs = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from({ length: 9 }, (_, n) => `<!ENTITY lol${n + 1} "${`&lol${n || ''};`.repeat(10)}">`).join('')}]><Invoice><ID>&lol9;</ID></Invoice>`;
  assert.equal(parseXml(utf8(laughs)), null);
  const external = '<!DOCTYPE Invoice [<!ENTITY file SYSTEM "file:///etc/passwd">]><Invoice><ID>&file;</ID></Invoice>';
  assert.equal(parseXml(utf8(external)), null);
  assert.equal(parseXml(utf8('<Invoice>'.repeat(100_000))), null);
  assert.equal(parseXml(utf8(`<Invoice>${'<a/>'.repeat(300_000)}</Invoice>`)), null);
  assert.equal(
    readEmbeddedInvoice([{ name: 'factur-x.xml', bytes: new Uint8Array(100 * 1024 * 1024).fill(60) }]),
    null,
  );
  const huge = new Uint8Array(100 * 1024 * 1024).fill(32);
  huge.set(utf8('<Invoice><ID>1</ID>'));
  assert.equal(readEmbeddedInvoice([{ name: 'factur-x.xml', bytes: huge }]), null);
  const { user } = process.threadCpuUsage(started);
  assert.ok(user < 3_000_000, `${user} µs`);
});

test('endless faults end the reading, and what stood before them is kept', () => {
  const parsed = parseXml(utf8(`<Invoice><ID>7</ID><Note>${'&x; '.repeat(1_000_000)}</Note></Invoice>`));
  assert.equal(parsed?.complete, false);
  assert.equal(parsed.root.children[0]?.text, '7');
});

test('a text longer than any value of an invoice is left out', () => {
  const parsed = parseXml(utf8(`<Invoice><Object>${'QUJD'.repeat(100_000)}</Object><ID>7</ID></Invoice>`));
  assert.deepEqual(
    parsed?.root.children.map((child) => [child.name, child.text]),
    [
      ['Object', ''],
      ['ID', '7'],
    ],
  );
});

test('slips that leave the structure clear are passed over', () => {
  const parsed = parseXml(utf8('<a:Invoice xmlns="x"><b:Name a:x="1">Smith & Sons &eacute;</b:Name></a:Invoice>'));
  assert.equal(parsed?.complete, true);
  assert.equal(parsed.root.children[0]?.text, 'Smith & Sons &eacute;');
  const bare = parseXml(utf8('<Invoice><Name>Smith & Sons</Name><ID>A&amp;7</ID></Invoice>'));
  assert.deepEqual(
    bare?.root.children.map((child) => child.text),
    ['Smith & Sons', 'A&7'],
  );
});

test('the encoding is detected from the bytes, and from the declaration if they leave it open', () => {
  const text = '<?xml version="1.0" encoding="ISO-8859-1"?><Name>Müller £</Name>';
  const utf16 = (littleEndian: boolean, mark: boolean) => {
    const units = [...`${mark ? '\uFEFF' : ''}${text}`].map((character) => character.charCodeAt(0));
    const view = new DataView(new ArrayBuffer(units.length * 2));
    units.forEach((unit, index) => {
      view.setUint16(index * 2, unit, littleEndian);
    });
    return new Uint8Array(view.buffer);
  };
  const expected = '<Name>Müller £</Name>';
  assert.equal(decodeXml(Buffer.from(text, 'latin1')), expected);
  assert.equal(decodeXml(utf8(text)), expected, 'declared wrongly');
  assert.equal(decodeXml(utf8(`\uFEFF${text}`)), expected);
  for (const littleEndian of [true, false]) {
    for (const mark of [true, false]) assert.equal(decodeXml(utf16(littleEndian, mark)), expected);
  }
  const unknown = text.replace('ISO-8859-1', 'UTF-8-W/O-BOM');
  assert.equal(decodeXml(utf8(unknown)), expected);
  assert.equal(decodeXml(Buffer.from(unknown, 'latin1')), expected);
  const cyrillic = Buffer.from([
    ...utf8('<?xml version="1.0" encoding="windows-1251"?><N>'),
    0xc8,
    0xef,
    ...utf8('</N>'),
  ]);
  assert.equal(decodeXml(cyrillic), '<N>Ип</N>');
});
