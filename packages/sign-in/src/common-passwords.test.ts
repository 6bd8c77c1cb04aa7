import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCommonPassword } from './common-passwords.ts';

test('common passwords are recognised by their structure', () => {
  for (const password of [
    'password1234',
    'Password2024!',
    'P@ssw0rd1234',
    'passwordpassword',
    '123456789012',
    'qwertyuiop123',
    '1qaz2wsx3edc',
    '1q2w3e4r5t6y',
    'iloveyou1234',
    'Welcome2Company!',
    'letmein-letmein',
    'administrator',
    'changeme1234',
    'abcdefghijklm',
    'aaaaaaaaaaaa',
    'Summer2026!!',
    'sunshine-1990',
    'trustno1trustno1',
    'football12345',
    'adminadmin123',
    'qwerty-azerty-1',
  ]) {
    assert.equal(isCommonPassword(password), true, password);
  }
});

test('uncommon passwords are accepted', () => {
  for (const password of [
    'correct horse battery staple',
    'a different horse battery',
    'seven green lanterns',
    'nine amber windmills',
    'eleven silver rivers',
    'a long enough secret',
    'Füchse im Nebel',
    'vR7#kq9!zLw2',
    'pJ4nX-2uQe8sB',
    'Tuesday the cooper wept',
  ]) {
    assert.equal(isCommonPassword(password), false, password);
  }
});
