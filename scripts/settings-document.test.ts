import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { settingsDocument, settingsDocumentPath } from './settings-document.ts';

describe('docs/settings.md', () => {
  test('matches the declarations of the settings', () => {
    assert.equal(readFileSync(settingsDocumentPath, 'utf8'), settingsDocument());
  });
});
