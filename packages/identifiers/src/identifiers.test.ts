import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from './identifiers.ts';

describe('identifiers', () => {
  test('an identifier is its prefix and a lower-case ULID', () => {
    assert.match(newId('acc'), /^acc_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    // From the documentation of https://github.com/ulid/javascript.
    assert.match(newId('acc', 1_469_918_176_385), /^acc_01aryz6s41.{16}$/);
  });

  test('identifiers are unique, and later ones sort after earlier ones', () => {
    assert.equal(new Set(Array.from({ length: 1_000 }, () => newId('acc', 0))).size, 1_000);
    assert(newId('acc', 31) < newId('acc', 32));
    assert(newId('acc', 1_000) < newId('acc', 1_000_000_000_000));
  });
});
