import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { settingsDocument, settingsDocumentPath } from './settings-document.ts';

describe('the page on the settings', () => {
  test('it is what their declarations say', () => {
    assert.equal(readFileSync(settingsDocumentPath, 'utf8'), settingsDocument());
  });
});
