import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Detector, detectors } from './detectors.ts';
import { replacer } from './replace.ts';
import { type DetectorRule, TextMasker, TextRules } from './text.ts';

const replace = replacer(new Uint8Array(32).fill(7));
const all: readonly DetectorRule[] = (['card', 'iban', 'email', 'phone', 'national_id'] as const).map((detector) => ({
  detector,
  replacement: 'redact',
}));

const latin1 = (text: string) => Buffer.from(text).toString('latin1');

/** The values that a detector finds, in the order of the text. */
function find(detector: Detector, text: string): readonly string[] {
  const bytes = Buffer.from(text).toString('latin1');
  return detectors[detector](bytes).map(({ start, end }) => Buffer.from(bytes.slice(start, end), 'latin1').toString());
}

function finds(detector: Detector, values: readonly string[]): void {
  for (const value of values) {
    assert.deepEqual(find(detector, value), [value], value);
    assert.deepEqual(find(detector, `see ${value}, thanks`), [value], `within a text: ${value}`);
    assert.deepEqual(find(detector, `größe:${value}\n${value};`), [value, value], `twice: ${value}`);
  }
}

function findsNone(detector: Detector, texts: readonly string[]): void {
  for (const text of texts) assert.deepEqual(find(detector, text), [], text);
}

describe('detectors', () => {
  it('find cards by issuer and check digit', () => {
    finds('card', [
      '4111111111111111',
      '4111 1111 1111 1111',
      '4111-1111-1111-1111',
      '4111.1111.1111.1111',
      '5555555555554444',
      '2223003122003222',
      '378282246310005',
      '3782 822463 10005',
      '6011111111111117',
      '30569309025904',
      '3530111333300000',
      '6304000000000000',
      '4222222222222',
      '4111\u00a01111\u00a01111\u00a01111',
      '4111\u20131111\u20131111\u20131111',
    ]);
    assert.deepEqual(find('card', '7 4111 1111 1111 1111 99'), ['4111 1111 1111 1111'], 'among other numbers');
    assert.deepEqual(find('card', 'x4111111111111111y'), ['4111111111111111']);
    findsNone('card', [
      '4111111111111112',
      '1700000000000',
      '0.4111111111111111',
      '41111111111111110000000',
      '4111  1111  1111  1111',
      '0000000000000000',
      '4444444444444444',
      '2026-03-01 12:00:00.000',
    ]);
  });

  it('find bank accounts by country, length and check digits', () => {
    finds('iban', [
      'DE89370400440532013000',
      'DE89 3704 0044 0532 0130 00',
      'GB29NWBK60161331926819',
      'FR1420041010050500013M02606',
      'NO9386011117947',
      'MT84MALT011000012345MTLCAST001S',
      'de89370400440532013000',
      'CH93-0076-2011-6238-5295-7',
    ]);
    assert.deepEqual(find('iban', 'IBANDE89370400440532013000'), ['DE89370400440532013000']);
    findsNone('iban', [
      'DE88370400440532013000',
      'DE8937040044053201300',
      'DE893704004405320130000',
      'XX89370400440532013000',
      'De89370400440532013000a',
      'ADE89370400440532013000',
    ]);
  });

  it('find e-mail addresses', () => {
    finds('email', [
      'ada@example.com',
      'ada.l+tag@mail.example.co.uk',
      "o'hara_%x@example-mail.org",
      'ada%40example.com',
      'jürgen@exämple.de',
      'a@b.example',
      '"ada lovelace"@example.com',
      'ada."x y".b@example.com',
      'ada@[192.0.2.1]',
    ]);
    assert.deepEqual(find('email', '{"name":"ada","mail":"bob@example.com"}'), ['bob@example.com']);
    assert.deepEqual(find('email', 'say "hi" to "b c"@example.com'), ['"b c"@example.com']);
    assert.deepEqual(find('email', '<https://example.com/u?mail=bob@example.com>'), ['bob@example.com']);
    assert.deepEqual(find('email', 'mailto:ada@example.com?x'), ['ada@example.com']);
    assert.deepEqual(find('email', 'ada@example.com.'), ['ada@example.com']);
    assert.deepEqual(find('email', 'a@b.example@c.example'), ['a@b.example']);
    findsNone('email', [
      '@ada',
      'ada@',
      'ada@localhost',
      'npm@1.2.3',
      'a @ b.example',
      '@',
      '@@@@',
      'x"@example.com',
      'ada@[x]',
    ]);
  });

  it('find telephone numbers in their usual formats', () => {
    finds('phone', [
      '+49 30 1234567',
      '+1 (555) 123-4567',
      '+442079460958',
      '0049 30 1234567',
      '030 12345678',
      '(030) 1234567',
      '030/1234567',
      '06 12 34 56 78',
      '555-123-4567',
      '(555) 234-5678',
      '555.234.5678',
      '1-555-234-5678',
    ]);
    findsNone('phone', [
      '2026-03-01',
      '12:00:00',
      '1234567',
      '192.168.100.200',
      '3.1415926535',
      '0.123456789012',
      '0.12345678',
      '4111 1111 1111 1111',
      '+1',
      '00',
      '2026-03-01T12:00:00Z',
      '100 200 300',
    ]);
  });

  it('find national id numbers by format and check digits', () => {
    finds('national_id', [
      '078-05-1120',
      'AB 12 34 56 C',
      'AB123456C',
      '12345678Z',
      'X1234567L',
      'RSSMRA85T10A562S',
      '255081416802538',
      '2 55 08 14 168 025 38',
      '86095742719',
      '44051401359',
      '85.07.30-033.28',
      '85073003328',
      '811228-9874',
      '19811228-9874',
      '131052-308T',
      '070761-4285',
      '529.982.247-25',
      '52998224725',
      '2341 2341 2346',
      '11010519491231002X',
    ]);
    findsNone('national_id', [
      '000-12-3456',
      '666-12-3456',
      '078-00-1120',
      '12345678A',
      'X1234567A',
      'RSSMRA85T10A562T',
      '255081416802539',
      '86095742718',
      '44051401358',
      '85073003329',
      '811228-9875',
      '131052-308U',
      '52998224724',
      '11111111111',
      '2341 2341 2347',
      '110105194912310021',
      '2026-03-01',
      '12345678901234567890',
    ]);
  });
});

describe('masking of text', () => {
  const rules = new TextRules(all, replace);

  it('merges overlapping values, and leaves nothing of either', () => {
    assert.equal(rules.mask('DE89 3704 0044 0532 0130 00'), '***');
    assert.equal(rules.mask('nothing here'), null);
    assert.equal(rules.mask('a@b.example, 4111111111111111 and 078-05-1120'), '***, *** and ***');
  });

  it('gives equal values equal digests, however they are written', () => {
    const digests = new TextRules(
      [
        { detector: 'card', replacement: 'hash' },
        { detector: 'email', replacement: 'hash' },
      ],
      replace,
    );
    assert.equal(digests.mask('4111 1111 1111 1111'), digests.mask('4111-1111-1111-1111'));
    assert.equal(digests.mask('4111111111111111'), digests.mask(latin1('４１１１1111\u200b1111\u20111111')));
    assert.equal(digests.mask('Ada@example.com'), digests.mask('ada%40Example.com'));
    const other = new TextRules([{ detector: 'card', replacement: 'hash' }], replacer(new Uint8Array(32)));
    assert.notEqual(digests.mask('4111111111111111'), other.mask('4111111111111111'), 'only with the key');
  });

  it('has the same result however a text is split, with short and long lines', () => {
    const values = [
      '4111 1111 1111 1111',
      'ada@example.com',
      'DE89 3704 0044 0532 0130 00',
      '+49 30 1234567',
      '078-05-1120',
    ];
    let seed = 5;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    for (const lineLength of [40, 30_000]) {
      let text = '';
      while (text.length < 60_000) {
        text +=
          random(lineLength) === 0
            ? '\n'
            : random(20) === 0
              ? ` ${values[random(5)]} `
              : 'Lorem ipsum é '.slice(random(14));
      }
      const bytes = Buffer.from(text).toString('latin1');
      const expected = rules.mask(bytes)!;
      for (let round = 0; round < 20; round++) {
        const masker = new TextMasker(rules);
        let masked = '';
        for (let at = 0; at < bytes.length; ) {
          const size = 1 + random(round < 10 ? 100 : 20_000);
          masked += masker.write(bytes.slice(at, at + size));
          at += size;
        }
        assert.equal(masked + masker.end(), expected);
      }
      assert.ok(!values.some((value) => expected.includes(value)));
    }
  });

  it('passes complete lines on immediately', () => {
    const masker = new TextMasker(rules);
    assert.equal(masker.write('data: a@b.example\ndata: 4111 1111'), 'data: ***\n');
    assert.equal(masker.write(' 1111 1111\n'), 'data: ***\n');
    assert.equal(masker.end(), '');
  });

  it('finishes in time on hostile texts', () => {
    const started = process.threadCpuUsage();
    for (const text of [
      '4',
      '4 ',
      '41111111111111111 ',
      '@',
      'a@',
      'a@a.',
      '+',
      '+1 ',
      '0 ',
      '(',
      'DE89',
      'DE89 ',
      'A',
      'AB12 ',
      '%40',
      '1.',
      '.',
      '-',
      '\xc2\xa0',
      '"',
      '"@',
      '"a"@',
      '\\"@',
      '4\xe2\x80\x8b',
      '\xef\xbc\x94',
    ]) {
      const masker = new TextMasker(rules);
      const long = text.repeat(100_000 / text.length);
      for (let at = 0; at < long.length; at += 65_536) masker.write(long.slice(at, at + 65_536));
      masker.end();
    }
    const { user } = process.threadCpuUsage(started);
    assert.ok(user < 4_000_000, `${user} µs`);
  });
});
