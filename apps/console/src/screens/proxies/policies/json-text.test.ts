import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readJson, readJsonObject } from './json-text.ts';

describe('JSON text', () => {
  test('is parsed, or rejected with its line and column', () => {
    assert.deepEqual(readJson('{"a": 1}'), { value: { a: 1 } });
    const faultOf = (text: string) => (readJson(text) as { readonly fault: string }).fault;
    assert.match(faultOf('{\n  "a": 1,\n  "b" 2\n}'), /^Line 3, column 7: this is not valid JSON/);
    assert.match(faultOf('{\n  "a": 1'), /^Line 2, column 9: /);
    assert.match(faultOf(''), /^Line 1, column 1: the JSON ends too early/);
  });

  test('is rejected unless it is an object', () => {
    assert.ok('value' in readJsonObject('{}'));
    for (const text of ['[]', 'null', '1', '{']) assert.ok('fault' in readJsonObject(text), text);
  });
});
