import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { JsonMasker } from './json.ts';
import { escapeJson, unescapeJson } from './json-text.ts';
import { compilePaths, type Replacement } from './paths.ts';
import { digestText, redacted, replacer } from './replace.ts';
import { type DetectorRule, TextRules } from './text.ts';

const key = new Uint8Array(32).fill(7);
const replace = replacer(key);

interface Rules {
  readonly paths?: readonly { readonly path: string; readonly replacement: Replacement }[];
  readonly detectors?: readonly DetectorRule[];
}

function mask(rules: Rules, chunks: readonly Uint8Array[], isSequence = false): string {
  const text = rules.detectors ? new TextRules(rules.detectors, replace) : null;
  const masker = new JsonMasker({ paths: compilePaths(rules.paths ?? []), text, replace, key, isSequence });
  const parts: Uint8Array[] = [];
  for (const chunk of chunks) {
    const lent = Uint8Array.from(chunk);
    const written = masker.write(lent);
    if (written) parts.push(Uint8Array.from(written));
    lent.fill(0x58);
  }
  const rest = masker.end();
  if (rest) parts.push(rest);
  return Buffer.concat(parts).toString();
}

const whole = (rules: Rules, json: string) => mask(rules, [Buffer.from(json)]);

/** The same for every place at which a body may be cut in two, and for single bytes. */
function everySplit(rules: Rules, json: string): string {
  const bytes = Buffer.from(json);
  const expected = mask(rules, [bytes]);
  for (let at = 0; at <= bytes.length; at++) {
    assert.equal(mask(rules, [bytes.subarray(0, at), bytes.subarray(at)]), expected, `cut at ${at} of ${json}`);
  }
  assert.equal(
    mask(
      rules,
      Array.from(bytes, (byte) => Uint8Array.of(byte)),
    ),
    expected,
    `byte by byte: ${json}`,
  );
  return expected;
}

const path = (text: string, replacement: Replacement = 'redact') => ({ path: text, replacement });
const cards: Rules = { detectors: [{ detector: 'card', replacement: 'redact' }] };

/** Values as they come past whoever looks for ASCII alone. */
const disguised: readonly string[] = [
  [...'4111111111111111'].join('\u200b'),
  '４１１１１１１１１１１１１１１１',
  '٤١١١١١١١١١١١١١١١',
  '4111\u20121111\u22121111\u30001111',
  '۴۱۱۱ ۱۱۱۱ ۱۱۱۱ ۱۱۱۱',
  '४१११११११११११११११',
  '𝟜𝟙𝟙𝟙𝟙𝟙𝟙𝟙𝟙𝟙𝟙𝟙𝟙𝟙𝟙𝟙',
  '4111\u00ad1111\u20601111\u200e1111',
  '4\ufe0f1\u03321\u2066111111111111\u20691',
  '4111·1111•1111－1111',
  'DE89\u200b3704\u00a00044\u20110532\u200d0130\u202f00',
  'ＤＥ８９３７０４００４４０５３２０１３０００',
  '＋49 30 1234567',
  '+49\u200b 30 12\u20603\u00ad4567',
  '٠٣٠ ١٢٣٤٥٦٧٨',
  '078\u2011\u200b05－1120',
  '８６０９５７４２７１９',
  'ada＠example．com',
  'ada@exa\u200bmple。com',
  '"ada lovelace"@example.com',
  '"ada@home \\" x"@example.com',
  'ada."the first"@example.com',
  '"ädä"@exämple.de',
  'ada@[192.0.2.1]',
  'ada@[IPv6:2001:db8::1]',
];

/** All of a text in escapes of JSON. */
function escapeAll(text: string): string {
  return Array.from(text.split(''), (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}

/** Parses, walks and writes: what masking means, said simply. */
function oracle(rules: Rules, json: string): unknown {
  const text = rules.detectors ? new TextRules(rules.detectors, replace) : null;
  const strictness: readonly Replacement[] = ['redact', 'hash', 'partial'];
  const wanted = (way: readonly (string | number)[]) =>
    strictness.find((replacement) =>
      (rules.paths ?? []).some((rule) => rule.replacement === replacement && matches(rule.path, way)),
    );
  const inText = (value: string): string => {
    const raw = Buffer.from(JSON.stringify(value).slice(1, -1)).toString('latin1');
    const masked = text?.mask(unescapeJson(raw)) ?? null;
    return masked === null ? value : String(JSON.parse(Buffer.from(`"${escapeJson(masked)}"`, 'latin1').toString()));
  };
  const walk = (value: unknown, way: readonly (string | number)[]): unknown => {
    const replacement = wanted(way);
    if (replacement && value !== null) {
      if (typeof value !== 'object') return replace(String(value), replacement);
      if (replacement !== 'hash') return redacted;
      return digestText(createHmac('sha256', key).update(JSON.stringify(value)).digest());
    }
    if (typeof value === 'string') return inText(value);
    if (typeof value === 'number') return text?.maskNumber(String(Math.abs(value))) ?? value;
    if (Array.isArray(value)) return value.map((item, index) => walk(item, [...way, index]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [inText(name), walk(member, [...way, name])]),
    );
  };
  return walk(JSON.parse(json), []);
}

function matches(text: string, way: readonly (string | number)[]): boolean {
  const steps = [...text.slice(1).matchAll(/(\.\.?)(\w+)|\.\*|\[(?:(\*)|(\d+)|'([^']*)')\]/g)];
  const from = (step: number, at: number): boolean => {
    if (step === steps.length) return at === way.length;
    const [, dots, name, , index, quoted] = steps[step]!;
    if (at >= way.length) return false;
    const here = way[at];
    const hit =
      name !== undefined
        ? here === name
        : quoted !== undefined
          ? here === quoted
          : index === undefined || here === Number(index);
    if (hit && from(step + 1, at + 1)) return true;
    return dots === '..' && from(step, at + 1);
  };
  return from(0, 0);
}

let seed = 1;
function random(below: number): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}
const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;

describe('masking of JSON', () => {
  it('masks values at the paths, and leaves everything else unchanged', () => {
    const json = ' { "a" : "secret" , "b":[ {"a":1.50},{"a" : null} ],\n"c":{"d":{"a":"x\\u00e9"}}, "A":"a"} ';
    assert.equal(everySplit({ paths: [path('$.a')] }, json), json.replace('"secret"', '"***"'));
    assert.equal(
      everySplit({ paths: [path('$..a')] }, json),
      ' { "a" : "***" , "b":[ {"a":"***"},{"a" : null} ],\n"c":{"d":{"a":"***"}}, "A":"a"} ',
    );
    assert.equal(everySplit({ paths: [path('$.b[*].a')] }, json), json.replace('1.50', '"***"'));
    assert.equal(everySplit({ paths: [path('$.b')] }, json), json.replace('[ {"a":1.50},{"a" : null} ]', '"***"'));
    assert.equal(everySplit({ paths: [path('$.*.d')] }, json), json.replace('{"a":"x\\u00e9"}', '"***"'));
    assert.equal(everySplit({ paths: [path('$.b[1]')] }, json), json.replace('{"a" : null}', '"***"'));
  });

  it('finds a name however it is written, every time it occurs', () => {
    const rules = { paths: [path('$.card'), path("$['größe']"), path("$['a b']")] };
    assert.equal(
      everySplit(rules, '{"c\\u0061rd":1,"card":2,"gr\\u00f6\\u00dfe":3,"größe":4,"a b":5,"Card":6,"card ":7}'),
      '{"c\\u0061rd":"***","card":"***","gr\\u00f6\\u00dfe":"***","größe":"***","a b":"***","Card":6,"card ":7}',
    );
  });

  it('keeps the last four characters, or a digest, where a rule says so', () => {
    const rules = { paths: [path('$.a', 'partial'), path('$.b', 'hash')] };
    assert.equal(everySplit(rules, '{"a":"Jürgen 😀é12"}'), '{"a":"****😀é12"}');
    assert.equal(everySplit(rules, '{"a":"short"}'), '{"a":"***"}', 'never most of it');
    assert.equal(everySplit(rules, '{"a":12345678.5}'), '{"a":"****78.5"}');
    const digest = (json: string) => everySplit(rules, `{"b":${json}}`);
    assert.equal(digest('"x/y"'), digest('"x\\/\\u0079"'));
    assert.notEqual(digest('"x"'), digest('"y"'));
    assert.match(digest('"x"'), /^\{"b":"[\w-]{22}"\}$/);
    assert.equal(digest('{"x":[1, 2]}'), digest('{ "x" : [1,2] }'));
    assert.notEqual(digest('{"x":[1,2]}'), digest('{"x":[12]}'));
  });

  it('finds cards in strings, numbers and member names', () => {
    assert.equal(
      everySplit(
        cards,
        '{"4111111111111111":"pay 4111 1111 1111 1111!","n":4111111111111111,"m":[-5555555555554444,4111111111111112]}',
      ),
      '{"***":"pay ***!","n":"***","m":["***",4111111111111112]}',
    );
    for (const number of [
      '4111111111111111.0',
      '4.111111111111111e15',
      '4111111111111111000e-3',
      '41111111.11111111E+8',
      '6304000000000000018',
      '6304000000000000018.000',
    ]) {
      assert.equal(everySplit(cards, number), '"***"', number);
    }
    for (const number of [
      '0.4111111111111111',
      '4111.111111111111',
      '4.111111111111111e14',
      '1e9999999',
      '1e-99999999',
    ]) {
      assert.equal(everySplit(cards, number), number, number);
    }
    assert.equal(everySplit(cards, '"\\u0034111-1111\\u002d1111-1111"'), '"***"', 'escapes hide nothing');
    assert.equal(everySplit(cards, '"\\n4111111111111111\\t\\ud83d\\ude00\\ud800é"'), '"\\n***\\t😀\\ud800é"');
    assert.equal(everySplit(cards, '"4111\u00a01111\\u00a01111\u20111111"'), '"***"', 'no-break spaces');
  });

  it('masks long strings as they come', () => {
    for (const padding of [16_300, 16_370, 16_383, 16_384, 20_000, 40_000]) {
      const json = JSON.stringify({
        a: `${'x\n'.repeat(padding / 2)}4111111111111111 ${'é'.repeat(9_000)} 5555-5555-5555-4444`,
      });
      const expected = json.replace('4111111111111111', '***').replace('5555-5555-5555-4444', '***');
      const bytes = Buffer.from(json);
      assert.equal(mask(cards, [bytes]), expected);
      for (const size of [1_000, 4_096, 16_385]) {
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        assert.equal(mask(cards, chunks), expected, `${padding} in pieces of ${size}`);
      }
    }
    const lone = `"${'x'.repeat(20_000)}\\ud800\\ud83d\\ude00\\u00e9 \\"4111111111111111\\""`;
    const expected = lone.replace('4111111111111111', '***').replace('\\ud83d\\ude00', '😀').replace('\\u00e9', 'é');
    const bytes = Buffer.from(lone);
    for (let at = 20_000; at < bytes.length; at++) {
      assert.equal(mask(cards, [bytes.subarray(0, at), bytes.subarray(at)]), expected);
    }
  });

  it('reads a sequence of values if allowed', () => {
    const lines = '{"a":1}\n{"a":2}\n\x1e{"a":3}\n4 "x"';
    assert.equal(
      mask({ paths: [path('$.a')] }, [Buffer.from(lines)], true),
      '{"a":"***"}\n{"a":"***"}\n\x1e{"a":"***"}\n4 "x"',
    );
    assert.throws(() => whole({ paths: [path('$.a')] }, '{"a":1} {"a":2}'));
  });

  it('accepts a byte order mark, and an empty body', () => {
    assert.equal(everySplit({ paths: [path('$.a')] }, '\ufeff{"a":1}'), '\ufeff{"a":"***"}');
    assert.equal(everySplit(cards, ''), '');
    assert.equal(everySplit(cards, ' \n'), ' \n');
  });

  it('fails on anything that is not JSON, however it is split', () => {
    for (const text of [
      '{',
      '[',
      '"',
      '"\\',
      '"\\u12',
      '{"a"',
      '{"a":',
      '{"a":1',
      '{"a":1,',
      '[1,',
      '[1',
      '-',
      '1.',
      '1e',
      'tru',
      'nul',
      '}',
      ']',
      ',',
      ':',
      '[1}',
      '{"a":1]',
      '{"a" 1}',
      '{a:1}',
      "{'a':1}",
      '{"a":1,}',
      '[1,]',
      '[,1]',
      '{,}',
      '[1 2]',
      '01',
      '+1',
      '.5',
      '1.2.3',
      '0x10',
      'NaN',
      'Infinity',
      'True',
      'nullx',
      '"\n"',
      '"\\x41"',
      '"\\u12g4"',
      '1 2',
      '{}{}',
      '// a\n1',
      '[1]x',
      '\u00a01',
      '{"a"::1}',
      '{"a":1,,"b":2}',
      '"a"b',
    ]) {
      const bytes = Buffer.from(text);
      for (let at = 0; at <= bytes.length; at++) {
        assert.throws(
          () => mask(cards, [bytes.subarray(0, at), bytes.subarray(at)]),
          /not JSON/,
          `${text} cut at ${at}`,
        );
      }
      assert.throws(() => whole({ paths: [path('$.a'), path('$..b', 'hash')] }, text), /not JSON/, text);
    }
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xc0, 0xb4, 0x22],
      [0x22, 0xc3, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0xff, 0xfe, 0x22, 0x00],
    ]) {
      assert.throws(() => mask(cards, [Uint8Array.from(bytes)]), `${bytes} is not UTF-8`);
      assert.throws(() =>
        mask(
          cards,
          bytes.map((byte) => Uint8Array.of(byte)),
        ),
      );
    }
    assert.throws(() => whole(cards, '['.repeat(513)), /nested deeper/);
    assert.throws(() => whole(cards, '{"a":'.repeat(513)), /nested deeper/);
    assert.equal(whole(cards, '['.repeat(512) + ']'.repeat(512)).length, 1_024);
    assert.throws(() => whole(cards, '1'.repeat(1_001)), /too long/);
    assert.throws(() => whole({ paths: [path('$.a')] }, '{"a":{"x":[1,}}'), /not JSON/, 'also in what is left out');
  });

  it('finds values with other digits and separators', () => {
    const rules: Rules = {
      detectors: (['card', 'iban', 'email', 'phone', 'national_id'] as const).map((detector) => ({
        detector,
        replacement: 'redact',
      })),
    };
    for (const value of disguised) {
      for (const [before, after] of [
        ['', ''],
        ['é: ', ' … 你好'],
      ] as const) {
        const text = JSON.stringify(before + value + after).slice(1, -1);
        const masked = JSON.stringify(`${before}***${after}`).slice(1, -1);
        assert.equal(everySplit(rules, `{"${text}":0,"a":["${text}"]}`), `{"${masked}":0,"a":["${masked}"]}`, value);
        const escaped = escapeAll(before + value + after);
        assert.deepEqual(JSON.parse(everySplit(rules, `["${escaped}"]`)), [`${before}***${after}`], value);
      }
    }
  });

  it('finds disguised values anywhere in strings and names longer than a window', () => {
    for (let round = 0; round < 60; round++) {
      const value = pick(disguised.slice(0, 4));
      const [before, after] = [' é'.repeat(4_000 + random(6_000)), ' 你'.repeat(random(8_000))];
      const json = round % 2 === 0 ? JSON.stringify([before + value + after]) : `{"${before}${value}${after}":1}`;
      const bytes = Buffer.from(json);
      const chunks: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; ) {
        const size = 1 + random(6_000);
        chunks.push(bytes.subarray(at, at + size));
        at += size;
      }
      assert.equal(mask(cards, chunks), json.replace(value, '***'));
    }
  });

  it('leaves text that only looks like a value', () => {
    const rules: Rules = { detectors: [...cards.detectors!, { detector: 'email', replacement: 'redact' }] };
    for (const text of [
      '４１１１１１１１１１１１１１１２',
      '2026年11月22日 12時34分',
      '٤١١١',
      '4111–1112',
      '你好，世界。1234，5678。',
      '①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬',
      'He said “hi” @ 5 o’clock – "now"',
      '"unopened@',
      'x"@',
      'ada@[here]',
      'a @ b。c',
    ]) {
      const json = JSON.stringify({ [text]: text });
      assert.equal(everySplit(rules, json), json);
    }
  });

  it('has the same result as parsing, walking and serializing, however the body is split', () => {
    const names = ['a', 'b', 'card', 'größe', 'a b', '4111111111111111', 'a@b.example'];
    const texts = [
      '',
      'x',
      'secret',
      '4111111111111111',
      'my 4111-1111-1111-1111 card',
      'ada@example.com',
      'IBAN DE89 3704 0044 0532 0130 00.',
      '+49 30 1234567',
      '078-05-1120',
      'línea\n"quoted"\\',
      '😀 ada@example.com 😀',
      '\ud800',
      'a\u0000b',
      '2026-03-01T12:00:00Z',
      '\u2028/',
      'x'.repeat(300),
    ];
    const value = (depth: number): unknown => {
      switch (random(depth > 4 ? 4 : 7)) {
        case 0:
          return pick(texts);
        case 1:
          return pick([0, -1.5, 1e21, 4111111111111111, 1.5e-7, 12345678, 30569309025904]);
        case 2:
          return pick([true, false, null]);
        case 3:
          return pick(texts) + pick(texts);
        case 4:
          return Array.from({ length: random(4) }, () => value(depth + 1));
        default:
          return Object.fromEntries(Array.from({ length: random(4) }, () => [pick(names), value(depth + 1)]));
      }
    };
    const rulePaths = [
      '$.a',
      '$..a',
      '$.b[*]',
      '$.b[1]',
      '$.*.card',
      '$..b..a',
      "$['größe']",
      '$[0]',
      '$[*].a',
      '$..card',
      '$.*',
    ];
    const detectorNames = ['card', 'iban', 'email', 'phone', 'national_id'] as const;
    const replacements: readonly Replacement[] = ['redact', 'partial', 'hash'];
    for (let round = 0; round < 300; round++) {
      const rules: Rules = {
        paths: Array.from({ length: random(4) }, () => path(pick(rulePaths), pick(replacements))),
        ...(random(4) > 0
          ? {
              detectors: Array.from({ length: 1 + random(3) }, () => ({
                detector: pick(detectorNames),
                replacement: pick(replacements),
              })),
            }
          : {}),
      };
      const json = JSON.stringify(value(0));
      const spaced = json.length < 400 && random(2) === 0 ? JSON.stringify(JSON.parse(json), null, random(3)) : json;
      const masked = spaced.length < 400 ? everySplit(rules, spaced) : whole(rules, spaced);
      assert.deepEqual(JSON.parse(masked), oracle(rules, json), `${JSON.stringify(rules)} on ${spaced}`);
    }
  });
});
