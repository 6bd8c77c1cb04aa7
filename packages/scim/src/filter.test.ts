import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ScimError } from './errors.ts';
import { parseFilter, parsePatchPath, passes } from './filter.ts';

describe('a SCIM filter', () => {
  test('is parsed as in RFC 7644, 3.4.2.2', () => {
    const examples = [
      'userName eq "bjensen"',
      'name.familyName co "O\'Malley"',
      'userName sw "J"',
      'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"',
      'title pr',
      'meta.lastModified gt "2011-05-13T04:42:34Z"',
      'title pr and userType eq "Employee"',
      'title pr or userType eq "Intern"',
      'userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")',
      'userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")',
      'userType eq "Employee" and (emails.type eq "work")',
      'userType eq "Employee" and emails[type eq "work" and value co "@example.com"]',
      'emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]',
    ];
    for (const example of examples) assert.ok(parseFilter(example), example);
    assert.deepEqual(parseFilter('urn:ietf:params:scim:schemas:core:2.0:User:userName EQ "a\\"b"'), {
      kind: 'compare',
      path: 'username',
      comparison: 'eq',
      value: 'a"b',
    });
  });

  test('binds and before or', () => {
    const filter = parseFilter('a eq 1 or b eq 2 and c eq true');
    assert.equal(filter.kind, 'or');
    assert.equal(filter.kind === 'or' && filter.right.kind, 'and');
  });

  test('is refused where it is malformed, too long, too deep or has too many terms', () => {
    const malformed = [
      '',
      'userName',
      'userName eq',
      'userName eq "a',
      'eq "a"',
      '(a eq 1',
      'a eq 1)',
      'a like 1',
      'not a eq 1',
      'a eq b',
      'a[b eq 1',
    ];
    const excessive = [
      `${'a eq 1 or '.repeat(60)}a eq 1`,
      `${'('.repeat(20)}a eq 1${')'.repeat(20)}`,
      `a eq "${'x'.repeat(3_000)}"`,
    ];
    for (const text of [...malformed, ...excessive]) {
      assert.throws(
        () => parseFilter(text),
        (error) => error instanceof ScimError && error.scimType === 'invalidFilter',
        text,
      );
    }
  });

  test('selects elements without regard to case', () => {
    const filter = parseFilter('type eq "Work" and value ew "EXAMPLE.com"');
    assert.ok(passes(filter, { Type: 'work', value: 'a@example.com' }));
    assert.ok(!passes(filter, { type: 'home', value: 'a@example.com' }));
    assert.ok(passes(parseFilter('primary eq true'), { primary: 'True' }));
  });

  test('is part of the path of a PATCH', () => {
    assert.deepEqual(parsePatchPath('members'), { attribute: 'members', filter: null, sub: null });
    assert.deepEqual(parsePatchPath('name.familyName'), { attribute: 'name', filter: null, sub: 'familyname' });
    const path = parsePatchPath('addresses[type eq "work"].streetAddress');
    assert.equal(path.attribute, 'addresses');
    assert.equal(path.sub, 'streetaddress');
    assert.throws(() => parsePatchPath('members[value eq'), ScimError);
  });
});
