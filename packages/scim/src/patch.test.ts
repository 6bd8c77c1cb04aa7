import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ScimError, type ScimType } from './errors.ts';
import { applyPatch, type ScimObject } from './patch.ts';
import { readGroup, readUser } from './resources.ts';

const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const patch = (resource: ScimObject, ...Operations: readonly object[]) =>
  applyPatch(resource, { schemas: [patchOp], Operations });
const refused = (scimType: ScimType, work: () => unknown) =>
  assert.throws(work, (error) => error instanceof ScimError && error.scimType === scimType);

const babs = { value: 'usr_2819c223', display: 'Babs Jensen' };
const james = { value: 'usr_902c246b', display: 'James Smith' };
const user = {
  id: 'usr_1',
  userName: 'bjensen@example.com',
  active: true,
  name: { givenName: 'Babs', familyName: 'Jensen' },
  emails: [
    { value: 'babs@example.com', type: 'work', primary: true },
    { value: 'babs@jensen.org', type: 'home' },
  ],
};

describe('the examples of RFC 7644, 3.5.2', () => {
  test('add members', () => {
    const group = patch({ members: [james] }, { op: 'add', path: 'members', value: [babs] });
    assert.deepEqual(group.members, [james, babs]);
    const again = patch(group, { op: 'add', path: 'members', value: [babs] });
    assert.deepEqual(again.members, [james, babs]);
  });

  test('add without a path', () => {
    const changed = patch(user, {
      op: 'add',
      value: { emails: [{ value: 'babs2@jensen.org', type: 'home' }], nickname: 'Babs' },
    });
    assert.deepEqual(changed.emails, [...user.emails, { value: 'babs2@jensen.org', type: 'home' }]);
    assert.equal(changed.nickName, 'Babs');
  });

  test('remove one member, all members, and an address by two conditions', () => {
    const group = { members: [babs, james] };
    const one = patch(group, { op: 'remove', path: 'members[value eq "usr_2819c223"]' });
    assert.deepEqual(one.members, [james]);
    assert.equal('members' in patch(group, { op: 'remove', path: 'members' }), false);
    const path = 'emails[type eq "work" and value ew "example.com"]';
    assert.deepEqual(patch(user, { op: 'remove', path }).emails, [user.emails[1]]);
  });

  test('remove a member and add another in one request', () => {
    const changed = patch(
      { members: [babs] },
      { op: 'remove', path: 'members[value eq "usr_2819c223"]' },
      { op: 'add', path: 'members', value: [james] },
    );
    assert.deepEqual(changed.members, [james]);
  });

  test('replace members, a work address, and one attribute of it', () => {
    assert.deepEqual(patch({ members: [babs] }, { op: 'replace', path: 'members', value: [james] }).members, [james]);
    const value = { type: 'work', streetAddress: '911 Universal City Plaza' };
    const addresses = [{ type: 'work', streetAddress: 'Old', country: 'US' }];
    const whole = patch({ addresses }, { op: 'replace', path: 'addresses[type eq "work"]', value });
    assert.deepEqual(whole.addresses, [{ ...addresses[0], ...value }]);
    const street = patch(
      { addresses },
      { op: 'replace', path: 'addresses[type eq "work"].streetAddress', value: 'New' },
    );
    assert.deepEqual(street.addresses, [{ ...addresses[0], streetAddress: 'New' }]);
  });

  test('replace without a path', () => {
    const emails = [{ value: 'bjensen@example.com', type: 'work', primary: true }];
    const changed = patch(user, { op: 'replace', value: { emails, nickname: 'Babs' } });
    assert.deepEqual(changed.emails, emails);
  });
});

describe('what Microsoft sends', () => {
  test('operations in any case, and booleans as texts', () => {
    const changed = patch(user, { op: 'Replace', path: 'active', value: 'False' });
    assert.equal(readUser(changed).active, false);
    assert.equal(readUser(patch(changed, { op: 'Add', path: 'active', value: 'True' })).active, true);
  });

  test('dotted names and names with a URN in a value without a path', () => {
    const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
    const changed = patch(user, {
      op: 'replace',
      value: { 'name.familyName': 'Smith', displayName: 'Babs Smith', [`${enterprise}:department`]: 'Tools' },
    });
    assert.deepEqual(changed.name, { givenName: 'Babs', familyName: 'Smith' });
    assert.equal(readUser(changed).displayName, 'Babs Smith');
  });

  test('a work address where there is none yet', () => {
    const { emails: _, ...without } = user;
    const changed = patch(without, { op: 'Add', path: 'emails[type eq "work"].value', value: 'new@example.com' });
    assert.deepEqual(changed.emails, [{ type: 'work', value: 'new@example.com' }]);
    const replaced = patch(user, { op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@example.com' });
    assert.equal(readUser(replaced).email, 'new@example.com');
  });

  test('members to remove in the value', () => {
    const changed = patch(
      { members: [babs, james] },
      { op: 'Remove', path: 'members', value: [{ value: babs.value }] },
    );
    assert.deepEqual(changed.members, [james]);
  });
});

describe('what Okta sends', () => {
  test('a group’s id and name in a value without a path', () => {
    const group = { id: 'sgr_1', displayName: 'Old', members: [] };
    const changed = patch(group, { op: 'replace', value: { id: 'sgr_1', displayName: 'New' } });
    assert.equal(readGroup(changed).displayName, 'New');
    refused('mutability', () => patch(group, { op: 'replace', value: { id: 'sgr_2', displayName: 'New' } }));
  });

  test('the deactivation of a user', () => {
    assert.equal(readUser(patch(user, { op: 'replace', value: { active: false } })).active, false);
  });
});

describe('a PATCH is refused', () => {
  test('for what is malformed', () => {
    refused('invalidSyntax', () => applyPatch(user, {}));
    refused('invalidSyntax', () => applyPatch(user, { Operations: [] }));
    refused('invalidSyntax', () => patch(user, { op: 'move', path: 'a', value: 1 }));
    refused('noTarget', () => patch(user, { op: 'remove' }));
    refused('invalidValue', () => patch(user, { op: 'replace', value: 'x' }));
    refused('invalidPath', () => patch(user, { op: 'replace', path: 'a b', value: 1 }));
    refused('noTarget', () => patch(user, { op: 'replace', path: 'emails[value co "nobody"].type', value: 'x' }));
    refused('mutability', () => patch(user, { op: 'replace', path: 'id', value: 'x' }));
    refused('tooMany', () =>
      patch(user, ...Array.from({ length: 1_001 }, () => ({ op: 'add', path: 'title', value: 'x' }))),
    );
  });

  test('for a user or a group that couldn’t be kept', () => {
    refused('invalidValue', () => readUser({ userName: 'no address' }));
    refused('invalidValue', () => readUser({ userName: 'a@example.com', active: 'perhaps' }));
    refused('invalidValue', () => readUser({ emails: [{ value: 'a@example.com' }] }));
    refused('tooMany', () => readUser({ userName: 'a@example.com', title: 'x'.repeat(20_000) }));
    refused('invalidValue', () => readGroup({ displayName: 'g', members: [{ value: '../x' }] }));
  });

  test('for a name of the prototype', () => {
    refused('invalidPath', () => patch(user, { op: 'add', path: '__proto__', value: { polluted: true } }));
    const value = JSON.parse('{"__proto__": {"polluted": true}}');
    refused('invalidPath', () => patch(user, { op: 'add', value }));
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });
});
