import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compilePattern } from './pattern.ts';

describe('patterns', () => {
  it('match as in ECMAScript', () => {
    const patterns = [
      '',
      '^$',
      'a',
      '^a',
      'a$',
      '^a*$',
      'a+b',
      '^(ab|a)c?$',
      '^[a-c]{2,3}$',
      '^[^a]+$',
      '^(?:a|b){2}$',
      '^(?<x>a)+$',
      '^a{2}$',
      '^a{2,}$',
      '^a{0}b$',
      '\\bab\\b',
      '\\Ba',
      '^\\d+(?:\\.\\d+)?$',
      '^\\w+-\\w+$',
      '^.$',
      '^.{2}$',
      '\\u0061',
      '^\\x61+$',
      '^\\p{L}+$',
      '^[\\p{Lu}b]$',
      'a|^b|c$',
      '^(a?){3}$',
      '(a*)*b',
      '^(a|a)*$',
      '^[a\\]]+$',
      '^a.c$',
      '^😀+$',
      '^\\u{1F600}$',
      '[]',
      '[^]',
      '^(?=.*a)(?=.*b).{2,}$',
      '^(?!a)b*',
      '^(?=a)(?!ab)',
      '^\\/\\.$',
      'x*',
      '^(?:)$',
      '(^a|b$)',
      '^[\\w-.]+$',
      '^\\-a$',
      'a{,2}',
      '^ab??$',
      '^a+?b',
      '\\n',
      '^[\\s\\S]$',
      '^\\cJ$',
    ];
    const texts = [
      '',
      'a',
      'b',
      'c',
      'ab',
      'ba',
      'aa',
      'aab',
      'abc',
      'aaa',
      'aaab',
      ' ab ',
      '1.5',
      '1.',
      'a-b',
      '\n',
      'a\nc',
      'Ä',
      'ß',
      '😀',
      '😀😀',
      '/.',
      ']',
      '-a',
      'a{,2}',
      'abab',
      'x',
      'cab',
    ];
    for (const source of patterns) {
      let native: RegExp;
      try {
        native = new RegExp(source, 'u');
      } catch {
        native = new RegExp(source);
      }
      const pattern = compilePattern(source);
      for (const text of texts)
        assert.equal(pattern.test(text), native.test(text), `${source} on ${JSON.stringify(text)}`);
    }
  });

  it('agree with the native engine on random input', () => {
    let seed = 3;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const expression = (depth: number): string => {
      switch (random(depth > 3 ? 4 : 9)) {
        case 0:
        case 1:
          return 'ab'[random(2)]!;
        case 2:
          return ['[ab]', '[^a]', '.', '\\w'][random(4)]!;
        case 3:
          return ['^', '$', '\\b', '\\B'][random(4)]!;
        case 4:
          return `(?:${expression(depth + 1)}|${expression(depth + 1)})`;
        case 5:
          return `(?:${expression(depth + 1)})${['*', '+', '?', '{2}', '{1,3}', '{2,}'][random(6)]}`;
        default:
          return expression(depth + 1) + expression(depth + 1);
      }
    };
    for (let round = 0; round < 2_000; round++) {
      const source = expression(0);
      const native = new RegExp(source, 'u');
      const pattern = compilePattern(source);
      for (let index = 0; index < 6; index++) {
        const text = Array.from({ length: random(6) }, () => 'ab-'[random(3)]).join('');
        assert.equal(pattern.test(text), native.test(text), `${source} on "${text}"`);
      }
    }
  });

  it('finish in time on input that makes other engines hang', () => {
    const hostile: readonly [string, string][] = [
      ['^(a+)+$', `${'a'.repeat(50_000)}!`],
      ['^(a|aa)+$', `${'a'.repeat(50_000)}!`],
      ['^(\\w+\\s?)*$', `${'a'.repeat(50_000)}!`],
      ['\\s+$', `${' '.repeat(50_000)}x`],
      ['(.*)(.*)(.*)(.*)=', 'x'.repeat(50_000)],
      ['^([a-z]+)*@', 'a'.repeat(50_000)],
      ['(?:a?){100}a{100}$', `${'a'.repeat(5_000)}b`],
      ['[^,]{0,500}x', 'a'.repeat(20_000)],
    ];
    for (const [source, text] of hostile) {
      const started = process.threadCpuUsage();
      assert.equal(compilePattern(source).test(text), false, source);
      const { user } = process.threadCpuUsage(started);
      assert.ok(user < 2_000_000, `${source} took ${user} µs`);
    }
  });

  it('reject what no automaton supports, and what is too large', () => {
    for (const source of [
      '(a)\\1',
      '(?<x>a)\\k<x>',
      'a(?=b)',
      '(?<=a)b',
      '(?:a(?!b))*',
      'a'.repeat(1_001),
      '(?:a{100}){101}',
      '(',
      '[z-a]',
    ]) {
      assert.throws(() => compilePattern(source), Error, source);
    }
  });
});
