import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfiguration, policyKinds } from '@millrace/policies';
import { type ConfigurationField, configurationFields, emptyObject, fieldLabel } from './configuration-schema.ts';

function everyField(fields: readonly ConfigurationField[]): readonly ConfigurationField[] {
  return fields.flatMap((field) =>
    field.shape.type === 'object' || field.shape.type === 'objects'
      ? [field, ...everyField(field.shape.fields)]
      : [field],
  );
}

test('every field of every kind has its own control and a description', () => {
  for (const kind of policyKinds) {
    const fields = configurationFields(kind);
    assert.deepEqual(
      fields.map(({ name }) => name).sort(),
      Object.keys(kind.defaultConfiguration).sort(),
      `${kind.kind}: the form shows every setting`,
    );
    for (const field of everyField(fields)) {
      assert.notEqual(field.shape.type, 'json', `${kind.kind}.${field.name}`);
      assert.notEqual(field.description, '', `${kind.kind}.${field.name}`);
    }
  }
});

test('an item added to a list is complete except for what only the operator knows', () => {
  const quota = policyKinds.find(({ kind }) => kind === 'quota')!;
  assert.deepEqual(emptyObject(configurationFields(quota)), {
    limit: 1,
    window: { unit: 'minute', count: 1 },
    per: 'app',
    identifierHeader: null,
    mode: 'strict',
    failOpen: false,
  });
  const masking = policyKinds.find(({ kind }) => kind === 'data-masking')!;
  const rules = configurationFields(masking).find(({ name }) => name === 'rules')!;
  assert(rules.shape.type === 'objects');
  const item = emptyObject(rules.shape.fields);
  assert.equal(parseConfiguration('data-masking', { rules: [{ ...item, detector: 'iban' }] }).ok, true);
});

test('labels are words, with the unit last', () => {
  assert.equal(fieldLabel('clockSkewSeconds'), 'Clock skew (seconds)');
  assert.equal(fieldLabel('jwksUrl'), 'JWKS URL');
  assert.equal(fieldLabel('delayMs'), 'Delay (milliseconds)');
});
