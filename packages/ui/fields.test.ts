import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { fieldsOf, sendableOf, valuesOf } from './src/fields.ts';
import { InvalidInput } from './src/invalid-input.ts';

const body = z.strictObject({
  displayName: z.string().min(1).max(100),
  description: z.string().max(1_000).default(''),
  callbackUrl: z.url().nullable().describe('Where users return to.'),
  scheme: z.enum(['http', 'https']).default('https'),
  port: z.int().min(1).max(65_535),
  enabled: z.boolean().default(true),
  hostNames: z.array(z.string()).max(50),
  endpoints: z
    .array(z.strictObject({ host: z.string().min(1), weight: z.int().default(1) }))
    .max(2)
    .default([]),
  tls: z
    .strictObject({ serverName: z.string().nullable().default(null), clientKey: z.string().min(1).optional() })
    .prefault({}),
  rules: z.record(z.string(), z.unknown()).optional(),
});
const shape = fieldsOf(body);
const field = (name: string) => shape.find((each) => each.name === name)!;

test('fields follow from the schema: label, help, kind, bounds and options', () => {
  assert.deepEqual(
    shape.map(({ name, kind }) => [name, kind]),
    [
      ['displayName', 'text'],
      ['description', 'multiline'],
      ['callbackUrl', 'text'],
      ['scheme', 'choice'],
      ['port', 'number'],
      ['enabled', 'switch'],
      ['hostNames', 'texts'],
      ['endpoints', 'objects'],
      ['tls', 'object'],
      ['rules', 'json'],
    ],
  );
  assert.equal(field('displayName').label, 'Display name');
  assert.equal(field('callbackUrl').help, 'Where users return to');
  assert.deepEqual([field('port').min, field('port').max, field('port').integer], [1, 65_535, true]);
  assert.equal(field('endpoints').max, 2);
  assert.deepEqual(
    field('scheme').options.map(({ value }) => value),
    ['http', 'https'],
  );
});

test('only fields that can’t be left empty are required', () => {
  assert.deepEqual(
    shape.filter(({ required }) => required).map(({ name }) => name),
    ['displayName', 'port'],
  );
});

test('a field of a partial body is required where the form requires it', () => {
  const [title, note] = fieldsOf(
    z
      .object({ title: z.string().min(1), note: z.string() })
      .partial()
      .required({ title: true }),
  );
  assert.deepEqual([title?.required, title?.empty], [true, '']);
  assert.deepEqual([note?.required, note?.empty], [false, '']);
});

test('a new object begins with the defaults of the schema', () => {
  const values = valuesOf(shape, {});
  assert.equal(values.scheme, 'https');
  assert.equal(values.enabled, true);
  assert.equal(values.port, '');
  assert.deepEqual(values.endpoints, []);
  assert.deepEqual(values.tls, { serverName: '', clientKey: '' });
});

test('an unchanged form sends what the object was', () => {
  const given = {
    displayName: 'Orders',
    description: '',
    callbackUrl: null,
    scheme: 'http',
    port: 80,
    enabled: false,
    hostNames: ['a.example'],
    endpoints: [{ host: 'b.example', weight: 2 }],
    tls: { serverName: null },
    rules: { limit: 5 },
  };
  assert.deepEqual(sendableOf(shape, valuesOf(shape, given)), given);
  body.parse(given);
});

test('an empty field is null where the schema allows it, and left out otherwise', () => {
  const sent = sendableOf(shape, valuesOf(shape, { displayName: 'Orders' }));
  assert.equal(sent.callbackUrl, null);
  assert.equal('port' in sent, false);
  assert.equal('rules' in sent, false);
  assert.deepEqual(sent.tls, { serverName: null });
});

test('JSON that can’t be parsed is an error at its field', () => {
  const values = { ...valuesOf(shape, {}), rules: '{' };
  assert.throws(
    () => sendableOf(shape, values),
    (error) => error instanceof InvalidInput && 'rules' in error.errors,
  );
});
