import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseLanguage } from './texts.ts';

describe('chooseLanguage', () => {
  const nothing = { asked: undefined, chosen: undefined, accepted: undefined, fallback: 'de' } as const;

  it('prefers what is asked for, then what was chosen, then the browser', () => {
    assert.equal(chooseLanguage({ ...nothing, asked: 'en', chosen: 'de', accepted: 'de' }), 'en');
    assert.equal(chooseLanguage({ ...nothing, chosen: 'en', accepted: 'de' }), 'en');
    assert.equal(chooseLanguage({ ...nothing, accepted: 'en-US,en;q=0.9' }), 'en');
    assert.equal(chooseLanguage(nothing), 'de');
  });

  it('follows the qualities of Accept-Language', () => {
    assert.equal(chooseLanguage({ ...nothing, accepted: 'fr, de;q=0.4, en;q=0.8' }), 'en');
    assert.equal(chooseLanguage({ ...nothing, fallback: 'en', accepted: 'de-AT;q=0.1' }), 'de');
    assert.equal(chooseLanguage({ ...nothing, accepted: 'en;q=0' }), 'de');
  });

  it('ignores what is no language', () => {
    assert.equal(chooseLanguage({ ...nothing, asked: ['en'], chosen: '__proto__', accepted: ';;,=' }), 'de');
  });
});
