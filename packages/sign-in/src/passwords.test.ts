import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, passwordFault, passwordMatches } from './passwords.ts';

test('a password matches its own hash from any keyboard; without a hash none matches', async () => {
  const hash = await hashPassword('Füchse im Nebel');
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal(await passwordMatches(hash, 'Füchse im Nebel'.normalize('NFD')), true);
  assert.equal(await passwordMatches(hash, 'füchse im nebel'), false);
  assert.equal(await passwordMatches(null, 'Füchse im Nebel'), false);
});

test('a new password must not contain its owner’s data or consist of a few characters', () => {
  const owner = { email: 'ada.stone@example.com', name: 'Ada Stone' };
  assert.equal(passwordFault('seven green lanterns', owner), null);
  const faulty = ['ada.stone@example.com', 'my Ada-Stone 2026', 'aabbaabbaabb', 'green Millrace 77', 'Password2026!'];
  for (const password of [...faulty, 'the Acme lanterns']) {
    assert.match(passwordFault(password, { ...owner, organization: 'Acme' }) ?? '', /Choose /, password);
  }
});
